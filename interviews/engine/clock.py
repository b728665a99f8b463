"""What counts as time away: every pause, and a silence of more than ten minutes."""

from datetime import datetime, timedelta

SILENCE = 600.0  # seconds without a word after which the participant counts as away


def time_away(asked_at: datetime | None, at: datetime, paused: float) -> timedelta:
    """The time between question and answer that doesn't count; `paused` in seconds.

    Nobody can tell writing from having left, so none of a long silence counts.
    """
    if asked_at is None:
        return timedelta()
    silence = (at - asked_at).total_seconds() - paused
    return timedelta(seconds=paused + (silence if silence > SILENCE else 0.0))
