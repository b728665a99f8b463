"""The results of a laddering interview: ladders, figures and implication matrix."""

from collections.abc import Mapping

from interviews.models import Node, Session
from reflections.products import KeptFact, Product, ProtocolResults
from reflections.protocols.laddering.makers import ladders
from reflections.protocols.laddering.pages import AMENDMENT, ladders_view


def _notes(session: Session) -> tuple[KeptFact, ...]:
    rows = Node.objects.filter(session=session).order_by("id")
    return tuple((text, tuple(places)) for text, places in rows.values_list("text", "positions"))


def _positions(session: Session) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = {}
    rows = Node.objects.filter(session=session).values_list("elements", "positions")
    for elements, positions in rows:
        for element in elements:
            found.setdefault(element, set()).update(positions)
    return found


RESULTS = ProtocolResults(
    products=(
        Product(
            "ladders",
            ladders,
            view=ladders_view,
            amendment=AMENDMENT,
            counts=lambda content: [(len(content.get("ladders", ())), "ladder", "ladders")],
        ),
    ),
    notes=_notes,
    topic_positions=_positions,
)
