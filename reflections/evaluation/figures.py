"""Figures of an evaluation with 95 % intervals over personas, and what changed between two."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from interviews.choices import ENDED
from interviews.models import Session
from plans.models import Bot
from reflections.calibration.statistics import bootstrap, ratio
from reflections.calibration.types import Mean
from reflections.evaluation.interview import replies_of
from reflections.evaluation.measurement import MOMENTS, Measured
from reflections.evaluation.personas import Persona
from reflections.evaluation.utterances import utterance_counts
from reflections.models import Evaluation, SimulatedInterview

MOST_MOMENTS, MOST_ALIKE = 12, 4
MOST_QUESTIONS = 5
Better = Literal["more", "less", ""]


@dataclass(frozen=True)
class Figure:
    key: str
    group: str
    label: str
    better: Better = ""
    unit: str = "%"  # else what the number counts
    least: float | None = None  # aims
    most: float | None = None

    def in_words(self, mean: Mean | Mapping[str, Any]) -> str:
        one = Mean.model_validate(mean)
        if one.value is None:
            return "–"
        bounds = ""
        if one.low is not None and one.high is not None:
            bounds = f" ({self._number(one.low)} to {self._number(one.high)})"
        return f"{self._number(one.value)}{self._suffix}{bounds}"

    def meets_aim(self, mean: Mean | Mapping[str, Any]) -> bool | None:
        value = Mean.model_validate(mean).value
        if value is None or (self.least is None and self.most is None):
            return None
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)

    @property
    def aim(self) -> str:
        bound = self.least if self.most is None else self.most
        if bound is None:
            return ""
        words = "" if bound in (0, 1) else "at most " if self.least is None else "at least "
        return f"{words}{self._number(bound)}{self._suffix}"

    @property
    def _suffix(self) -> str:
        return " %" if self.unit == "%" else f" {self.unit}".rstrip()

    def _number(self, value: float) -> str:
        if self.unit == "%":
            return f"{100 * value:.0f}"
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"


FIGURES = (
    Figure("elicited_asked", "Elicited", "Facts told that a question sets free", "more", least=0.5),
    Figure("elicited", "Elicited", "All facts told that could be told", "more"),
    Figure("timely", "Elicited", "How early facts were told (1: at once)", "more", ""),
    Figure("coverage", "Elicited", "Topics answered", "more"),
    Figure("refusals", "Respected", "Refused subjects left alone", "more", least=1.0),
    Figure("answered_back", "Respected", "Questions back answered", "more", least=1.0),
    Figure("stops", "Respected", "Stops honoured in one confirmation", "more", least=1.0),
    Figure("double", "Clean", "More than one question at once", "less", most=0.02),
    Figure("leading", "Clean", "Leading questions", "less", most=0.02),
    Figure("repeats", "Clean", "Questions asked before", "less", most=0.0),
    Figure("praise", "Clean", "Turns with praise", "less"),
    Figure("verdicts", "Clean", "Turns with a verdict", "less"),
    Figure("words", "Natural", "Participant’s words to one of the interviewer’s", "more", ""),
    Figure("openings", "Natural", "Openings used twice", "less"),
    Figure("acknowledgements", "Natural", "Acknowledgements used twice", "less"),
    Figure("reflections", "Natural", "Statements to one question (no aim)", "", ""),
    Figure("hints", "Heard", "Hints followed", "more"),
    Figure("put_again", "Heard", "Questions put again after an answer", "less", "", most=0.0),
    Figure("last_word", "Heard", "Asked for a last word", "more", least=1.0),
    Figure("echoes", "Shapes", "Begins with a piece of the answer", "less", most=1 / 3),
    Figure("so", "Shapes", "Begins with “So”", "less", most=0.2),
    Figure("shape_question", "Shapes", "The plain question"),
    Figure("shape_reaction", "Shapes", "A reaction, then the question"),
    Figure("shape_taken_up", "Shapes", "Their words, then the question"),
    Figure("shape_side_by_side", "Shapes", "Two things that they said"),
    Figure("longest_run", "Shapes", "Longest run of one shape", "less", ""),
    Figure("dead_ends", "Robust", "Dead ends", "less", most=0.0),
    Figure("endless", "Robust", "Interviews without an end", "less", most=0.0),
    Figure("by_guard", "Robust", "Turns that a guard changed", "less"),
    Figure("by_fallback", "Robust", "Turns in which a model failed", "less"),
    Figure("by_rules", "Robust", "Turns spoken by rules"),
    Figure("judged_coverage", "Judged", "Coverage of a topic, from 1 to 5", "more", ""),
    Figure("judged_contingent", "Judged", "Questions that build on the answer", "more"),
    Figure("judged_leading", "Judged", "Leading questions, as judged", "less"),
    Figure("judged_empathy", "Judged", "Empathy where it was due", "more"),
    Figure("judges_agree", "Judged", "Points on which two judges agree"),
    Figure("judges_failed", "Judged", "Judgements that failed", "less"),
    Figure("turns", "Cost", "Answers in an interview", "", ""),
    Figure("minutes", "Cost", "Minutes in an interview", "", ""),
    Figure("calls", "Cost", "Model calls in an interview", "less", ""),
    Figure("tokens", "Cost", "Tokens in an interview", "less", ""),
    Figure("money", "Cost", "Cost of an interview", "less", ""),
    Figure("wait", "Cost", "Seconds to the first words", "less", ""),
)


def report(
    evaluation: Evaluation, interviews: Iterable[SimulatedInterview], personas: Iterable[Persona]
) -> dict[str, Any]:
    """Return the figures as JSON. The same interviews with the same seed give the same bytes.

    Turns of personas that are held back are counted, but never listed.
    """
    rows = sorted((row for row in interviews if row.content), key=lambda row: row.persona)
    measured = {row.persona: Measured.model_validate(row.content) for row in rows}
    held = {one.key for one in personas if one.held_back}
    every = measured.values()
    shown = {key: one for key, one in measured.items() if key not in held}
    return {
        "personas": len(measured),
        "figures": _means(every, evaluation.seed),
        "topics": _topics(every),
        "unclear": _unclear(every),
        "moments": _moments(shown),
    }


def stored_report(bot: Bot, seed: int) -> dict[str, Any]:
    """Return the figures of what the interviewer said in the bot's stored interviews."""
    sessions = Session.objects.filter(bot=bot, synthetic=False, status__in=ENDED)
    every = [
        Measured(counts=utterance_counts(replies_of(one), one.language, one.status))
        for one in sessions.order_by("started_at", "pk")
    ]
    means = _means(every, seed)
    return {"interviews": len(every), "figures": {k: one for k, one in means.items() if one["n"]}}


def _means(measured: Iterable[Measured], seed: int) -> dict[str, dict[str, Any]]:
    pairs = {one.key: _pairs(measured, one.key) for one in FIGURES}
    return {key: bootstrap(some, ratio, seed).model_dump() for key, some in pairs.items()}


def as_json(evaluation: Evaluation, before: Evaluation | None = None) -> dict[str, Any]:
    """Return what comes out the same when it is made again, and what changed since `before`."""
    fields = ("name", "respondents", "seed", "versions", "figures")
    found = {field: getattr(evaluation, field) for field in fields}
    return found | {"against": _against(before, evaluation)} if before else found


def _against(before: Evaluation, after: Evaluation) -> dict[str, Any]:
    changes = {
        one.figure.key: {
            "before": one.before.model_dump(),
            "difference": one.difference.model_dump(),
            "verdict": one.verdict,
        }
        for one in compare(before, after)
    }
    return {"name": before.name, "versions": before.versions, "changes": changes}


def _pairs(measured: Iterable[Measured], key: str) -> list[tuple[float, float]]:
    pairs = (one.counts.get(key, (0.0, 0.0)) for one in measured)
    return [pair for pair in pairs if pair[1]]


def _topics(measured: Iterable[Measured]) -> list[dict[str, Any]]:
    """Return the topics with the number of interviews that answered each, the fewest first."""
    found: defaultdict[str, list[bool]] = defaultdict(list)
    labels: dict[str, str] = {}
    for topic in (topic for one in measured for topic in one.topics):
        found[topic.key].append(topic.answered)
        labels.setdefault(topic.key, topic.label)
    rows = (
        {"label": labels[key], "answered": sum(answers), "of": len(answers)}
        for key, answers in found.items()
    )
    return sorted(rows, key=lambda row: row["answered"] / row["of"])


def _unclear(measured: Iterable[Measured]) -> list[dict[str, Any]]:
    """Return the questions that most were unsure about, of those that several were."""
    rows: dict[str, dict[str, Any]] = {}
    for key, question in (pair for one in measured for pair in one.questions.items()):
        row = rows.setdefault(key, {"text": question.text, "asked": 0, "unclear": 0})
        row["asked"] += question.asked
        row["unclear"] += question.unclear
    several = [row for row in rows.values() if row["unclear"] > 1]
    return sorted(several, key=lambda row: -row["unclear"] / row["asked"])[:MOST_QUESTIONS]


def _moments(measured: Mapping[str, Measured]) -> list[dict[str, Any]]:
    every = [
        {"persona": key, **moment.model_dump()}
        for key, one in measured.items()
        for moment in one.moments
    ]
    by_kind = [[one for one in every if one["what"] == what][:MOST_ALIKE] for what in MOMENTS]
    return list(chain.from_iterable(by_kind))[:MOST_MOMENTS]


@dataclass(frozen=True)
class Change:
    """One figure in two evaluations, and their difference over the personas of both."""

    figure: Figure
    before: Mean
    after: Mean
    difference: Mean

    @property
    def verdict(self) -> str:
        """Return better, worse or different where the interval of the difference leaves out 0."""
        low, high = self.difference.low, self.difference.high
        if low is None or high is None or low <= 0 <= high:
            return ""
        if not self.figure.better:
            return "different"
        return "better" if (low > 0) == (self.figure.better == "more") else "worse"


def compare(before: Evaluation, after: Evaluation) -> list[Change]:
    pairs = [_by_persona(before), _by_persona(after)]
    both = sorted(pairs[0].keys() & pairs[1].keys())
    couples = [(pairs[0][key], pairs[1][key]) for key in both]
    return [_change(figure, before, after, couples) for figure in FIGURES]


def _by_persona(evaluation: Evaluation) -> dict[str, Measured]:
    rows = evaluation.interviews.exclude(content={})
    return {row.persona: Measured.model_validate(row.content) for row in rows}


def _change(
    figure: Figure,
    before: Evaluation,
    after: Evaluation,
    couples: Sequence[tuple[Measured, Measured]],
) -> Change:
    def gain(some: Sequence[tuple[Measured, Measured]]) -> float | None:
        old = ratio(_pairs((one for one, _ in some), figure.key))
        new = ratio(_pairs((one for _, one in some), figure.key))
        return None if old is None or new is None else new - old

    difference = bootstrap(couples, gain, after.seed)
    return Change(figure, _stored(before, figure), _stored(after, figure), difference)


def _stored(evaluation: Evaluation, figure: Figure) -> Mean:
    return Mean.model_validate(evaluation.figures["figures"].get(figure.key, {"n": 0}))
