"""A simulated interview as it is read to measure it: replies with what they answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.db.models import QuerySet

from interviews.choices import (
    ABOUT_STOPPING,
    ASIDE,
    BESIDE_THE_STUDY,
    TURN_FAILED,
    EntryKind,
    SpeakerRole,
)
from interviews.engine.guards import ECHO
from interviews.engine.language.sentences import ends_asking
from interviews.models import Session, TranscriptEntry, Turn
from llm.models import LLMCall
from reflections.evaluation.personas import Persona
from reflections.evaluation.respondents import Answer, Spoken
from reflections.evaluation.simulation import SimulatedTurn
from reflections.evidence.types import StoredModel

LONGEST = 240  # characters of a moment
FRAME = {EntryKind.INTRO, EntryKind.OUTRO}
NO_REPEAT = ASIDE | ABOUT_STOPPING | {"distress", "asked_again", TURN_FAILED}
PREFIX = "evaluation."  # of the tasks of respondents and judges, whose calls aren't the bot's


class Moment(StoredModel):
    """A turn worth reading."""

    turn: int
    position: int
    what: str
    text: str


def asking(sentences: Iterable[str]) -> list[str]:
    """Return the sentences that ask, but for an echo that leads to the next one ("Your aunt?")."""
    asked = [one for one in sentences if ends_asking(one)]
    return [one for one in asked if len(one.split()) > ECHO or one is asked[-1]]


@dataclass(frozen=True)
class Reply(Spoken):
    """What the interviewer said in one turn, and what the turn's row says of it."""

    turn: Turn
    said: str = ""  # by the participant about the study, that it replies to
    answer: Answer | None = None  # the same, of a simulated participant
    called: bool = False  # whether a model was asked

    @cached_property
    def questions(self) -> list[str]:
        return asking(self.sentences())

    @cached_property
    def statement(self) -> str:
        """What is said before the question, but for the introduction."""
        return " ".join(one for one in self.sentences(FRAME) if not ends_asking(one))

    @cached_property
    def about_study(self) -> list[str]:
        """The sentences about the study, replies to questions back among them."""
        return self.sentences(FRAME | BESIDE_THE_STUDY - {EntryKind.INTERVIEWER_ANSWER})

    @property
    def question(self) -> str:
        return " ".join(self.questions) or self.text

    @property
    def reason(self) -> str:
        return str(self.turn.decision.get("reason", ""))

    @property
    def asks_anew(self) -> bool:
        return self.reason not in NO_REPEAT

    @property
    def answered_fully(self) -> bool:
        """Whether the open question was answered, as it was read and, if simulated, as it was."""
        read = self.turn.decision.get("details", {}).get("answers")
        return read == "fully" and (self.answer is None or self.answer.act == "tell")


@dataclass
class Interview:
    session: Session
    persona: Persona
    turns: Sequence[SimulatedTurn]
    moments: list[Moment] = field(default_factory=list)

    @cached_property
    def replies(self) -> list[Reply]:
        return replies_of(self.session, self.turns)

    def note(self, what: str, reply: Reply, fires: bool = True) -> bool:
        if fires:
            text = " ".join(reply.text.split())[:LONGEST]
            position = reply.entries[-1].position if reply.entries else 0
            moment = Moment(turn=reply.turn.number, position=position, what=what, text=text)
            self.moments.append(moment)
        return fires


def replies_of(session: Session, turns: Sequence[SimulatedTurn] = ()) -> list[Reply]:
    answers = {one.turn: one.answer for one in turns}
    said: dict[int, str] = {}
    spoken: dict[int, list[TranscriptEntry]] = {}
    for entry in session.entries.order_by("position"):
        if entry.role == SpeakerRole.PARTICIPANT:
            said[entry.turn_id] = "" if entry.kind in BESIDE_THE_STUDY else entry.text
        else:
            spoken.setdefault(entry.turn_id, []).append(entry)
    asked = {*calls_of(session).values_list("turn", flat=True)}
    return [
        Reply(
            entries=tuple(spoken.get(one.pk, ())),
            turn=one,
            said=said.get(one.pk, ""),
            answer=answers.get(one.number),
            called=one.number in asked,
        )
        for one in session.turns.filter(status=Turn.Status.DONE).order_by("number")
    ]


def calls_of(session: Session) -> QuerySet[LLMCall]:
    calls = LLMCall.objects.filter(session=str(session.pk))
    return calls.exclude(task__startswith=PREFIX)
