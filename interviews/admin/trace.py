"""An interview as its page shows it: what was said, and how each turn came about."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from interviews.admin.base import STATUS_BADGES
from interviews.admin.graph_choice import Choice, GraphNames, Link, choice_of, without_choice
from interviews.admin.listing import marks, minutes, progress, who
from interviews.admin.rated import rating_told
from interviews.admin.written import NOTHING, Written, written_in
from interviews.engine.types import Observed
from interviews.exports.reasons import in_plain_words
from interviews.exports.tables.transcripts import SOURCES
from interviews.models import Note, Session, TranscriptEntry, Turn
from interviews.observations import observed_in
from interviews.words import Kind, Role
from llm.models import LLMCall
from plans.languages import language_name
from plans.models import Plan

RIGHT = "interviews.view_observations"
ELSEWHERE = {
    "notes",
    "observations",
    "items",
    "facts",
    "graph",
    "nodes",
}  # parts of the state that have a place of their own on the page


@dataclass(frozen=True)
class Reading:
    """What one task made of the answer."""

    key: str
    task: str
    source: str
    reason: str
    value: Any


@dataclass(frozen=True)
class Step:
    """One turn: what the participant did, what was replied, and why."""

    turn: Turn
    heard: TranscriptEntry | None
    said: tuple[TranscriptEntry, ...]
    why: str
    source: str
    readings: tuple[Reading, ...]
    firings: tuple[Mapping[str, str], ...]
    left_out: Mapping[str, str]
    details: Mapping[str, Any]
    calls: tuple[LLMCall, ...]
    judged: Observed | None = None
    choice: Choice | None = None  # where a graph leads
    nodes: tuple[Link, ...] = ()  # of the graph that its answer speaks of
    written: str = ""  # how its answer came about

    @property
    def running(self) -> bool:
        """Whether the interviewer is still at it."""
        return self.turn.status == Turn.Status.RUNNING


@dataclass(frozen=True)
class Spent:
    """What the models of an interview took."""

    calls: int
    tokens: int
    cost: Decimal | None


@dataclass(frozen=True)
class Page:
    """All that the page shows."""

    session: Session
    who: str
    tone: str
    language: str
    plan_version: int
    marks: Mapping[str, str]
    progress: str
    minutes: int
    answers: int
    steps: list[Step]
    notes: list[Note]
    state: Mapping[str, Any]
    spent: Spent
    nodes: int  # of its graph
    rating: str  # how it was for the participant
    withheld: bool  # what was judged, since whoever looks has no right to it
    written: Written  # how its answers came about; nothing for who may not see that


def page_of(session: Session, judged: bool = True, measured: bool = True) -> Page:
    """The interview's page, in a handful of queries however long it is.

    Where answers are judged, who may not see that (`judged` is false) sees nothing of what was
    read in them and decided by it either.
    """
    observed = observed_in(session)
    withheld = bool(observed) and not judged
    entries = list(session.entries.order_by("position"))
    calls = list(LLMCall.objects.filter(session=str(session.pk)).order_by("created_at", "id"))
    steps = _steps(session, entries, calls)
    steps = [_without(one) if withheld else _with(one, observed) for one in steps]
    names = GraphNames(session)
    steps = [_led(one, names) for one in steps]
    turns = [one.turn for one in steps]
    written = written_in(session, entries, turns) if measured else NOTHING
    steps = [_written(one, written) for one in steps]
    return Page(
        session=session,
        who=who(session),
        tone=STATUS_BADGES.get(session.get_status_display(), ""),
        language=language_name(session.language),
        plan_version=Plan.objects.values_list("number", flat=True).get(pk=session.plan_id),
        marks=marks(session),
        progress=progress(session),
        minutes=minutes(session),
        answers=sum(entry.kind == Kind.USER_ANSWER for entry in entries),
        steps=steps,
        notes=list(session.notes.select_related("entry").order_by("entry__position", "id")),
        state={} if withheld else {k: v for k, v in session.state.items() if k not in ELSEWHERE},
        spent=_spent(calls),
        nodes=len(names.nodes),
        rating=rating_told(session),
        withheld=withheld,
        written=written,
    )


def _with(step: Step, observed: Iterable[Observed]) -> Step:
    """With what was judged of its answer."""
    found = (one for one in observed if one.turn == step.turn.number)
    return replace(step, judged=next(found, None))


def _led(step: Step, names: GraphNames) -> Step:
    """With what its answer brought to the graph, and what the graph led to."""
    choice = choice_of(step.details, names)
    return replace(
        step,
        choice=choice,
        nodes=tuple(names.said_at(step.heard.position)) if step.heard else (),
        details=without_choice(step.details) if choice else step.details,
    )


def _written(step: Step, written: Written) -> Step:
    """With how its answer came about."""
    position = step.heard.position if step.heard else 0
    return replace(step, written=written.measures.get(position, ""))


def _without(step: Step) -> Step:
    """Without anything that tells what was judged."""
    return replace(step, readings=(), details={}, firings=())


def _steps(
    session: Session, entries: Iterable[TranscriptEntry], calls: Iterable[LLMCall]
) -> list[Step]:
    said: dict[int, list[TranscriptEntry]] = defaultdict(list)
    asked: dict[int | None, list[LLMCall]] = defaultdict(list)
    for entry in entries:
        said[entry.turn_id].append(entry)
    for call in calls:
        asked[call.turn].append(call)
    turns = session.turns.order_by("number")
    return [_step(turn, said[turn.pk], asked[turn.number]) for turn in turns]


def _step(turn: Turn, entries: list[TranscriptEntry], calls: list[LLMCall]) -> Step:
    heard = next((entry for entry in entries if entry.role == Role.PARTICIPANT), None)
    details = dict(turn.decision.get("details", {}))
    return Step(
        turn=turn,
        heard=heard,
        said=tuple(entry for entry in entries if entry is not heard),
        why=in_plain_words(turn.decision.get("reason", "")),
        source=SOURCES.get(turn.source, turn.source),
        readings=tuple(_reading(key, kept) for key, kept in turn.readings.items()),
        firings=tuple(turn.decision.get("firings", ())),
        left_out=details.pop("skipped", {}),
        details={name: value for name, value in details.items() if value not in ("", None, {}, [])},
        calls=tuple(calls),
    )


def _reading(key: str, kept: Mapping[str, Any]) -> Reading:
    source = SOURCES.get(kept["source"], kept["source"])
    return Reading(key, kept["task"], source, kept["reason"], kept["value"])


def _spent(calls: list[LLMCall]) -> Spent:
    prices = [call.cost for call in calls if call.cost is not None]
    tokens = sum(
        call.input_tokens + call.output_tokens + call.cache_read_tokens + call.cache_write_tokens
        for call in calls
    )
    return Spent(len(calls), tokens, sum(prices, Decimal()) if prices else None)
