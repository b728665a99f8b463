"""An interview as its page shows it: what was said, and how each turn came about."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from interviews.admin.answer_manner import NOTHING, AnswerManner, written_in
from interviews.admin.base import STATUS_BADGES
from interviews.admin.extensions import PageExtension
from interviews.admin.querysets import marks, minutes, progress, who
from interviews.admin.ratings import rating_told
from interviews.choices import EntryKind, SpeakerRole
from interviews.exports.reasons import reason_text
from interviews.exports.tables.transcripts import SOURCES
from interviews.models import Note, Session, TranscriptEntry, Turn
from llm.models import LLMCall
from plans.models import Plan
from plans.text.languages import language_name

ELSEWHERE = frozenset({"notes"})  # fields of the state with a place of their own on the page


@dataclass(frozen=True)
class TaskReading:
    key: str
    task: str
    source: str
    reason: str
    value: Any


@dataclass(frozen=True)
class TraceStep:
    turn: Turn
    heard: TranscriptEntry | None
    said: tuple[TranscriptEntry, ...]
    why: str
    source: str
    readings: tuple[TaskReading, ...]
    firings: tuple[Mapping[str, str], ...]
    left_out: Mapping[str, str]
    details: Mapping[str, Any]
    calls: tuple[LLMCall, ...]
    told: tuple[str, ...] = ()  # by the protocol, as HTML
    under_answer: tuple[str, ...] = ()  # the same, under what the participant said
    written: str = ""  # how its answer came about

    @property
    def running(self) -> bool:
        return self.turn.status == Turn.Status.RUNNING


@dataclass(frozen=True)
class ModelUse:
    calls: int
    tokens: int
    cost: Decimal | None


@dataclass(frozen=True)
class SessionPage:
    session: Session
    who: str
    tone: str
    language: str
    plan_version: int
    marks: Mapping[str, str]
    progress: str
    minutes: int
    answers: int
    steps: list[TraceStep]
    notes: list[Note]
    state: Mapping[str, Any]
    spent: ModelUse
    panels: list[str]  # of the protocol, as HTML
    figures: list[tuple[str, str]]  # the same, with their labels
    rating: str  # how it was for the participant
    withheld: bool  # what was judged, since whoever looks has no right to it
    written: AnswerManner  # how its answers came about; nothing for who may not see that


def page_of(session: Session, parts: Sequence[PageExtension], measured: bool) -> SessionPage:
    """Return the interview's page, in a fixed number of queries.

    Where a part withholds something, nothing is shown of what was read and decided.
    """
    withheld = any(part.withheld for part in parts)
    entries = list(session.entries.order_by("position"))
    calls = list(LLMCall.objects.filter(session=str(session.pk)).order_by("created_at", "id"))
    steps = _steps(session, entries, calls)
    steps = [_extended(_without(one) if withheld else one, parts) for one in steps]
    turns = [one.turn for one in steps]
    written = written_in(session, entries, turns) if measured else NOTHING
    steps = [_written(one, written) for one in steps]
    return SessionPage(
        session=session,
        who=who(session),
        tone=STATUS_BADGES.get(session.get_status_display(), ""),
        language=language_name(session.language),
        plan_version=Plan.objects.values_list("number", flat=True).get(pk=session.plan_id),
        marks=marks(session),
        progress=progress(session),
        minutes=minutes(session),
        answers=sum(entry.kind == EntryKind.USER_ANSWER for entry in entries),
        steps=steps,
        notes=list(session.notes.select_related("entry").order_by("entry__position", "id")),
        state={} if withheld else _inside(session, parts),
        spent=_spent(calls),
        panels=[panel for part in parts if (panel := part.panel())],
        figures=[figure for part in parts for figure in part.figures()],
        rating=rating_told(session),
        withheld=withheld,
        written=written,
    )


def _inside(session: Session, parts: Iterable[PageExtension]) -> dict[str, Any]:
    elsewhere = ELSEWHERE.union(*(part.own_state for part in parts))
    return {name: value for name, value in session.state.items() if name not in elsewhere}


def _extended(step: TraceStep, parts: Iterable[PageExtension]) -> TraceStep:
    told, details, under = [], step.details, []
    for part in parts:
        html, details = part.trace(step.turn, details)
        told.append(html)
        under.append(part.under_answer(step.heard) if step.heard else "")
    return replace(
        step,
        told=tuple(told),
        under_answer=tuple(under),
        details=details,
    )


def _written(step: TraceStep, written: AnswerManner) -> TraceStep:
    position = step.heard.position if step.heard else 0
    return replace(step, written=written.measures.get(position, ""))


def _without(step: TraceStep) -> TraceStep:
    return replace(step, readings=(), details={}, firings=())


def _steps(
    session: Session, entries: Iterable[TranscriptEntry], calls: Iterable[LLMCall]
) -> list[TraceStep]:
    said: dict[int, list[TranscriptEntry]] = defaultdict(list)
    asked: dict[int | None, list[LLMCall]] = defaultdict(list)
    for entry in entries:
        said[entry.turn_id].append(entry)
    for call in calls:
        asked[call.turn].append(call)
    turns = session.turns.order_by("number")
    return [_step(turn, said[turn.pk], asked[turn.number]) for turn in turns]


def _step(turn: Turn, entries: list[TranscriptEntry], calls: list[LLMCall]) -> TraceStep:
    heard = next((entry for entry in entries if entry.role == SpeakerRole.PARTICIPANT), None)
    details = dict(turn.decision.get("details", {}))
    return TraceStep(
        turn=turn,
        heard=heard,
        said=tuple(entry for entry in entries if entry is not heard),
        why=reason_text(turn.decision.get("reason", "")),
        source=SOURCES.get(turn.source, turn.source),
        readings=tuple(_reading(key, kept) for key, kept in turn.readings.items()),
        firings=tuple(turn.decision.get("firings", ())),
        left_out=details.pop("skipped", {}),
        details={name: value for name, value in details.items() if value not in ("", None, {}, [])},
        calls=tuple(calls),
    )


def _reading(key: str, kept: Mapping[str, Any]) -> TaskReading:
    source = SOURCES.get(kept["source"], kept["source"])
    return TaskReading(key, kept["task"], source, kept["reason"], kept["value"])


def _spent(calls: list[LLMCall]) -> ModelUse:
    prices = [call.cost for call in calls if call.cost is not None]
    tokens = sum(
        call.input_tokens + call.output_tokens + call.cache_read_tokens + call.cache_write_tokens
        for call in calls
    )
    return ModelUse(len(calls), tokens, sum(prices, Decimal()) if prices else None)
