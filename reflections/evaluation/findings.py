"""What an evaluation found, in plain words for the people who run a bot."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Sum

from llm.models import LLMCall
from llm.routing.routes import has_model
from plans.models import Bot
from reflections.evaluation.measurement import MOMENTS
from reflections.models import Evaluation

MOST = 5  # topics, questions or moments that are named


def estimate(bot: Bot) -> str:
    """Say what an interview of the bot will cost, by what its past ones have cost."""
    if not has_model():
        return "It costs nothing: no model is configured, so the interviewer asks by rules."
    # The interviewer's own: later ones, and those of simulated participants, belong to no turn.
    calls = LLMCall.objects.filter(bot=str(bot.pk), turn__isnull=False).exclude(session="")
    unpriced = calls.filter(cost=None).values("session")
    sums = calls.exclude(session__in=unpriced).aggregate(
        cost=Sum("cost"), interviews=Count("session", distinct=True)
    )
    if not sums["interviews"]:
        return "A model asks the questions. What that costs isn’t known yet: try one or two first."
    each = sums["cost"] / sums["interviews"]
    return (
        f"An interview has cost {each:,.2f} on average so far. Participants played by a model add "
        "about one call for each answer, and judging adds one for each interview."
    )


def findings(evaluation: Evaluation) -> Iterator[str]:
    found = evaluation.figures
    if not found.get("personas"):
        yield "No interview came to its end."
        return
    yield f"{found['personas']} simulated participants, each with one interview."
    yield f"It takes about {_round(found, 'minutes')} minutes and {_round(found, 'turns')} answers."
    yield _cost(found)
    seldom, unclear, moments = seldom_answered(found), found["unclear"], found["moments"]
    yield from _listed("Seldom answered:", "{label} ({answered} of {of})", seldom)
    yield from _listed(
        "Often not understood or not known:", "{text} ({unclear} of {asked} times)", unclear
    )
    named = [one | {"what": MOMENTS[one["what"]]} for one in moments]
    yield from _listed("Worst moments:", "{persona}, turn {turn}: {what}. “{text}”", named)


def seldom_answered(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the topics that fewer than half of the participants answered."""
    return [one for one in found["topics"] if 2 * one["answered"] < one["of"]]


def _cost(found: dict[str, Any]) -> str:
    if not found["figures"]["calls"]["value"]:
        return "It cost nothing: no model was asked."
    calls, cost = _round(found, "calls"), found["figures"]["money"]["value"]
    if cost is None:
        return f"An interview made about {calls} model calls. A model has no price."
    return f"An interview made about {calls} model calls and cost {cost:,.2f}."


def _round(found: dict[str, Any], key: str) -> str:
    return f"{found['figures'][key]['value']:,.0f}"


def _listed(title: str, line: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    if rows:
        yield title
        yield from (f"  {line.format_map(row)}" for row in rows[:MOST])
