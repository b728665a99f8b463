"""A simulated interview as it is read to measure it: replies with what they answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.db.models import QuerySet

from interviews.choices import ABOUT_STOPPING, ASIDE, TURN_FAILED, EntryKind, SpeakerRole
from interviews.engine.guards import ECHO
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.models import Session, TranscriptEntry, Turn
from llm.models import LLMCall
from reflections.evaluation.personas import Persona
from reflections.evaluation.respondents import Answer
from reflections.evaluation.simulation import SimulatedTurn
from reflections.evidence.types import StoredModel

LONGEST = 240  # characters of a moment
NO_REPEAT = ASIDE | ABOUT_STOPPING | {"distress", "asked_again", TURN_FAILED}
PREFIX = "evaluation."  # of the tasks of respondents and judges, whose calls aren't the bot's


class Moment(StoredModel):
    """A turn worth reading."""

    turn: int
    position: int
    what: str
    text: str


@dataclass(frozen=True)
class Reply:
    """What the interviewer said in one turn, and what the turn's row says of it."""

    turn: Turn
    entries: tuple[TranscriptEntry, ...]
    answer: Answer | None  # that it replies to; None to the opening
    called: bool  # whether a model was asked

    @cached_property
    def text(self) -> str:
        return "\n".join(entry.text for entry in self.entries)

    @cached_property
    def sentences(self) -> list[str]:
        return [one for entry in self.entries for one in spaced_sentences(entry.text)]

    @cached_property
    def questions(self) -> list[str]:
        """The sentences that ask, but for an echo that leads to the next one ("Your aunt?")."""
        asked = [one for one in self.sentences if ends_asking(one)]
        return [one for one in asked if len(one.split()) > ECHO or one is asked[-1]]

    @cached_property
    def statement(self) -> str:
        """What is said before the question, but for the introduction."""
        said = (one for one in self.entries if one.kind not in (EntryKind.INTRO, EntryKind.OUTRO))
        spoken = [one for entry in said for one in spaced_sentences(entry.text)]
        return " ".join(one for one in spoken if not ends_asking(one))

    @property
    def question(self) -> str:
        return " ".join(self.questions) or self.text

    @property
    def key(self) -> str:
        return next((one.question for one in reversed(self.entries) if one.question), "")

    @property
    def reason(self) -> str:
        return str(self.turn.decision.get("reason", ""))

    @property
    def asks_anew(self) -> bool:
        return self.reason not in NO_REPEAT


@dataclass
class Interview:
    session: Session
    persona: Persona
    turns: Sequence[SimulatedTurn]
    moments: list[Moment] = field(default_factory=list)

    @cached_property
    def replies(self) -> list[Reply]:
        answers = {one.turn: one.answer for one in self.turns}
        said: dict[int, list[TranscriptEntry]] = {}
        mine = self.session.entries.filter(role=SpeakerRole.INTERVIEWER)
        for entry in mine.order_by("position"):
            said.setdefault(entry.turn_id, []).append(entry)
        asked = {*self.calls.values_list("turn", flat=True)}
        turns = self.session.turns.filter(status=Turn.Status.DONE).order_by("number")
        return [
            Reply(one, tuple(said.get(one.pk, ())), answers.get(one.number), one.number in asked)
            for one in turns
        ]

    @property
    def calls(self) -> QuerySet[LLMCall]:
        calls = LLMCall.objects.filter(session=str(self.session.pk))
        return calls.exclude(task__startswith=PREFIX)

    def note(self, what: str, reply: Reply, fires: bool = True) -> bool:
        if fires:
            text = " ".join(reply.text.split())[:LONGEST]
            position = reply.entries[-1].position if reply.entries else 0
            moment = Moment(turn=reply.turn.number, position=position, what=what, text=text)
            self.moments.append(moment)
        return fires
