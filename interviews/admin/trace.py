"""An interview as its page shows it: what was said, and how each turn came about."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.template.defaultfilters import pluralize

from interviews.admin.base import STATUS_BADGES
from interviews.admin.extensions import PageExtension
from interviews.admin.querysets import marks, minutes, progress, who
from interviews.choices import EntryKind, SpeakerRole
from interviews.engine import strikes
from interviews.exports.reasons import reason_text
from interviews.exports.tables.answers import LEFT_OUT
from interviews.exports.tables.transcripts import SOURCES
from interviews.measures.effort import efforts_of
from interviews.measures.ratings import MARKS, rating_of
from interviews.models import Paradata, Session, TranscriptEntry, Turn
from llm.languages import language_name
from llm.models import LLMCall
from plans.models import Plan

MEASURED = "interviews.view_paradata"
SHOWN_ELSEWHERE = frozenset({"notes", "names"})  # fields of the state


@dataclass(frozen=True)
class TraceStep:
    turn: Turn
    heard: TranscriptEntry | None
    said: tuple[TranscriptEntry, ...]
    why: str
    source: str
    readings: tuple[Mapping[str, Any], ...]
    firings: tuple[Mapping[str, str], ...]
    left_out: Mapping[str, str]
    details: Mapping[str, Any]
    calls: tuple[LLMCall, ...]
    told: tuple[str, ...] = ()  # HTML of the protocol
    under_answer: tuple[str, ...] = ()  # HTML of the protocol
    written: str = ""  # how its answer was written

    @property
    def running(self) -> bool:
        return self.turn.status == Turn.Status.RUNNING


def session_page(
    session: Session, parts: Sequence[PageExtension], measured: bool
) -> dict[str, Any]:
    """Return the interview's page, in a fixed number of queries.

    Where a part withholds something, readings and decisions are hidden.
    """
    withheld = any(part.withheld for part in parts)
    entries = list(session.entries.select_related("paradata").order_by("position"))
    calls = list(LLMCall.objects.filter(session=str(session.pk)).order_by("created_at", "id"))
    steps = _steps(session, entries, calls)
    if withheld:
        steps = [replace(step, readings=(), details={}, firings=()) for step in steps]
    efforts = efforts_of([session.pk]).get(session.pk, {}) if measured else {}
    steps = [_extend(step, parts, measured) for step in steps]
    finished = [step for step in steps if not step.running]
    return {
        "session": session,
        "who": who(session),
        "tone": STATUS_BADGES.get(session.get_status_display(), ""),
        "language": language_name(session.language),
        "plan_version": Plan.objects.values_list("number", flat=True).get(pk=session.plan_id),
        "marks": marks(session),
        "progress": progress(session),
        "minutes": minutes(session),
        "answers": sum(entry.kind == EntryKind.USER_ANSWER for entry in entries),
        "finished": finished,
        "under_way": [step for step in steps if step.running],
        "last": max((step.turn.number for step in finished), default=-1),
        "notes": list(session.notes.select_related("entry").order_by("entry__position", "id")),
        "state": {} if withheld else _remaining_state(session, parts),
        "spent": _model_use(calls),
        "panels": [panel for part in parts if (panel := part.panel())],
        "figures": [figure for part in parts for figure in part.figures()],
        "rating": _rating_text(session),
        "withheld": withheld,  # judgements, because the user may not see them
        "rated": len(efforts),
        "hurried": [  # position and why
            (position, "; ".join(str(sign.label) for sign in effort.signs))
            for position, effort in efforts.items()
            if effort.hurried
        ],
    }


def _rating_text(session: Session) -> str:
    rating, highest = rating_of(session), MARKS[-1]
    if rating is None:
        return ""
    marks = {"felt listened to": rating.heard, "could say what mattered": rating.ease}
    return ", ".join(f"{what}: {mark} of {highest}" for what, mark in marks.items() if mark)


def _remaining_state(session: Session, parts: Iterable[PageExtension]) -> dict[str, Any]:
    elsewhere = SHOWN_ELSEWHERE.union(*(part.own_state for part in parts))
    return {name: value for name, value in session.state.items() if name not in elsewhere}


def _extend(step: TraceStep, parts: Sequence[PageExtension], measured: bool) -> TraceStep:
    told, details = [], step.details
    for part in parts:
        html, details = part.trace(step.turn, details)
        told.append(html)
    step = replace(step, told=tuple(told), details=details)
    if step.heard is None:
        return step
    paradata: Paradata | None = getattr(step.heard, "paradata", None) if measured else None
    return replace(
        step,
        under_answer=tuple(part.under_answer(step.heard) for part in parts),
        written="; ".join(_measures(paradata)).capitalize() if paradata else "",
    )


def _steps(
    session: Session, entries: Iterable[TranscriptEntry], calls: Iterable[LLMCall]
) -> list[TraceStep]:
    entries_of: dict[int, list[TranscriptEntry]] = defaultdict(list)
    calls_of: dict[int | None, list[LLMCall]] = defaultdict(list)
    for entry in entries:
        entries_of[entry.turn_id].append(entry)
    for call in calls:
        calls_of[call.turn].append(call)
    turns = session.turns.order_by("number")
    return [_step(turn, entries_of[turn.pk], calls_of[turn.number]) for turn in turns]


def _step(turn: Turn, entries: list[TranscriptEntry], calls: list[LLMCall]) -> TraceStep:
    heard = next((entry for entry in entries if entry.role == SpeakerRole.PARTICIPANT), None)
    details = dict(turn.decision.get("details", {}))
    return TraceStep(
        turn=turn,
        heard=heard,
        said=tuple(entry for entry in entries if entry is not heard),
        why=reason_text(turn.decision.get("reason", "")),
        source=SOURCES.get(turn.source, turn.source),
        readings=tuple(
            {**one, "key": key, "source": SOURCES.get(one["source"], one["source"])}
            for key, one in turn.readings.items()
            if key != strikes.KEY
        ),
        firings=tuple(turn.decision.get("firings", ())),
        left_out={key: text for name, text in LEFT_OUT.items() for key in details.pop(name, ())},
        details={name: value for name, value in details.items() if value not in ("", None, {}, [])},
        calls=tuple(calls),
    )


def _model_use(calls: list[LLMCall]) -> dict[str, Any]:
    prices = [call.cost for call in calls if call.cost is not None]
    tokens = sum(
        call.input_tokens + call.output_tokens + call.cache_read_tokens + call.cache_write_tokens
        for call in calls
    )
    cost = sum(prices, Decimal()) if prices else None
    return {"calls": len(calls), "tokens": tokens, "cost": cost}


def _measures(row: Paradata) -> Iterator[str]:
    """Yield how an answer was written, without what is 0 or unknown."""
    if row.response_ms is not None:
        begun = "" if row.first_key_ms is None else f", started after {_duration(row.first_key_ms)}"
        yield f"after {_duration(row.response_ms)}{begun}"
    if row.edits:
        yield f"{row.edits} change{pluralize(row.edits)}"
    if row.pasted_characters:
        yield f"{row.pasted_characters} character{pluralize(row.pasted_characters)} pasted"
    if row.focus_losses:
        times = f"{row.focus_losses} time{pluralize(row.focus_losses)}"
        yield f"page left {times}, for {_duration(row.away_ms or 0)}"
    if row.dictated:
        yield "partly dictated"


def _duration(milliseconds: int) -> str:
    whole = round(milliseconds / 1000)
    if whole < 120:
        return f"{whole} s"
    return f"{round(whole / 60)} min" if whole < 7200 else f"{round(whole / 3600)} h"
