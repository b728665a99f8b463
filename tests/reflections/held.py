"""Technical assessments that were held, for tests of what is made of them."""

from interviews.choices import EntryKind, SessionStatus
from interviews.models import Session
from reflections.models import Reflection
from tests.assessments import make_assessment_bot
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory
from tests.interviews.protocols.observing import seen

THOUGHT, NOTE, RIGHT = "THOUGHT-of-the-observer", "NOTE-of-the-observer", "RIGHT-as-expected"
JUDGED = (  # by turn
    ("python", "confirmed"),
    ("python", "confirmed"),
    ("databases", "gap"),
    ("databases", "confirmed"),
)


def held_session(judged=JUDGED, status=SessionStatus.COMPLETED, name="Ann", **options) -> Session:
    """A session in which these answers were given and judged; nothing is made of it yet."""
    bot = make_assessment_bot(options=options)
    session = SessionFactory(
        bot=bot,
        status=status,
        participant__name=name,
        start_answers={"experience": "Six years with Python."},
    )
    opening = TurnFactory(session=session, trigger="opening")
    EntryFactory(turn=opening, slot=0, kind=EntryKind.INTRO, text="Hello.")
    EntryFactory(turn=opening, kind=EntryKind.QUESTION, text="What comes first?")
    observed = [_answered(session, topic, state) for topic, state in judged]
    asked = {"text": "And now?", "topic": "python", "level": 3}
    session.state = {"asked": [asked], "level": 3, "topic": "python", "observations": observed}
    session.save()
    return session


def _answered(session: Session, topic: str, status: str) -> dict:
    turn = TurnFactory(session=session)
    said = AnswerFactory(turn=turn)
    EntryFactory(turn=turn, kind=EntryKind.QUESTION)
    one = seen(
        topic,
        status,
        position=said.position,
        turn=turn.number,
        notes=NOTE,
        correct_answer="" if status == "confirmed" else RIGHT,
        thoughts={"observer": THOUGHT},
    )
    return {name: getattr(one, name) for name in one.__dataclass_fields__}


def wished(session: Session, name: str = "report") -> Reflection:
    """The wish for one product."""
    return Reflection.objects.create(session=session, name=name)


def again(row):
    """The row as it is stored now."""
    row.refresh_from_db()
    return row
