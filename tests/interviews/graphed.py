"""Laddering interviews with graphs of any size, without leading one."""

from itertools import cycle, islice

from interviews.choices import EntryKind
from interviews.models import Edge, Node, Session
from plans.models import Bot, LadderConcept, LadderMethodology
from plans.protocols.laddering.schema.reader import read_concept, read_methodology
from plans.protocols.laddering.schema.shipped import CONCEPTS, METHODOLOGIES
from tests.database import unrecorded
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory

TYPES = (
    "attribute",
    "functional_consequence",
    "psychosocial_consequence",
    "instrumental_value",
    "terminal_value",
)
LADDERS = (  # from the lowest rung up
    ("it dims by itself", "I need not get up again", "I stay calm", "being rested", "health"),
    ("warm light", "my eyes do not hurt", "I feel at ease", "keeping a habit", "a good life"),
    (
        "light on the page alone",
        "nobody else wakes up",
        "no bad conscience",
        "considerate",
        "family",
    ),
    ("no cable", "I can read anywhere", "I feel free", "being independent", "freedom"),
    ("the price", "I save money", "I worry less", "being careful", "security"),
)
ELEMENTS = ("dimming", "warm_light", "aim", "battery", "price")
ANSWER = "It dims by itself, so I need not get up again, and that keeps me calm."
FORMULA = '=HYPERLINK("http://example.org","x")'


@unrecorded
def make_ladder_bot(**changes) -> Bot:
    """A live laddering about a reading lamp, by the means-end chain."""
    source = (CONCEPTS / "reading_lamp.yaml").read_text(encoding="utf-8")
    method = (METHODOLOGIES / "means_end_chain.yaml").read_text(encoding="utf-8")
    concept, methodology = read_concept(source, "lamp"), read_methodology(method, "chain")
    given = {"slug": f"lamp-{Bot.objects.count()}", "title": "A reading lamp", "status": "live"}
    return Bot.objects.create(
        **{
            **given,
            "protocol": "laddering",
            "host": "Testers",
            "contact": "ask@example.org",
            **changes,
        },
        concept=LadderConcept.objects.get_or_create(
            key=concept.id, defaults={"name": concept.name, "source": source}
        )[0],
        methodology=LadderMethodology.objects.get_or_create(
            key=methodology.id, defaults={"name": methodology.name, "source": method}
        )[0],
    )


def graphed(nodes: int = 5, bot: Bot | None = None, **fields) -> Session:
    """An interview whose graph has so many nodes: ladders one after the other, tied in places."""
    session = SessionFactory(bot=bot or make_ladder_bot(), **fields)
    entries = _talked(session, answers=max(1, min(40, nodes // 5)))
    rows = [_node(session, place, entries) for place in range(nodes)]
    for place, row in enumerate(rows):
        for other in _below(place):
            tie(rows[other], row)
    return session


def tie(source: Node, target: Node, relation: str = "leads_to") -> Edge:
    """One more edge, told in the answer in which its target came up."""
    return Edge.objects.create(
        session=source.session,
        source=source,
        target=target,
        relation=relation,
        entry=target.entry,
        positions=[target.entry.position],
    )


def add_node(session: Session, text: str, type_: str = "attribute", **fields) -> Node:
    """One more node, said in the last answer."""
    entry = session.entries.filter(kind=EntryKind.USER_ANSWER).latest("position")
    given = {"key": f"n{session.nodes.count() + 1}", "created_turn": entry.turn.number}
    given |= {"entry": entry, "positions": [entry.position]}
    return Node.objects.create(session=session, text=text, type=type_, **{**given, **fields})


def _talked(session: Session, answers: int) -> list:
    """The answers of an interview that was led."""
    opening = TurnFactory(session=session, trigger="opening")
    EntryFactory(turn=opening, kind=EntryKind.INTRO, text="Hello, I am a program.")
    EntryFactory(turn=opening, kind=EntryKind.QUESTION, text="What comes to mind about a lamp?")
    found = []
    for number in range(1, answers + 1):
        turn = TurnFactory(session=session, number=number)
        text = ANSWER if number == 1 else f"{ANSWER} ({number})"
        found.append(AnswerFactory(turn=turn, text=text))
        EntryFactory(turn=turn, kind=EntryKind.FOLLOW_UP, text="Why does that matter to you?")
    session.length = session.entries.count()
    session.save()
    return found


def _node(session: Session, place: int, entries: list) -> Node:
    ladder, rung = divmod(place, len(TYPES))
    first = LADDERS[ladder % len(LADDERS)]
    again = ladder // len(LADDERS)
    said = list(islice(cycle(entries), ladder, ladder + (2 if place % 7 == 0 else 1)))
    return Node.objects.create(
        session=session,
        key=f"n{place + 1}",
        text=first[rung] + (f", thought of anew for the {again + 1}. time" if again else ""),
        type=TYPES[rung],
        elements=[ELEMENTS[ladder % len(ELEMENTS)]] if rung == 0 else [],
        created_turn=said[0].turn.number,
        entry=said[0],
        positions=sorted({entry.position for entry in said}),
    )


def _below(place: int) -> list[int]:
    """The nodes that lead to it: the one below it on its ladder, now and then one of another."""
    ladder, rung = divmod(place, len(TYPES))
    if rung == 0:
        return []
    crossing = [place - len(TYPES) - 1] if ladder % 3 == 1 and rung == 2 else []
    return [place - 1, *crossing]
