from collections.abc import Sequence

from plans.bots.checklist import checklist, gaps
from plans.models import Bot, Experiment, ExperimentArm
from plans.protocols import BotDraft, protocol_of


def experiment_gaps(experiment: Experiment) -> list[str]:
    """Return what an experiment lacks before it can go live."""
    arms = list(experiment.arms.select_related("bot"))
    missing = [] if len(arms) > 1 else ["Add at least two arms."]
    for arm in arms:
        if arm.bot.status != Bot.Status.LIVE or gaps(checklist(arm.bot)):
            missing.append(f"The bot of the arm “{arm.name}” isn’t live, or something is missing.")
    return missing + _differences(arms)


def _differences(arms: Sequence[ExperimentArm]) -> list[str]:
    """Return in what arms may not differ, since people see the first one's start page."""
    first, *others = [_languages(arm.bot) for arm in arms] or [set()]
    return [
        f"The arm “{arm.name}” isn’t in the same languages as the first one."
        for arm, languages in zip(arms[1:], others, strict=True)
        if languages != first
    ]


def _languages(bot: Bot) -> set[str]:
    return set(protocol_of(bot).languages(BotDraft(bot, list(bot.scripts.all()))))
