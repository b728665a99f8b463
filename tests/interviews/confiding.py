"""A tiny protocol that asks for an e-mail address and no more."""

from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.contact_data.fields import FieldReading, mask_answer, read_field
from interviews.engine.context import ProtocolState
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import TurnResult, Utterance
from plans.protocols import RewardOptions

CANARY = "zephyrine.canary@example.org"
TOLD = f"Sure, it's {CANARY}, thanks"
MASKED = "Sure, it's [e-mail], thanks"
REQUEST = Utterance(EntryKind.DATA_REQUEST, "Which e-mail address may we use?", "email")
GOODBYE = Utterance(EntryKind.OUTRO, "Goodbye.")


class Confiding(InterviewProtocol[ProtocolState, Any]):
    """Asks until there is an address, or a refusal."""

    name = "life_story"  # in the place of the one that it stands in for
    state = ProtocolState

    def __init__(self, reward: RewardOptions | None = None) -> None:
        self._reward = reward

    def begin(self, plan, language):
        return ProtocolState()

    def intro(self, now):
        return None

    def step(self, now, readings):
        if now.received.trigger == "opening":
            return TurnResult(now.state.model_copy(update={"sealed": True}), (REQUEST,), "opening")
        reading = self.read(now)
        done = reading.outcome in ("valid", "refused")
        return TurnResult(
            state=now.state.model_copy(update={"sealed": not done}),
            utterances=(GOODBYE if done else REQUEST,),
            reason=reading.outcome,
            status=SessionStatus.COMPLETED if done else SessionStatus.WAITING_ANSWER,
            masked=mask_answer(now.answer, reading, "email") if now.answer else None,
            collected={"email": reading.value} if reading.value else {},
            read_by_rules={"email": {"outcome": reading.outcome}},
        )

    def read(self, now) -> FieldReading:
        if now.remembered:
            return FieldReading(now.remembered["email"]["outcome"])
        if now.received.trigger == "skip":
            return FieldReading("refused")
        return read_field("email", now.answer, now.language)

    def preview(self, now, readings, partials):
        return ""

    def exit(self, now, readings):
        state = now.state.model_copy(update={"sealed": False})
        return TurnResult(state, (GOODBYE,), "stopped", SessionStatus.STOPPED)

    def repeat_question(self, now):
        return REQUEST

    def reward(self, plan):
        return self._reward
