from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, NamedTuple

from django.db.models import Count

from interviews.choices import SessionStatus
from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from plans.models import Experiment, ExperimentArm


class ExperimentRow(NamedTuple):
    experiment: Annotated[str, "Address (slug) of the experiment."]
    arm: Annotated[str, "Name of the arm."]
    bot: Annotated[str, "Address (slug) of the arm's bot."]
    plan_version: Annotated[
        int | None, "Version of the bot that the arm is bound to; empty for the bot as it is."
    ]
    title: Annotated[str, "Title of the experiment."]
    status: Annotated[str, "Whether people can start.", dict(Experiment.Status.choices)]
    weight: Annotated[int, "How many places it has in a block, for each of the block's rounds."]
    rounds: Annotated[int, "Rounds in a block."]
    seed: Annotated[int, "The order of the arms follows from it."]
    strata: Annotated[str, "What it is kept even within, with commas between."]
    target: Annotated[int | None, "Completed interviews wanted; empty for no limit."]
    interviews: Annotated[int, "Interviews of this selection that were sent to the arm."]
    completed: Annotated[int, "How many of them are completed."]
    stopped: Annotated[int, "How many were stopped by the participant."]
    withdrawn: Annotated[int, "How many were withdrawn."]
    replaced: Annotated[
        int, "How many the same person replaced by a new start, which is counted as well."
    ]


def rows(selection: Selection) -> Iterator[ExperimentRow]:
    arms = selection.limit(ExperimentArm.objects.order_by("experiment__slug", "pk"))
    if selection.bot:
        arms = arms.filter(bot=selection.bot)
    counts = _counts(selection)
    for arm in arms.select_related("experiment", "bot", "plan"):
        experiment, of_arm = arm.experiment, counts[arm.pk]
        yield ExperimentRow(
            experiment=experiment.slug,
            arm=arm.name,
            bot=arm.bot.slug,
            plan_version=arm.plan.number if arm.plan else None,
            title=experiment.title,
            status=experiment.status,
            weight=arm.weight,
            rounds=experiment.rounds,
            seed=experiment.seed,
            strata=", ".join(experiment.strata),
            target=arm.target,
            interviews=sum(of_arm.values()),
            completed=of_arm[SessionStatus.COMPLETED],
            stopped=of_arm[SessionStatus.STOPPED],
            withdrawn=of_arm[SessionStatus.WITHDRAWN],
            replaced=of_arm[SessionStatus.ARCHIVED],
        )


def _counts(selection: Selection) -> dict[int, dict[str, int]]:
    counts: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    whole = replace(selection, changed_since=None)  # changes of an arm can't be added up
    sent = whole.queryset().order_by().exclude(assignment=None)
    for arm, status, number in sent.values_list("assignment__arm", "status").annotate(Count("pk")):
        counts[arm][status] = number
    return counts


EXPERIMENTS = Table(
    "experiments",
    "One row an arm of an experiment, with how many of the selected interviews it led.",
    columns_of(ExperimentRow),
    rows,
)
