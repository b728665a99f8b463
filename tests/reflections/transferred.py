"""Knowledge transfers that were held, for tests of what is made of them."""

from django.utils import timezone

from interviews.choices import EntryKind, SessionStatus
from interviews.models import Fact, Session
from reflections.models import Reflection
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory
from tests.transfers import QUESTIONS, make_transfer_bot

ANSWERS = (  # question, answer, confidence, facts
    (
        "rush-factor",
        "We tried 1.5 and lost the theatre, so Vera and I settled on 1.35 in 2019.",
        0.9,
        (
            "The rush factor is 1.35 because 1.5 lost the theatre as a customer in 2019.",
            "Vera agreed to the rush factor.",
        ),
    ),
    (
        "safety",
        "It covers sheets spoiled while the press warms up.",
        0.9,
        ("The safety of 1.17 covers sheets that are spoiled while the press warms up.",),
    ),
    ("holidays", "By feel, more or less.", 0.3, ("Orders before holidays are corrected by feel.",)),
)


def held_transfer(
    answers=ANSWERS, status=SessionStatus.COMPLETED, language="en", bot=None, **changes
) -> Session:
    """A session in which these answers were given; nothing is made of it yet."""
    bot = bot or make_transfer_bot(**changes)
    session = SessionFactory(bot=bot, status=status, language=language, title="A handover")
    opening = TurnFactory(session=session, trigger="opening")
    EntryFactory(turn=opening, slot=0, kind=EntryKind.INTRO, text="Hello.")
    items = {q.key: _item(q) for q in bot.backlog.all()}
    for round_, answer in enumerate(answers, start=1):
        items[answer[0]] |= _answered(session, round_, items[answer[0]], *answer)
    state = {"items": list(items.values()), "open_id": next(iter(items)), "round": len(answers)}
    session.state = state
    session.save()
    return session


def _item(question) -> dict:
    fields = ("text", "priority", "origin")
    return {"id": question.key, **{name: getattr(question, name) for name in fields}}


def _answered(session, round_, item, key, answer, confidence, facts) -> dict:
    last = session.turns.order_by("-number").first()
    asked = f"And now: {item['text']}"
    EntryFactory(turn=last, kind=EntryKind.QUESTION, text=asked, question=key, number=round_)
    said = AnswerFactory(turn=TurnFactory(session=session), text=answer)
    for text in facts:
        add_fact(said, text, key, confidence)
    return {
        "status": "ANSWERED_BY_INTERVIEW",
        "round": round_,
        "asked": asked,
        "answer": answer,
        "position": said.position,
        "confidence": confidence,
    }


def add_fact(entry, text: str, question: str, confidence: float = 0.9) -> Fact:
    """One more fact of an answer."""
    return Fact.objects.create(
        session=entry.session,
        entry=entry,
        number=entry.session.facts.count() + 1,
        text=text,
        original=text,
        question=question,
        confidence=confidence,
        source="model",
    )


def edit(fact: Fact, text: str) -> None:
    """The fact in other words, by a person."""
    fact.text, fact.edited_by, fact.edited_at = text, "ann", timezone.now()
    fact.save()


def many_facts(count: int) -> tuple:
    """Answers to every question with so many facts in all."""
    keys = [key for key, priority, *_ in QUESTIONS if priority != "P2"]
    share = count // len(keys)
    return tuple(
        (key, f"A long answer about {key}.", 0.9, tuple(f"{key}: step {i}." for i in range(share)))
        for key in keys
    )


def made_of(session: Session, name: str) -> Reflection:
    """The product as it is stored."""
    return Reflection.objects.get(session=session, name=name)
