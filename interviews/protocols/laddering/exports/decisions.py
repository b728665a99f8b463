from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from interviews.choices import SpeakerRole
from interviews.exports.columns import Table, columns_of
from interviews.exports.formats.cells import json_cell
from interviews.exports.reasons import READERS
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import conversations
from interviews.protocols.laddering.exports.graphml import join_spaced


class DecisionRow(NamedTuple):
    session: ExportedSession
    turn: Annotated[int, "Number of the turn, as in transcripts."]
    position: Annotated[
        int | None, "Place in the transcript of the answer that was decided on, as in transcripts."
    ]
    strategy: Annotated[str | None, "Id of the strategy that was asked by; empty at the end."]
    focus: Annotated[
        str | None,
        "What the question is about: the key of a node, as in nodes, or element: and the id of an "
        "element. Empty: nothing in particular.",
    ]
    score: Annotated[float | None, "Score of this strategy at this focus."]
    phase_weight: Annotated[float | None, "By which the phase multiplied it, if it was above 0."]
    bonus: Annotated[float | None, "Points since the strategy prefers such a focus."]
    chosen_strategy: Annotated[str | None, "The strategy with the best score."]
    chosen_focus: Annotated[str | None, "The focus with the best score."]
    why: Annotated[str | None, "What spoke for it, in words."]
    depth: Annotated[
        str | None,
        "How much the answer gives; empty: not judged.",
        {"shallow": "little", "moderate": "some", "deep": "much"},
    ]
    read_by: Annotated[str | None, "Who read the answer: a part and its reader, with spaces."]
    fallback: Annotated[bool, "The question is one of the strategy's templates."]
    nodes_added: Annotated[str | None, "Keys of new nodes, with spaces between."]
    nodes_again: Annotated[str | None, "Keys of nodes that were said again, with spaces between."]
    edges_added: Annotated[int, "New edges."]
    considered: Annotated[int | None, "How many pairs of strategy and focus were scored."]
    signals: Annotated[str, "All signals at this focus with their values, as a JSON object."]
    scores: Annotated[
        str,
        "The best pairs, as a JSON list: strategy, focus, score, phase, bonus, and because, the "
        "points of each signal.",
    ]


def rows(chosen: Selection) -> Iterator[DecisionRow]:
    for batch in batches(chosen.with_content().filter(plan__protocol="laddering")):
        for session, said, turns in conversations(batch):
            answers = {u.turn: u.position for u in said if u.role == SpeakerRole.PARTICIPANT}
            for turn in turns:
                details = turn.decision.get("details", {})
                if "table" in details and "graph" in details:
                    yield _row(session, turn.number, answers.get(turn.number), details)


def _row(
    session: ExportedSession, number: int, position: int | None, details: Mapping[str, Any]
) -> DecisionRow:
    strategy, focus = details.get("strategy") or None, details.get("focus") or None
    asked = (strategy, details.get("meant", focus or ""))
    pairs = ((one, (one["strategy"], one["focus"])) for one in details["table"])
    scored: Mapping[str, Any] = next((one for one, pair in pairs if pair == asked), {})
    chosen, change = details.get("chosen", ("", "")), details["graph"]
    readers = (f"{part}: {READERS.get(by, by)}" for part, by in details.get("read_by", {}).items())
    return DecisionRow(
        session,
        turn=number,
        position=position,
        strategy=strategy,
        focus=focus,
        score=scored.get("score"),
        phase_weight=scored.get("phase"),
        bonus=scored.get("bonus"),
        chosen_strategy=chosen[0] or None,
        chosen_focus=chosen[1] or None,
        why=details.get("why") or None,
        depth=details.get("depth") or None,
        read_by="; ".join(readers) or None,
        fallback=bool(details.get("fallback")),
        nodes_added=join_spaced(change.get("added", ())) or None,
        nodes_again=join_spaced(change.get("merged", ())) or None,
        edges_added=len(change.get("tied", ())),
        considered=details.get("considered"),
        signals=json_cell(details.get("signals", {})),
        scores=json_cell(details["table"]),
    )


DECISIONS = Table(
    "decisions",
    "One row an answer of a laddering interview: the strategy and the focus that it was followed "
    "up with, the signals, and the scores that led there. Joins to transcripts and paradata by "
    "session_id and position.",
    columns_of(DecisionRow),
    rows,
)
