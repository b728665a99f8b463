"""How far each topic of an interview was covered. By rules, for every protocol.

If the protocol keeps topics, its own figures are used; otherwise the sections of the script or the
questions of the backlog are the topics, and their questions the sub-goals.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Literal

from interviews.choices import DECLINED, EntryKind, SpeakerRole
from interviews.engine.signal import INSIGHT_FROM, score, snippet
from interviews.models import Session
from plans.text import word_count
from reflections.evidence.material import ASIDE, transcript_of
from reflections.evidence.topics import Topic, topics_of
from reflections.evidence.transcript import Transcript, TranscriptLine
from reflections.evidence.types import StoredModel

Extent = Literal["none", "partial", "full"]


class TopicRow(StoredModel):
    key: str
    label: str
    turns: int  # on it, bonus turns among them
    bonus_turns: int = 0  # that rich answers earned
    deepening_turns: int = 0  # when coming back
    signal: float = 0.0  # how much its answers give, 0 to 1, on average
    sub_goals: int = 0
    covered: int = 0  # sub-goals that were talked about
    coverage: Extent = "none"
    answers: int = 0
    skipped: int = 0  # by the participant
    left_out: int = 0  # by the interviewer, since it was known already
    words: int = 0
    key_insight: str = ""


class Totals(StoredModel):
    """All topics together.

    Answers and words are those of the whole interview. Turns are summed over topics, so one that
    served two counts twice.
    """

    topics: int
    none: int
    partial: int
    full: int
    turns: int
    sub_goals: int
    covered: int
    answers: int
    elsewhere: int  # answers that belong to no topic
    skipped: int
    words: int
    signal: float


class Coverage(StoredModel):
    language: str
    topics: tuple[TopicRow, ...]
    totals: Totals
    made_by: Literal["rules"] = "rules"


@dataclass(frozen=True, slots=True)
class _Unanswered:
    skipped: Counter[str]  # times by the question that was open
    left_out: frozenset[str]


def coverage(session: Session) -> dict[str, Any]:
    transcript = transcript_of(session)
    unanswered = _find_unanswered(session)
    topics = topics_of(session, transcript)
    rows = tuple(_topic_row(topic, transcript, unanswered) for topic in topics)
    totals = _totals(rows, _answers_elsewhere(topics, transcript), transcript, unanswered)
    result = Coverage(language=session.language, topics=rows, totals=totals)
    return result.model_dump(mode="json")


def _find_unanswered(session: Session) -> _Unanswered:
    skipped: Counter[str] = Counter()
    open_question = ""
    for role, kind, question, reason in session.entries.order_by("position").values_list(
        "role", "kind", "question", "turn__decision__reason"
    ):
        if role == SpeakerRole.PARTICIPANT and (kind == EntryKind.SKIP or reason in DECLINED):
            skipped[open_question] += 1
        elif role == SpeakerRole.INTERVIEWER:
            open_question = "" if kind in ASIDE else question or open_question
    met = session.turns.values_list("decision__details__met", flat=True)
    return _Unanswered(skipped, frozenset(key for keys in met for key in keys or ()))


def _topic_row(topic: Topic, transcript: Transcript, unanswered: _Unanswered) -> TopicRow:
    answers = _answers(line for line in transcript.lines if topic.holds(line))
    skipped = sum(unanswered.skipped[key] for key in topic.questions)
    said = {line.question for line in answers} | topic.answered
    left_out = sum(key in unanswered.left_out and key not in said for key in topic.planned)
    covered = left_out + sum(key in said for key in topic.planned)
    row = TopicRow(
        key=topic.key,
        label=topic.label,
        turns=len(answers) + skipped,
        signal=_signal(answers, transcript.language),
        sub_goals=len(topic.planned),
        covered=covered,
        coverage=_extent(covered, len(topic.planned), bool(answers)),
        answers=len(answers),
        skipped=skipped,
        left_out=left_out,
        words=_word_count(answers),
        key_insight=_key_insight(answers, transcript.language),
    )
    own = topic.coverage
    if own is None:
        return row
    known = {"signal": own.engagement, "key_insight": own.key_insight or row.key_insight}
    return TopicRow.model_validate({**dict(row), **asdict(own), **known})


def _answers(lines: Iterable[TranscriptLine]) -> list[TranscriptLine]:
    return [line for line in lines if line.role == SpeakerRole.PARTICIPANT]


def _answers_elsewhere(topics: Sequence[Topic], transcript: Transcript) -> int:
    answers = _answers(transcript.lines)
    return sum(not any(topic.holds(line) for topic in topics) for line in answers)


def _totals(
    rows: Sequence[TopicRow], elsewhere: int, transcript: Transcript, unanswered: _Unanswered
) -> Totals:
    answers = _answers(transcript.lines)
    extents = Counter(row.coverage for row in rows)
    return Totals(
        topics=len(rows),
        none=extents["none"],
        partial=extents["partial"],
        full=extents["full"],
        turns=sum(row.turns for row in rows),
        sub_goals=sum(row.sub_goals for row in rows),
        covered=sum(row.covered for row in rows),
        answers=len(answers),
        elsewhere=elsewhere,
        skipped=unanswered.skipped.total(),
        words=_word_count(answers),
        signal=_signal(answers, transcript.language),
    )


def _extent(covered: int, planned: int, answered: bool) -> Extent:
    """Full if all that was planned was covered, or if nothing was planned and something said."""
    if covered == planned and (planned or answered):
        return "full"
    return "partial" if covered or answered else "none"


def _signal(answers: Sequence[TranscriptLine], language: str) -> float:
    return round(fmean(score(one.text, language) for one in answers), 3) if answers else 0.0


def _word_count(answers: Iterable[TranscriptLine]) -> int:
    return sum(word_count(one.text) for one in answers)


def _key_insight(answers: Sequence[TranscriptLine], language: str) -> str:
    best = max((one.text for one in answers), key=lambda text: score(text, language), default="")
    return snippet(best, language) if score(best, language) >= INSIGHT_FROM else ""
