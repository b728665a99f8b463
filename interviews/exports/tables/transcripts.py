from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Annotated, NamedTuple

from interviews.choices import BESIDE_THE_STUDY, EntryKind, SpeakerRole
from interviews.engine.contact_data.masking import STRUCK
from interviews.exports.columns import Table, columns_of
from interviews.exports.planned import section_of, sections_by_question
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import (
    INTERVIEWER,
    OpenQuestionTracker,
    TranscriptUtterance,
    utterances,
)
from plans.text import word_count

SOURCES = {
    "model": "worded by the model that was meant to",
    "fallback_model": "worded by the model that stands in for it",
    "fallback": "worded without a model, since none gave anything usable",
    "rules": "fixed words, or a question as the script has it",
}

INTENTS = {
    "answer": "an answer, however short",
    "dont_know": "doesn't know or remember",
    "skip": "wants the next question",
    "refuse": "doesn't want to talk about it",
    "clarify": "wants the question explained",
    "ask_back": "asks the interviewer something",
    "off_topic": "has nothing to do with the interview",
    "pause": "wants to continue later",
    "stop": "wants to end the interview",
    "withdraw": "wants what was said deleted",
    "complaint": "complains of being asked again, or always in the same way",
    "strike": "wants something that was said not to be kept",
    "renamed": "corrects the name that they are called by",
    "manipulate": "tries to steer the interviewer or how it judges",
}
ANSWERS = {
    "no": "it doesn't answer",
    "partly": "it answers in part",
    "fully": "it answers",
    "unknown": "doesn't know or remember",
}
CARE = {
    "none": "nothing in particular",
    "heavy": "something hard was told",
    "acute": "somebody may be in danger now",
}
PARTICIPANT = str(SpeakerRole.PARTICIPANT)


class TranscriptRow(NamedTuple):
    session: ExportedSession
    position: Annotated[int, "Place in the transcript, from 1."]
    at: Annotated[datetime, "When it was said, by the server's clock."]
    role: Annotated[str, "Who spoke.", dict(SpeakerRole.choices)]
    kind: Annotated[str, "What kind of utterance it is.", dict(EntryKind.choices)]
    section: Annotated[str, "Key of the script's section that the question belongs to."]
    question: Annotated[
        str,
        "Key of the question that this asks or follows up; for the participant's utterances the "
        "question that was open. Empty for what is not about the study: consent, contact data, "
        "care, stopping, offers to continue, and questions back.",
    ]
    question_number: Annotated[
        int | None, "That question's number in the interview, from 1, where questions are counted."
    ]
    turn: Annotated[
        int, "Number of the turn: an answer and the reply to it share one. 0 is the opening."
    ]
    text: Annotated[
        str,
        f"The words, as said; {STRUCK} stands for those that the participant asked not to keep.",
    ]
    words: Annotated[
        int, "Words in it, separated by white space; of little use for scripts without spaces."
    ]
    characters: Annotated[int, "Characters in it (Unicode code points)."]
    seconds_since_previous: Annotated[
        float | None,
        "Seconds since the utterance before: for an answer, reading, thinking and writing "
        "together, pauses included; empty for the first.",
    ]
    source: Annotated[
        str | None, "Who worded the reply; for the interviewer's utterances only.", SOURCES
    ]
    intent: Annotated[
        str | None,
        "What the answer was read as; for the participant's utterances only, empty where nothing "
        "was read.",
        INTENTS,
    ]
    answers: Annotated[
        str | None,
        "What the words do for the open question; for the participant's utterances only.",
        ANSWERS,
    ]
    wishes: Annotated[
        str | None,
        "What is asked or wished for in the words, also beside an answer, separated by spaces: "
        "values of intent.",
    ]
    care: Annotated[
        str | None, "What the answer called for; for the participant's utterances only.", CARE
    ]


def rows(selection: Selection) -> Iterator[TranscriptRow]:
    for batch in batches(selection.with_content()):
        sessions = {session.session.pk: session for session in batch}
        for key, conversation in groupby(utterances(batch), key=itemgetter(0)):
            yield from _conversation(sessions[key], conversation)


def _conversation(
    session: ExportedSession, conversation: Iterable[TranscriptUtterance]
) -> Iterator[TranscriptRow]:
    sections = sections_by_question(session.session.plan_id, session.language)
    tracker, last = OpenQuestionTracker(), None
    for said in conversation:
        tracker.update(said.role, said.kind, said.question, said.number)
        question = tracker.question if said.role == PARTICIPANT else said.question
        if said.kind in BESIDE_THE_STUDY:
            question = ""
        number = tracker.number if question else None
        yield TranscriptRow(  # positional: keywords are slower
            session,
            said.position,
            said.at,
            said.role,
            said.kind,
            section_of(sections, number, question),
            question,
            number,
            said.turn,
            said.text,
            word_count(said.text),
            len(said.text),
            None if last is None else round((said.at - last).total_seconds(), 3),
            said.source or None if said.role == INTERVIEWER else None,
            said.intent if said.role == PARTICIPANT else None,
            said.answers if said.role == PARTICIPANT else None,
            " ".join(said.wishes or ()) or None if said.role == PARTICIPANT else None,
            said.care if said.role == PARTICIPANT else None,
        )
        last = said.at


TRANSCRIPTS = Table(
    "transcripts",
    "One row an utterance, as it was said, in the order of the interviews and of what was said.",
    columns_of(TranscriptRow),
    rows,
)
