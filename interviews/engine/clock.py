"""The clock of interviews with a planned time: neither time away nor a model's time counts."""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from interviews.engine.context import ProtocolState, Received

SILENCE = 600.0  # seconds without an answer after which the participant counts as away


class TimedState(ProtocolState):
    """A state with a clock, which starts when the interviewer has spoken."""

    clock: ClassVar[str]  # the field that holds when it started, moved on by what doesn't count
    heard_at: datetime | None = None  # when the answer came that is being replied to

    @property
    def started_at(self) -> datetime | None:
        started: datetime | None = getattr(self, self.clock)
        return started

    def mark_spoken(self, at: datetime) -> Self:
        """Start the clock, or move it on by the time that the reply took."""
        started = self.started_at or at
        if self.started_at and self.heard_at:
            started += max(at - self.heard_at, timedelta())
        return super().mark_spoken(at).but(**{self.clock: started, "heard_at": None})

    def after_time_away(self, received: Received) -> Self:
        """Return the state with its clock moved on by a pause or a long silence.

        Writing can't be told from having left, so none of a long silence counts.
        """
        if self.started_at is None or self.asked_at is None:
            return self.but(heard_at=received.at)
        away = received.away_seconds
        silence = (received.at - self.asked_at).total_seconds() - away
        moved = self.started_at + timedelta(seconds=away + (silence if silence > SILENCE else 0.0))
        return self.but(**{self.clock: moved, "heard_at": received.at})

    def seconds_left(self, planned: float, at: datetime) -> float:
        """Return what is left of the planned seconds; negative once they are over."""
        return planned - (at - (self.started_at or at)).total_seconds()
