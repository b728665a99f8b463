import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from llm.languages import language_name
from plans.models import Bot, LadderFile
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.content import options_of
from plans.protocols.laddering.files import METHODOLOGY, kind_of
from plans.protocols.laddering.schema.methodology import (
    Focus,
    Methodology,
    Mode,
    Phase,
    Relation,
    Strategy,
)
from plans.protocols.laddering.schema.vocabulary import Term, parse_condition, registered_terms

PAGE = "plans/ladder/page.html"
NOTES = {
    "concept": "For you only. The interviewer knows it; participants only hear the topic.",
    "methodology": "For you only: everything that decides which question comes next.",
    "bot": "For you only: what it explores, and what decides which question comes next.",
}
FOCUS: dict[Focus, str] = {
    "any": "nothing in particular",
    "newest": "what came up last",
    "orphan": "what is tied to nothing yet",
    "current": "what was asked about last",
    "shallow_chain": "where the ladder is still short",
    "uncovered": "elements not spoken of yet",
}
MODES: dict[Mode, str] = {"coverage": "Every element first", "exploratory": "Depth first"}
MAY_BREAK = re.compile(r"(?<=[._])")
PHASES: tuple[Phase, ...] = get_args(Phase)


def file_preview(request: HttpRequest, row: LadderFile) -> HttpResponse:
    note = NOTES[kind_of(row).name]
    return render(request, PAGE, {"title": row.name, "note": note, **_preview_context(row)})


def bot_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    context: dict[str, Any] = {"title": bot.title, "note": NOTES["bot"], "options": options_of(bot)}
    context["problems"] = []
    for row, what in ((bot.concept, "concept"), (bot.methodology, "methodology")):
        part = _preview_context(row) if row else {"problems": [f"This bot has no {what} yet."]}
        context["problems"] += part.pop("problems", [])
        context |= part
    return render(request, PAGE, context)


def _preview_context(row: LadderFile) -> dict[str, Any]:
    kind = kind_of(row)
    try:
        content: Any = kind.read_cached(row.source, row.key)
    except BrokenDocument as error:
        return {"problems": [f"“{row}” can't be read: {error.problems[0]}."]}
    return {kind.name: methodology_preview(content) if kind == METHODOLOGY else content}


def methodology_preview(methodology: Methodology) -> dict[str, Any]:
    terms = registered_terms()
    opening, closing = methodology.opening, methodology.closing
    return {
        "methodology": methodology,
        "relations": [(one, _pairs(one, methodology)) for one in methodology.relations],
        "strategies": [_strategy_preview(strategy, terms) for strategy in methodology.strategies],
        "matrices": [{"mode": MODES[mode], "rows": _factors(mode, methodology)} for mode in MODES],
        "signals": [terms[name] for name in methodology.signals if name in terms],
        "openings": [
            (language_name(tag), opening[tag], closing[tag]) for tag in methodology.languages
        ],
        "phases": PHASES,
    }


def _pairs(relation: Relation, methodology: Methodology) -> list[dict[str, Any]]:
    names = {rung.id: rung.name for rung in methodology.ladder}
    return [
        {"source": names[pair.source], "targets": [names[target] for target in pair.targets]}
        for pair in relation.between
    ]


def _strategy_preview(strategy: Strategy, terms: Mapping[str, Term]) -> dict[str, Any]:
    """Return a strategy with its weights: signal by signal, the strongest first."""
    weights = [_weight(key, weight, terms) for key, weight in strategy.signal_weights.items()]
    return {
        "strategy": strategy,
        "prefers": FOCUS[strategy.focus_preference],
        "weights": _rank(weights),
        "questions": [(language_name(tag), texts) for tag, texts in strategy.templates.items()],
    }


def _rank(weights: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    strength: dict[str, float] = {}
    for one in weights:
        strength[one["signal"]] = max(strength.get(one["signal"], 0.0), abs(one["weight"]))
    return sorted(weights, key=lambda w: (-strength[w["signal"]], w["signal"], -abs(w["weight"])))


def _weight(key: str, weight: float, terms: Mapping[str, Term]) -> dict[str, Any]:
    """Return what a signal adds to a score, or one of its values; without one, times its size."""
    meant = parse_condition(key, terms)
    signal = meant.name if meant else key
    return {
        "signal": signal,
        "parts": MAY_BREAK.split(signal),  # between which a line may break
        "value": meant.value if meant else None,
        "weight": weight,
        "words": f"{weight:+g}".replace("-", "−"),
    }


def _factors(mode: Mode, methodology: Methodology) -> list[tuple[str, list[float]]]:
    return [
        (one.name, [methodology.phase_weight(mode, phase, one.id) for phase in PHASES])
        for one in methodology.strategies
    ]
