"""Interviews with an expert's reflection on them, for tests of how such products are read."""

from typing import Any

from django.utils import timezone

from interviews.choices import EntryKind
from interviews.models import Session
from reflections.models import Reflection
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory

ANSWERS = (
    "My grandmother kept bees behind the mill, and I carried the smoker for her.",
    "We left when the mill closed. Nobody asked us children whether we wanted to go.",
    "I rent two rooms now.\nThe smell of wax still makes me hopeful.",
)
BEES, LEFT, NOBODY = "kept bees behind the mill", "We left when the mill closed", "Nobody asked us"
ACROSS = "when the mill closed. Nobody asked us children"
EXPERT = {"key": "psychologist", "name": "Psychologist", "looks_for": "What somebody leans on."}


def quote(position: int, text: str) -> dict[str, Any]:
    """One quote as it is stored."""
    return {"position": position, "text": text}


def reflected(**changes: Any) -> dict[str, Any]:
    """The content of an expert's reflection: three statements, two of which overlap in a quote."""
    statements = [
        {"text": "Care was learned beside an older woman.", "quotes": [quote(3, BEES)]},
        {"text": "The move was decided over their head.", "quotes": [quote(5, ACROSS)]},
        {
            "text": "Loss is told without complaint.",
            "quotes": [quote(5, LEFT), quote(7, "The smell of wax still makes me hopeful")],
        },
    ]
    content = {
        "sections": [{"title": "", "statements": statements}],
        "language": "en",
        "made_by": "model",
        "reason": "",
        "findings": [],
        "condensed": 0,
        "expert": EXPERT,
    }
    return content | changes


def told_session(answers: tuple[str, ...] = ANSWERS, **fields: Any) -> Session:
    """An interview with these answers at positions 3, 5, 7 and so on."""
    session = SessionFactory(**fields)
    opening = TurnFactory(session=session, trigger="opening")
    EntryFactory(turn=opening, slot=0, kind=EntryKind.INTRO, text="Hello.")
    EntryFactory(
        turn=opening, kind=EntryKind.QUESTION, text="Where did it begin?", question="origin"
    )
    for answer in answers:
        turn = TurnFactory(session=session)
        AnswerFactory(turn=turn, text=answer)
        EntryFactory(turn=turn, text="And then?")
    return session


def told_product(
    session: Session | None = None, name: str = "expert:psychologist", **changes: Any
) -> Reflection:
    """A product of statements, ready to be read."""
    return Reflection.objects.create(
        session=session or told_session(participant__name="Cassiopeia"),
        name=name,
        status=Reflection.Status.READY,
        content=reflected(**changes),
        finished_at=timezone.now(),
    )
