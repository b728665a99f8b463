from collections.abc import Sequence

from django.urls import reverse
from django.utils.html import format_html

from plans.bots.checklist import checklist, code_item, gaps
from plans.models import Bot, Experiment, ExperimentArm
from plans.protocols import bot_languages

KEPT = ("keeps_paradata", "keep_days", "keep_contact_days")  # as the consent text says


def experiment_gaps(experiment: Experiment) -> list[str]:
    """Return what an experiment lacks before it can go live. Its bots are links."""
    arms = list(experiment.arms.select_related("bot", "plan"))
    missing = [] if len(arms) > 1 else ["Add at least two arms."]
    for arm in arms:
        if arm.bot.status != Bot.Status.LIVE or gaps(checklist(arm.bot)):
            missing.append(_gap(arm, "isn’t live, or something is missing. Its page says what."))
    return missing + _differences(arms) + _code_gaps(arms)


def _differences(arms: Sequence[ExperimentArm]) -> list[str]:
    """Return in what arms may not differ, since people see the first one's start page."""
    missing = [
        _gap(arm, "is in a language that this version isn’t in.")
        for arm in arms
        if arm.plan and {*bot_languages(arm.bot)} - {*arm.plan.content["languages"]}
    ]
    for arm in arms[1:]:
        if {*bot_languages(arm.bot)} != {*bot_languages(arms[0].bot)}:
            missing.append(_gap(arm, "isn’t in the same languages as the first one."))
        if arm.bot.recruitment != arms[0].bot.recruitment:
            where = "has participants from elsewhere than the first one. Choose the same for both."
            missing.append(_gap(arm, where, "participants"))
        if any(getattr(arm.bot, name) != getattr(arms[0].bot, name) for name in KEPT):
            what = "records or keeps other data than the first one, whose consent text people see."
            missing.append(_gap(arm, what, "advanced"))
    return missing


def _code_gaps(arms: Sequence[ExperimentArm]) -> list[str]:
    """Return the codes that a panel needs because of the arms' targets and versions."""
    if not arms or not arms[0].bot.is_for_panel:
        return []
    missing = [
        _gap(arm, "has no reward in this version. Choose one with a completion code.")
        for arm in arms
        if arm.plan and "reward" not in arm.plan.content["material"]["options"]
    ]
    full = code_item(arms[0].bot, "full")
    if full.done or not all(arm.target for arm in arms):
        return missing
    return [*missing, _gap(arms[0], f"has no code for a full experiment. {full.hint}", "ending")]


def _gap(arm: ExperimentArm, lacks: str, place: str = "") -> str:
    url = reverse("admin:plans_bot_change", args=[arm.bot_id]) + (place and f"#{place}")
    link = format_html('<a class="study-link" href="{}">bot</a>', url)
    return format_html("The {} of the arm “{}” {}", link, arm.name, lacks)
