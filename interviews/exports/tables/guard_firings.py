"""One row each time that a guard replaced something a model had said."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, NamedTuple

from interviews.choices import SpeakerRole
from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import TranscriptUtterance, TurnMade, conversations


class GuardFiringRow(NamedTuple):
    """One firing, with the turn that it happened in and what was said in its stead."""

    session: ExportedSession
    turn: Annotated[int, "Number of the turn."]
    at: Annotated[datetime, "When the reply was given."]
    guard: Annotated[str | None, "The rule."]
    because: Annotated[str | None, "What was wrong."]
    before: Annotated[str | None, "What the model had proposed."]
    said: Annotated[str, "The whole reply as it was given."]


def rows(chosen: Selection) -> Iterator[GuardFiringRow]:
    """Every firing of every finished turn."""
    for batch in batches(chosen.with_content()):
        for session, said, turns in conversations(batch):
            for turn in turns:
                yield from _fired(session, turn, said)


def _fired(
    session: ExportedSession, turn: TurnMade, said: list[TranscriptUtterance]
) -> Iterator[GuardFiringRow]:
    firings = turn.decision.get("firings", ())
    reply = "\n\n".join(_reply(turn, said)) if firings else ""
    for firing in firings:
        yield GuardFiringRow(
            session,
            turn.number,
            turn.spoken_at,
            guard=firing.get("guard"),
            because=firing.get("reason"),
            before=firing.get("before"),
            said=reply,
        )


def _reply(turn: TurnMade, said: list[TranscriptUtterance]) -> Iterator[str]:
    for one in said:
        if one.turn == turn.number and one.role == SpeakerRole.INTERVIEWER:
            yield one.text


GUARD_FIRINGS = Table(
    "guard_firings",
    "One row each time that a rule replaced something a model had proposed to say.",
    columns_of(GuardFiringRow),
    rows,
)
