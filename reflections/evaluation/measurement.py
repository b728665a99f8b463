"""What one simulated interview shows, without a judge: counts for figures, and turns to read.

Every figure of an evaluation is a sum of counts over a sum of counts, so an interview's part of it
is a pair. What was told is read from the answers, never from the questions.
"""

from collections.abc import Sequence
from math import log2
from typing import Any

from django.db.models import Count, F, Q, Sum

from interviews.choices import RULES, TURN_FAILED, EntryKind, SpeakerRole
from interviews.engine.guards import Limits, asked_before, check_statement, without_praise
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.language.wishes import plain
from interviews.engine.signal import Band, band
from interviews.models import Session
from llm.tasks.outcome import Source
from plans.text import word_count
from reflections.evaluation.interview import LONGEST, Interview, Moment, Reply, calls_of
from reflections.evaluation.personas import Persona
from reflections.evaluation.respondents import follows, touched_words
from reflections.evaluation.simulation import SimulatedTurn
from reflections.evaluation.utterances import Pair, patterns, put_again, utterance_counts
from reflections.evidence.material import transcript_of
from reflections.evidence.topics import topics_of
from reflections.evidence.types import StoredModel

OPENING = 4  # words by which two openings are alike
STUCK = 3  # times in a row that the same words are asked
SHOWS_NO_QUESTION = {EntryKind.INTRO, EntryKind.TRANSITION, EntryKind.INTERVIEWER_ANSWER}
UNCLEAR = ("ask_back", "dont_know")
MOMENTS = {  # what a turn worth reading may be, the worst first
    "endless": "The interview didn’t end",
    "dead_end": "Nothing was left to answer",
    "pressed": "Came back to what somebody refused to talk about",
    "stop_ignored": "A wish to stop was not honoured",
    "question_ignored": "A question back was not answered",
    "put_again": "Asked what was answered before",
    "leading": "A leading question",
    "verdict": "A verdict",
    "repeat": "A question asked before",
    "double": "More than one question at once",
    "praise": "Praise",
    "hint_left": "A hint that was not followed",
}


class QuestionCount(StoredModel):
    text: str
    asked: int = 0
    unclear: int = 0  # times that it was not understood, or not known


class MeasuredTopic(StoredModel):
    key: str
    label: str
    answered: bool


class Measured(StoredModel):
    counts: dict[str, Pair]
    moments: tuple[Moment, ...] = ()
    questions: dict[str, QuestionCount] = {}
    topics: tuple[MeasuredTopic, ...] = ()
    acts: tuple[tuple[int, str], ...] = ()  # what each answer was, by turn


def measure(session: Session, persona: Persona, turns: Sequence[SimulatedTurn]) -> Measured:
    interview = Interview(session, persona, turns)
    topics = _topics(interview)
    counts = {
        **_elicited(interview),
        "coverage": (float(sum(one.answered for one in topics)), float(len(topics))),
        **_respected(interview),
        **_clean(interview),
        **_natural(interview),
        **utterance_counts(interview.replies, session.language, session.status),
        "hints": _hints(interview),
        **_robust(interview),
        **_cost(interview),
    }
    for reply in put_again(interview.replies, session.language):
        interview.note("put_again", reply)
    return Measured(
        counts={key: (round(a, 6), round(b, 6)) for key, (a, b) in counts.items()},
        moments=tuple(sorted(interview.moments, key=lambda one: [*MOMENTS].index(one.what))),
        questions=_questions(interview),
        topics=topics,
        acts=tuple((one.turn, one.answer.act) for one in turns),
    )


def _told(interview: Interview) -> dict[str, int]:
    """Return the first answer, from 1, that told each fact."""
    told: dict[str, int] = {}
    for number, one in enumerate(interview.turns, 1):
        for key in one.answer.facts:
            told.setdefault(key, number)
    return told


def _elicited(interview: Interview) -> dict[str, Pair]:
    told = _told(interview)
    may = [one for one in interview.persona.facts if one.told not in ("never", "hinted")]
    asked = [one for one in may if one.told == "asked"]
    found = {number for key, number in told.items() if key in {one.key for one in may}}
    gain = sum(1 / log2(number + 1) for number in found)
    best = sum(1 / log2(number + 1) for number in range(1, len(may) + 1))
    return {
        "elicited": (sum(one.key in told for one in may), len(may)),
        "elicited_asked": (sum(one.key in told for one in asked), len(asked)),
        "timely": (gain / best if best else 0.0, bool(best)),
    }


def _hints(interview: Interview) -> Pair:
    """Return how many hints a later question took up, or were told more of; and how many of all."""
    told, language = _told(interview), interview.session.language
    facts = {one.key: one for one in interview.persona.facts}
    hinted = [(one.turn, facts[one.answer.hinted]) for one in interview.turns if one.answer.hinted]
    left = 0
    for turn, fact in hinted:
        later = [one for one in interview.replies if one.turn.number >= turn]
        followed = fact.key in told or any(follows(fact, one.text, language) for one in later)
        left += interview.note("hint_left", later[0], not followed)
    return len(hinted) - left, len(hinted)


def _topics(interview: Interview) -> tuple[MeasuredTopic, ...]:
    """Return the topics; one is answered if an answer told a fact, or more than a few words."""
    session = interview.session
    transcript = transcript_of(session)
    told = {one.turn for one in interview.turns if one.answer.facts}
    numbers = dict(session.entries.values_list("position", "turn__number"))
    substantial = [
        line
        for line in transcript.lines
        if line.role == SpeakerRole.PARTICIPANT
        and (numbers[line.position] in told or band(line.text, session.language) != Band.LOW)
    ]
    return tuple(
        MeasuredTopic(key=topic.key, label=topic.label, answered=any(map(topic.holds, substantial)))
        for topic in topics_of(session, transcript)
    )


# -- respect


def _respected(interview: Interview) -> dict[str, Pair]:
    answers = [one.answer for one in interview.turns]
    refused = {key: n for n, one in reversed([*enumerate(answers, 1)]) for key in one.refused}
    kept = sum(not _comes_back(interview, key, number) for key, number in refused.items())
    asked = [one for one in interview.replies if one.answer and one.answer.act == "ask_back"]
    ignored = sum(interview.note("question_ignored", one, not _answers_back(one)) for one in asked)
    stops = [number for number, one in enumerate(answers, 1) if one.act == "stop"]
    honoured = bool(stops) and _ends_at_once(interview, stops[0])
    if stops and not honoured:
        interview.note("stop_ignored", interview.replies[stops[0]])
    return {
        "refusals": (kept, len(refused)),
        "answered_back": (len(asked) - ignored, len(asked)),
        "stops": (honoured, bool(stops)),
    }


def _comes_back(interview: Interview, key: str, number: int) -> bool:
    """Return whether a later question has the words of the one refused, or follows it up."""
    fact = next(one for one in interview.persona.facts if one.key == key)
    asked = {one.turn.number: one for one in interview.replies}
    refused = asked[number - 1]
    words = {*touched_words(fact, refused.question)} or {*fact.about}
    for reply in (one for at, one in asked.items() if at >= number and one.asks_anew):
        found = {*touched_words(fact, reply.question)}
        if found & words or (found and reply.key == refused.key):
            return interview.note("pressed", reply)
    return False


def _answers_back(reply: Reply) -> bool:
    kinds = {entry.kind for entry in reply.entries}
    explained = reply.reason in ("question_back", "clarification", "withdrawal_explained")
    return explained or EntryKind.INTERVIEWER_ANSWER in kinds


def _ends_at_once(interview: Interview, number: int) -> bool:
    """Return whether the interview ends with this answer, or with one that confirms it.

    Data that are asked for on leaving may be declined.
    """
    answers, over = interview.turns, not interview.session.is_active
    acts = [one.answer.act for one in answers[number:]]
    return over and acts.count("agree") <= 1 and {*acts} <= {"agree", "decline"}


# -- clean questions


def _clean(interview: Interview) -> dict[str, Pair]:
    asking = [one for one in interview.replies if one.questions]
    found = {
        "double": _count(interview, "double", asking, lambda one: len(one.questions) > 1),
        "leading": _count(interview, "leading", asking, _leads),
        "praise": _count(interview, "praise", interview.replies, _praises),
        "verdicts": _count(
            interview, "verdict", interview.replies, lambda one: "verdict" in _fired(one)
        ),
    }
    anew = [one for one in asking if one.asks_anew]
    repeats = sum(
        interview.note("repeat", one, _repeats(one, anew[:place])) for place, one in enumerate(anew)
    )
    return {**found, "repeats": (repeats, len(anew))}


def _count(interview: Interview, what: str, replies: list[Reply], fires: Any) -> Pair:
    return sum(interview.note(what, one, bool(fires(one))) for one in replies), len(replies)


def _repeats(reply: Reply, earlier: Sequence[Reply]) -> bool:
    """Return whether the same words were said before, or the like about the same question."""
    asked = [one.questions[-1] for one in earlier if one.key == reply.key]
    same = {plain(one.entries[-1].text) for one in earlier}
    return plain(reply.entries[-1].text) in same or asked_before(reply.questions[-1], asked)


def _leads(reply: Reply) -> bool:
    leading = patterns("leading", reply.turn.session.language)
    asked = (one.casefold().replace("’", "'").lstrip("«“\"'¿ ") for one in reply.questions)
    return any(pattern.search(one) for one in asked for pattern in leading)


def _praises(reply: Reply) -> bool:
    language = reply.turn.session.language
    cut = any(without_praise(one, language) != one for one in reply.sentences())
    return cut or "praise" in _fired(reply)


def _fired(reply: Reply) -> set[str]:
    spoken = [one for one in reply.entries if one.kind not in (EntryKind.INTRO, EntryKind.CARE)]
    limits = Limits(reply.turn.session.language)
    return {
        firing.guard
        for entry in spoken
        for sentence in spaced_sentences(entry.text)
        if not ends_asking(sentence)
        for firing in check_statement(sentence, limits).firings
    }


# -- natural, robust, cost


def _natural(interview: Interview) -> dict[str, Pair]:
    replies = [one for one in interview.replies if one.answer]
    said = sum(word_count(one.answer.text) for one in interview.turns)
    spoken = sum(word_count(one.text) for one in interview.replies)
    openings = [" ".join(plain(one.text).split()[:OPENING]) for one in replies]
    taken_in = [plain(one.statement) for one in replies if one.statement]
    questions = sum(len(one.questions) for one in replies)
    return {
        "words": (said, spoken),
        "openings": (len(openings) - len({*openings}), len(openings)),
        "acknowledgements": (len(taken_in) - len({*taken_in}), len(taken_in)),
        "reflections": (len(taken_in), questions),
    }


def _robust(interview: Interview) -> dict[str, Pair]:
    replies, over = interview.replies, not interview.session.is_active
    ends = [one for place, one in enumerate(replies) if _is_dead_end(interview, place)]
    for one in ends:
        interview.note("dead_end", one)
    if not over and replies:
        interview.note("endless", replies[-1])
    failed = [one for one in replies if one.turn.source == Source.FALLBACK and one.called]
    unasked = [one for one in replies if one.turn.source in (RULES, Source.FALLBACK)]
    guarded = sum(bool(one.turn.decision.get("firings")) for one in replies)
    return {
        "dead_ends": (len(ends), len(replies)),
        "endless": (not over, 1),
        "by_guard": (guarded, len(replies)),
        "by_fallback": (len(failed), len(replies)),
        "by_rules": (len(unasked) - len(failed), len(replies)),
    }


def _is_dead_end(interview: Interview, place: int) -> bool:
    """Return whether nothing was asked though the interview goes on, or the same for long."""
    reply = interview.replies[place]
    last = place == len(interview.replies) - 1
    if reply.reason == TURN_FAILED or not reply.entries:
        return True
    if not (last and not interview.session.is_active) and not reply.questions:
        return reply.entries[-1].kind in SHOWS_NO_QUESTION
    run = interview.replies[max(0, place - STUCK + 1) : place + 1]
    same = {plain(one.questions[-1]) if one.questions else str(one.turn.pk) for one in run}
    return len(run) == STUCK and len(same) == 1


def _cost(interview: Interview) -> dict[str, Pair]:
    session, replies = interview.session, interview.replies
    tokens = F("input_tokens") + F("cache_read_tokens") + F("cache_write_tokens")
    sums = calls_of(session).aggregate(
        n=Count("pk"),
        tokens=Sum(tokens + F("output_tokens")),
        unpriced=Count("pk", filter=Q(cost=None)),
        cost=Sum("cost"),
    )
    waits = [one.turn.first_word_ms or one.turn.total_ms or 0 for one in replies if one.called]
    seconds = (replies[-1].turn.received_at - session.started_at).total_seconds() if replies else 0
    return {
        "turns": (len(interview.turns), 1),
        "minutes": (seconds / 60, 1),
        "calls": (sums["n"], 1),
        "tokens": (sums["tokens"] or 0, 1),
        "money": (float(sums["cost"] or 0), not sums["unpriced"]),
        "wait": (sum(waits) / 1000, len(waits)),
    }


def _questions(interview: Interview) -> dict[str, QuestionCount]:
    found: dict[str, QuestionCount] = {}
    for reply, turn in zip(interview.replies, interview.turns, strict=False):
        key, unclear = reply.key or plain(reply.question), turn.answer.act in UNCLEAR
        known = found.get(key) or QuestionCount(text=reply.question[:LONGEST])
        counts = {"asked": known.asked + 1, "unclear": known.unclear + unclear}
        found[key] = known.model_copy(update=counts)
    return found
