"""The words that products may be made of, from rows, and who model calls are made for."""

from django.db.models import Q, QuerySet

from interviews.choices import BESIDE_THE_STUDY, NO_ANSWER, EntryKind, SpeakerRole
from interviews.engine.contact_data.masking import STRUCK
from interviews.exports.planned import section_of, sections_by_question
from interviews.exports.utterances import OpenQuestionTracker
from interviews.models import Session, TranscriptEntry
from interviews.turns.budgets import budget_afterwards
from interviews.turns.store import plan_content
from llm.tasks.call_context import CallContext
from reflections.evidence.topics import label_from_key
from reflections.evidence.transcript import Transcript, TranscriptLine

# Entries that belong to no question.
ASIDE = {EntryKind.DEEP_OFFER, EntryKind.CONSENT_REQUEST, EntryKind.DATA_REQUEST}
CARE = ("distress", "care_choice")  # what only the interview's hosts may see
DISTRESS = Q(role=SpeakerRole.PARTICIPANT, turn__decision__reason__in=CARE)


def transcript_of(session: Session) -> Transcript:
    sections = sections_by_question(session.plan_id, session.language)
    lines: list[TranscriptLine] = []
    question, tracker = "", OpenQuestionTracker()
    for entry in material(session).exclude(text__in=("", STRUCK)).order_by("position"):
        question = "" if entry.kind in ASIDE else entry.question or question
        tracker.update(entry.role, entry.kind, entry.question, entry.number)
        section = label_from_key(section_of(sections, tracker.number, question) or question)
        lines.append(TranscriptLine(entry.position, entry.role, entry.text, question, section))
    return Transcript(session.language, session.title, tuple(lines))


def material(session: Session) -> QuerySet[TranscriptEntry]:
    """Return what was said, without what must not be used.

    Left out are expressions of distress, which only the interview's hosts may see, and what answers
    nothing: questions back, words about skipping and stopping.
    """
    no_answer = Q(role=SpeakerRole.PARTICIPANT, turn__decision__reason__in=sorted(NO_ANSWER))
    beside = Q(role=SpeakerRole.PARTICIPANT, kind__in=BESIDE_THE_STUDY | {EntryKind.SKIP})
    entries = TranscriptEntry.objects.filter(session=session)
    return entries.exclude(no_answer | beside).exclude(DISTRESS)


def call_context_for(session: Session) -> CallContext:
    models = plan_content(session.plan_id).models
    budget = budget_afterwards(session)
    return CallContext(str(session.pk), bot=str(session.bot_id), models=models, budget=budget)
