from datetime import datetime, timedelta

SILENCE = 600.0  # seconds without an answer after which the participant counts as away


def time_away(asked_at: datetime | None, at: datetime, paused: float) -> timedelta:
    """Return the time between question and answer that doesn't count; `paused` is in seconds.

    Writing can't be told from having left, so none of a long silence counts.
    """
    if asked_at is None:
        return timedelta()
    silence = (at - asked_at).total_seconds() - paused
    return timedelta(seconds=paused + (silence if silence > SILENCE else 0.0))
