"""One row an answer that was judged, with all that the judges thought. With a right of its own."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, runtime_checkable

from interviews.engine.types import Observed
from interviews.exports.columns import Column, Table, Type
from interviews.exports.planned import Scripted
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, keys, session_columns
from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.store import plan_content

STATUSES = {
    "confirmed": "the answer shows that it is known",
    "gap": "it shows that it is not",
    "hallucination_suspect": "it claims a thing that does not exist",
}
ACTIONS = {
    "increase": "the next question is to be harder",
    "same": "as hard",
    "decrease": "easier",
}
LENGTHS = dict.fromkeys(("short", "medium", "long"), "")


@runtime_checkable
class _Expecting(Protocol):
    """A question that says what a good answer holds."""

    text: str
    expected: str


class Judged(NamedTuple):
    """One answer of one interview."""

    session: Facts
    one: Observed

    @property
    def flags(self) -> str:
        """The flags with their reasons, a line each."""
        return "\n".join(f"{flag}: {why}".strip(": ") for flag, why in self.one.flags.items())

    @property
    def expected(self) -> str:
        """What a good answer holds, where the plan says so."""
        return _expected(self.session.session.plan_id, self.session.language).get(
            self.one.question, ""
        )


def rows(chosen: Selection) -> Iterator[Judged]:
    """Every answer that was judged, in the order of the interview."""
    for batch in batches(chosen.with_content()):
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for facts in batch:
            for one in _observed(facts, states[facts.session.pk]):
                yield Judged(facts, one)


def _observed(facts: Facts, state: dict[str, Any]) -> tuple[Observed, ...]:
    protocol = PROTOCOLS[plan_content(facts.session.plan_id).protocol]
    return protocol.observed(protocol.state.model_validate(state)) if state else ()


@lru_cache(maxsize=256)
def _expected(plan_id: int, language: str) -> dict[str, str]:
    """A question's words -> what a good answer holds."""
    material = plan_content(plan_id).material
    if not isinstance(material, Scripted) or not material.scripts:
        return {}
    script = material.scripts.get(language) or next(iter(material.scripts.values()))
    return {one.text: one.expected for one in script.questions if isinstance(one, _Expecting)}


def _of(name: str) -> Callable[[Judged], Any]:
    return attrgetter(f"one.{name}")


def _flag(name: str) -> Callable[[Judged], bool]:
    return lambda row: name in row.one.flags


def _thought(who: str) -> Callable[[Judged], str]:
    return lambda row: row.one.thoughts.get(who, "")


OBSERVATIONS: Table[Judged] = Table(
    "observations",
    "One row an answer that was judged, with scores, reasons, thoughts and what was expected. For "
    "reviewers and researchers; participants never see any of it.",
    (
        *session_columns(),
        Column("position", Type.INTEGER, "Place of the answer in the transcript.", _of("position")),
        Column("turn", Type.INTEGER, "The turn in which it was given.", _of("turn")),
        Column("topic", Type.STRING, "The topic's key.", _of("topic")),
        Column("level", Type.INTEGER, "How hard the question was, from 1 to 5.", _of("level")),
        Column("question", Type.STRING, "The question as it was asked.", _of("question")),
        Column(
            "expected",
            Type.STRING,
            "What a good answer holds, for questions of the list; empty for others.",
            attrgetter("expected"),
        ),
        Column(
            "scored",
            Type.BOOLEAN,
            "Whether it counts: not the account of experience, questions back and wishes to stop.",
            _of("scored"),
        ),
        Column("correctness", Type.NUMBER, "How right it is, from 0 to 1.", _of("correctness")),
        Column("confidence", Type.NUMBER, "How sure it sounds, from 0 to 1.", _of("confidence")),
        Column("judged_as", Type.STRING, "What it shows.", _of("status"), STATUSES),
        Column("action", Type.STRING, "What it means for what follows.", _of("action"), ACTIONS),
        Column("notes", Type.STRING, "The observer's note.", _of("notes")),
        Column(
            "correct_answer",
            Type.STRING,
            "What would have been right, where something was missed.",
            _of("correct_answer"),
        ),
        Column(
            "hallucination",
            Type.BOOLEAN,
            "Whether it claims a thing that does not exist.",
            _flag("hallucination"),
        ),
        Column("off_topic", Type.BOOLEAN, "Whether it strays.", _flag("off_topic")),
        Column("role_reversal", Type.BOOLEAN, "Whether it asks back.", _flag("role_reversal")),
        Column("stop_intent", Type.BOOLEAN, "Whether it wishes to stop.", _flag("stop_intent")),
        Column("flags", Type.STRING, "All flags with their reasons.", attrgetter("flags")),
        Column("verbosity", Type.STRING, "How long it is.", _of("verbosity"), LENGTHS),
        Column("examples", Type.BOOLEAN, "Whether it uses an example.", _of("examples")),
        Column(
            "observer_thoughts", Type.STRING, "What the observer thought.", _thought("observer")
        ),
        Column(
            "interviewer_thoughts",
            Type.STRING,
            "Why the interviewer had asked that question.",
            _thought("interviewer"),
        ),
        Column("judged_by", Type.STRING, "Who judged: a model, or rules.", _of("source")),
    ),
    rows,
    shared=SHARED,
    right="interviews.view_observations",
)
