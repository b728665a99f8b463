"""Rows of the fieldwork, for tests that need them without leading an interview.

session = SessionFactory()
talk(session, ["Hello.", "I was born in Riga."])
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

import factory
from django.db import connection
from django.db.models import Model
from factory.django import DjangoModelFactory

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.models import Note, Participant, Session, TranscriptEntry, Turn
from llm.models import LLMCall
from plans.bots.compile import plan_for
from tests.conftest import make_bot

START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def _count(model: type[Model], **owner: Model) -> int:
    """Count the rows of an owner. A query of Django's takes as long as storing the row."""
    ((name, row),) = owner.items()
    field = model._meta.get_field(name)
    with connection.cursor() as cursor:
        asked = f'SELECT COUNT(*) FROM "{model._meta.db_table}" WHERE "{field.column}" = %s'
        cursor.execute(asked, [field.get_db_prep_value(row.pk, connection)])
        return int(cursor.fetchone()[0])


class ParticipantFactory(DjangoModelFactory):
    """Somebody with a name."""

    class Meta:
        model = Participant

    name = factory.Sequence(lambda n: f"Person {n}")


class SessionFactory(DjangoModelFactory):
    """A session of a new bot (or of the one given) that nothing was said in yet."""

    class Meta:
        model = Session

    bot = factory.LazyFunction(make_bot)
    plan = factory.LazyAttribute(lambda made: plan_for(made.bot))
    participant = factory.SubFactory(ParticipantFactory)
    title = "A test"
    status = SessionStatus.COMPLETED
    started_at = factory.Sequence(lambda n: START + timedelta(minutes=n))


class TurnFactory(DjangoModelFactory):
    """A finished turn."""

    class Meta:
        model = Turn

    session = factory.SubFactory(SessionFactory)
    number = factory.LazyAttribute(lambda made: _count(Turn, session=made.session))
    message_id = factory.LazyAttribute(lambda made: f"m{made.number}")
    status = Turn.Status.DONE
    received_at = factory.LazyAttribute(lambda m: m.session.started_at + 60 * m.number * SECOND)
    spoken_at = factory.LazyAttribute(lambda m: m.received_at + 5 * SECOND if m.done else None)
    decision = factory.LazyFunction(lambda: {"reason": "planner", "firings": [], "details": {}})
    source = "model"
    first_word_ms = 400
    total_ms = 900
    lease_owner = None

    class Params:
        done = factory.LazyAttribute(lambda made: made.status == Turn.Status.DONE)


class EntryFactory(DjangoModelFactory):
    """One utterance of a turn; the interviewer's unless said otherwise."""

    class Meta:
        model = TranscriptEntry

    turn = factory.SubFactory(TurnFactory)
    session = factory.SelfAttribute("turn.session")
    slot = factory.LazyAttribute(lambda made: _count(TranscriptEntry, turn=made.turn) + 1)
    position = factory.LazyAttribute(lambda made: _count(TranscriptEntry, session=made.session) + 1)
    at = factory.LazyAttribute(lambda made: made.turn.spoken_at or made.turn.received_at)
    role = SpeakerRole.INTERVIEWER
    kind = EntryKind.FOLLOW_UP
    text = factory.Sequence(lambda n: f"What then, {n}?")


class AnswerFactory(EntryFactory):
    """What the participant said."""

    slot = 0
    at = factory.SelfAttribute("turn.received_at")
    role = SpeakerRole.PARTICIPANT
    kind = EntryKind.USER_ANSWER
    message_id = factory.LazyAttribute(lambda made: made.turn.message_id)
    text = factory.Sequence(lambda n: f"And then, {n}.")


class NoteFactory(DjangoModelFactory):
    """A note with the utterance that it comes from."""

    class Meta:
        model = Note

    entry = factory.SubFactory(AnswerFactory)
    session = factory.SelfAttribute("entry.session")
    key = factory.Sequence(lambda n: f"note_{n}")
    text = "something"


class CallFactory(DjangoModelFactory):
    """A call to a model."""

    class Meta:
        model = LLMCall

    task = "life_story.lead"
    provider = "scripted"
    model = "tale-1"
    tier = "main"
    outcome = "ok"
    input_tokens = 100
    output_tokens = 20
    created_at = START


SECOND = timedelta(seconds=1)


def talk(session: Session, answers: Sequence[str]) -> Session:
    """A whole conversation: each of the plan's first questions, and these answers to them."""
    questions = session.plan.content["material"]["scripts"]["en"]["questions"]
    numbered = zip(count(1), questions, strict=False)
    opening = TurnFactory(session=session, trigger=Turn.Trigger.OPENING)
    EntryFactory(turn=opening, slot=0, kind=EntryKind.INTRO, text="Hello.")
    ask(opening, *next(numbered))
    for text in answers:
        turn = TurnFactory(session=session)
        AnswerFactory(turn=turn, text=text)
        following = next(numbered, None)
        if following:
            ask(turn, *following)
        else:
            EntryFactory(turn=turn, kind=EntryKind.OUTRO, text="Goodbye.")
    return session


def ask(turn: Turn, number: int, question: dict[str, str]) -> TranscriptEntry:
    """The scripted question in this turn's reply."""
    return EntryFactory(
        turn=turn,
        kind=EntryKind.SCRIPTED_QUESTION,
        text=question["text"],
        question=question["key"],
        number=number,
    )
