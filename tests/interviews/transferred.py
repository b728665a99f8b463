"""Knowledge transfers under way and over, with facts, without leading an interview."""

from interviews.choices import EntryKind
from interviews.models import Fact, Session
from interviews.protocols import PROTOCOLS
from interviews.protocols.knowledge_transfer.state import BacklogItem
from plans.bots.compile import plan_for
from plans.models import Bot
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory
from tests.transfers import make_transfer_bot

ANSWER = "Two machines have to be set up anew, and the night shift costs a third more."
ITEMS = (
    BacklogItem(
        id="rush-factor",
        text="How did you arrive at a rush factor of 1.35?",
        priority="P0",
        origin="ADMIN",
        status="ANSWERED_BY_INTERVIEW",
        round=1,
        asked="I have read the workbook. How did you arrive at 1.35?",
        answer=ANSWER,
        position=3,
        confidence=0.6,
    ),
    BacklogItem(id="safety", text="Why must 1.17 stay?", priority="P0", origin="ADMIN"),
    BacklogItem(
        id="holidays",
        text="What about public holidays?",
        priority="P1",
        origin="ADMIN",
        status="SKIPPED",
        round=2,
        asked="And public holidays?",
    ),
    BacklogItem(id="recycled", text="Still nine days?", priority="P2", origin="ADMIN"),
    BacklogItem(
        id="followup-1",
        text="What does the night shift cost exactly?",
        priority="P0",
        origin="FOLLOW_UP",
        parent="rush-factor",
        round=3,
        asked="What does it cost exactly?",
    ),
    BacklogItem(
        id="discovered-1",
        text="Who decides about the night shift?",
        priority="P1",
        origin="DISCOVERED",
        parent="rush-factor",
    ),
)


def transferred(bot: Bot | None = None, facts: int = 1, **fields) -> Session:
    """An interview of one answer, at position 3, and so many facts from it."""
    bot = bot or make_transfer_bot()
    plan = plan_for(bot)
    session = SessionFactory(bot=bot, plan=plan, **fields)
    session.state = state_of(session, ITEMS)
    session.length = 4
    session.save()
    opening = TurnFactory(session=session, trigger="opening")
    EntryFactory(turn=opening, kind=EntryKind.INTRO, text="Hello.")
    EntryFactory(turn=opening, kind=EntryKind.QUESTION, text=ITEMS[0].asked, question="rush-factor")
    turn = TurnFactory(session=session)
    AnswerFactory(turn=turn, text=ANSWER)
    EntryFactory(turn=turn, text="And then?")
    for number in range(1, facts + 1):
        add_fact(session, f"The rush factor covers {number} machines.", number)
    return session


def state_of(session: Session, items: tuple[BacklogItem, ...]) -> dict[str, object]:
    """The state of such an interview with these questions, as it is stored."""
    from interviews.turns.store import plan_content

    begun = PROTOCOLS["knowledge_transfer"].begin(plan_content(session.plan_id), "en")
    asked = {"items": items, "open_id": "followup-1", "round": 3}
    return begun.model_copy(update=asked).model_dump(mode="json")


def add_fact(session: Session, text: str, number: int = 0, **fields) -> Fact:
    """One more fact of that answer."""
    given = {"question": "rush-factor", "confidence": 0.6, "source": "model", "original": text}
    return Fact.objects.create(
        session=session,
        entry=session.entries.get(kind=EntryKind.USER_ANSWER),
        number=number or session.facts.count() + 1,
        text=text,
        **{**given, **fields},
    )
