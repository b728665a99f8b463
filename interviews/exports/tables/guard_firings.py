from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import (
    INTERVIEWER,
    FinishedTurn,
    TranscriptUtterance,
    conversations,
)


class GuardFiringRow(NamedTuple):
    session: ExportedSession
    turn: Annotated[int, "Number of the turn."]
    at: Annotated[datetime, "When the reply was given."]
    guard: Annotated[str | None, "The rule."]
    because: Annotated[str | None, "What was wrong."]
    before: Annotated[str | None, "What the model had proposed."]
    said: Annotated[str, "The whole reply as it was given."]


def rows(selection: Selection) -> Iterator[GuardFiringRow]:
    for batch in batches(selection.with_content()):
        for session, said, turns in conversations(batch):
            for turn in turns:
                yield from _firing_rows(session, turn, said)


def _firing_rows(
    session: ExportedSession, turn: FinishedTurn, said: list[TranscriptUtterance]
) -> Iterator[GuardFiringRow]:
    firings = turn.decision.get("firings", ())
    if not firings:
        return
    own = [one.text for one in said if (one.turn, one.role) == (turn.number, INTERVIEWER)]
    reply = "\n\n".join(own)
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


GUARD_FIRINGS = Table(
    "guard_firings",
    "One row each time that a rule replaced something a model had proposed to say.",
    columns_of(GuardFiringRow),
    rows,
)
