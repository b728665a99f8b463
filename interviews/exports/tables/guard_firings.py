from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import INTERVIEWER, conversations


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
            fired = [
                (turn, firing) for turn in turns for firing in turn.decision.get("firings", ())
            ]
            for turn, firing in fired:
                place = (turn.number, INTERVIEWER)
                own = (one.text for one in said if (one.turn, one.role) == place)
                yield GuardFiringRow(
                    session,
                    turn.number,
                    turn.spoken_at,
                    guard=firing.get("guard"),
                    because=firing.get("reason"),
                    before=firing.get("before"),
                    said="\n\n".join(own),
                )


GUARD_FIRINGS = Table(
    "guard_firings",
    "One row each time that a rule replaced something a model had proposed to say.",
    columns_of(GuardFiringRow),
    rows,
)
