"""The arms of an experiment side by side: who came through, and outcomes with intervals."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from random import Random
from statistics import fmean, median
from typing import Any
from uuid import UUID

from interviews.choices import ACTIVE, SessionStatus
from interviews.models import Assignment, Session
from interviews.models.overview import QUIET_AFTER, last_heard, words_of_answers
from plans.models import Experiment, ExperimentArm

Z = 1.959964  # of a 95 % interval
RESAMPLES = 500
STATES = {
    "started": "Started",
    "completed": "Completed",
    "running": "Running now",
    "left": "Left early",
    "withdrawn": "Withdrawn",
}


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval; `n` is the number of interviews it rests on."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class ArmResults:
    arm: ExperimentArm
    counts: dict[str, int]  # by STATES
    measures: dict[str, Estimate | None]  # by MEASURES


MEASURES = {
    "completion": "Completed, % of those no longer running",
    "minutes": "Minutes of a completed interview, median",
    "words": "Words in an answer, median of interviews",
    "heard": "“Did you feel listened to?”, mean of 1 to 5",
    "ease": "“Did you get to say what mattered?”, mean of 1 to 5",
}


def arm_results(experiment: Experiment, now: datetime) -> list[ArmResults]:
    """Return the arms' results in four queries, whatever their number. Previews don't count."""
    held = Assignment.objects.filter(arm__experiment=experiment, session__preview=False)
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    sessions = Session.objects.filter(pk__in=held.values("session"))
    heard = last_heard(sessions)
    words = defaultdict[UUID, list[int]](list)
    for session, number in words_of_answers(sessions.filter(status=SessionStatus.COMPLETED)):
        words[session].append(number)
    for row in held.values(
        *("arm", "session", "session__status", "session__started_at", "session__ended_at"),
        *("session__away_total", "session__rating__heard", "session__rating__ease"),
    ):
        last = heard.get(row["session"], row["session__started_at"])
        state = _state(row["session__status"], alive=now - last < QUIET_AFTER)
        of_answers = words.get(row["session"])
        mean = fmean(of_answers) if of_answers else None
        rows[row["arm"]].append(row | {"state": state, "words": mean})
    return [_results(arm, rows[arm.pk], experiment.seed) for arm in experiment.arms.all()]


def _state(status: str, alive: bool) -> str:
    if status == SessionStatus.COMPLETED:
        return "completed"
    if status == SessionStatus.WITHDRAWN:
        return "withdrawn"
    return "running" if status in ACTIVE and alive else "left"


def _results(arm: ExperimentArm, rows: Sequence[dict[str, Any]], seed: int) -> ArmResults:
    counts = Counter(row["state"] for row in rows if row["session__status"] != "ARCHIVED")
    counts["started"] = counts.total()
    completed = [row for row in rows if row["state"] == "completed"]
    decided = counts["started"] - counts["running"]
    minutes = [_minutes(row) for row in completed if row["session__ended_at"]]
    return ArmResults(
        arm,
        {state: counts[state] for state in STATES},
        {
            "completion": wilson(counts["completed"], decided),
            "minutes": bootstrap(minutes, median, seed),
            "words": bootstrap(_known(completed, "words"), median, seed),
            "heard": bootstrap(_known(rows, "session__rating__heard"), fmean, seed),
            "ease": bootstrap(_known(rows, "session__rating__ease"), fmean, seed),
        },
    )


def _minutes(row: dict[str, Any]) -> float:
    took = (row["session__ended_at"] - row["session__started_at"]).total_seconds()
    return max(0.0, float(took - row["session__away_total"])) / 60


def _known(rows: Sequence[dict[str, Any]], name: str) -> list[float]:
    return [row[name] for row in rows if row[name] is not None]


def wilson(successes: int, trials: int) -> Estimate | None:
    """Return a share in percent with its Wilson score interval; None without trials."""
    if not trials:
        return None
    share, square = successes / trials, Z * Z
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z * sqrt(share * (1 - share) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return Estimate(100 * share, 100 * (middle - half), 100 * (middle + half), trials)


def bootstrap(
    values: Sequence[float], figure: Callable[[Sequence[float]], float], seed: int
) -> Estimate | None:
    """Return a figure with its percentile bootstrap interval, the same for the same seed."""
    if not values:
        return None
    dice = Random(seed)  # noqa: S311  # to be repeated
    sample = sorted(values)
    drawn = sorted(figure(dice.choices(sample, k=len(sample))) for _ in range(RESAMPLES))
    low, high = drawn[round(0.025 * (RESAMPLES - 1))], drawn[round(0.975 * (RESAMPLES - 1))]
    return Estimate(float(figure(sample)), float(low), float(high), len(sample))
