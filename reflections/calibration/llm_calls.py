"""A caller of models for one calibration: a few calls at a time, counted, failures in words."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic import BaseModel

from llm.calls.log import log_call
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.records import CallRecord
from llm.tasks.task import Task
from reflections.evidence.types import MADE_BY, MadeBy

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out")
AT_ONCE = 4


class NoAnswer(Exception):
    """No model answered; the text says why."""


@dataclass
class ModelCaller:
    subject: CallContext
    calls: int = 0
    stand_in: bool = False
    reasons: list[str] = field(default_factory=list)
    _semaphore: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    @property
    def made_by(self) -> MadeBy:
        """A stand-in's part makes the whole a stand-in's."""
        return "fallback_model" if self.stand_in else "model"

    @property
    def reason(self) -> str:
        return "; ".join(dict.fromkeys(filter(None, self.reasons)))

    async def ask(self, task: Task[In, Out], data: In, wordless: bool = False) -> Out:
        """Return the model's answer. Raises NoAnswer.

        The call log keeps no words of a `wordless` call, since they are another participant's.
        """
        records: list[CallRecord] = []
        subject = replace(self.subject, record=records.append) if wordless else self.subject
        async with self._semaphore:
            self.calls += 1
            outcome = await ask(task, data, subject)
        for record in records:
            await log_call(replace(record, request={}, response="", error=""), None)
        self.reasons.append(outcome.reason)
        if MADE_BY[outcome.source] == "rules":
            raise NoAnswer(outcome.reason or "no model answered")
        self.stand_in = self.stand_in or outcome.source is Source.FALLBACK_MODEL
        return outcome.value
