"""Calibrations as tables: question by question or item by item, and their figures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, keys, session_columns
from reflections.calibrations import measured_of
from reflections.models import Calibration
from reflections.replica.types import (
    MAKERS,
    Answered,
    Chosen,
    Given,
    Held,
    HeldOutMeasured,
    Maker,
    Mean,
    QuestionnaireMeasured,
)

RIGHT = "reflections.view_calibration"
METHODS = {
    "held_out": "questions held out of the interview",
    "questionnaire": "the participant's own questionnaire",
}
BASELINES = {
    "others": "the most usual answer of other participants",
    "typical": "a model that knew only the question, as a typical person",
}
WHOSE = {
    "replica": "the replica",
    "notes": "a replica that knew notes alone",
    "average": "what knows nothing of the person, see baseline",
    "participant": "the participant, against themselves",
}
FIGURES = {
    "agreement": "mean agreement as judged by a model, 0 to 1",
    "likeness": "mean share of words in common, by rules, 0 to 1",
    "lead": "by how much the replica agrees more than that one, as a mean over the questions",
    "accuracy": "share of items with the same option",
    "closeness": "on ranges of numbers: 1 - |difference| / width, as a mean",
    "consistency": "share of items answered twice that were answered alike",
    "accuracy_twice": "accuracy on the items that were answered twice",
    "normalised": "accuracy_twice divided by consistency",
}
Measured = HeldOutMeasured | QuestionnaireMeasured


@dataclass(frozen=True)
class Made:
    """One calibration of one interview."""

    session: Facts
    row: Calibration
    measured: Measured


@dataclass(frozen=True)
class Line(Made):
    """One question or item of it."""

    one: Held | Answered

    @property
    def held(self) -> Held | None:
        """The question, where it is one."""
        return self.one if isinstance(self.one, Held) else None

    @property
    def item(self) -> Answered | None:
        """The item, where it is one."""
        return self.one if isinstance(self.one, Answered) else None

    @property
    def key(self) -> str:
        """Of the question or item."""
        return self.one.key if isinstance(self.one, Held) else self.one.item.key

    @property
    def text(self) -> str:
        """Its words."""
        return self.one.text if isinstance(self.one, Held) else self.one.item.text


@dataclass(frozen=True)
class FigureLine(Made):
    """One figure of it."""

    figure: str
    whose: str
    mean: Mean


def made(chosen: Selection) -> Iterator[Made]:
    """The calibrations that there are, in the order of the interviews."""
    for batch in batches(chosen.with_content()):
        found: dict[Any, list[Calibration]] = {}
        for row in Calibration.objects.filter(session__in=keys(batch)).order_by("pk"):
            found.setdefault(row.session_id, []).append(row)
        for facts in batch:
            for row in found.get(facts.session.pk, ()):
                measured = measured_of(row)
                if measured is not None:
                    yield Made(facts, row, measured)


def lines(chosen: Selection) -> Iterator[Line]:
    """One row a question or item."""
    for one in made(chosen):
        parts = (
            one.measured.questions
            if isinstance(one.measured, HeldOutMeasured)
            else one.measured.items
        )
        for part in parts:
            yield Line(one.session, one.row, one.measured, part)


def figure_lines(chosen: Selection) -> Iterator[FigureLine]:
    """One row a figure."""
    for one in made(chosen):
        for figure, whose, mean in _figures(one.measured):
            yield FigureLine(one.session, one.row, one.measured, figure, whose, mean)


def _figures(measured: Measured) -> Iterator[tuple[str, str, Mean]]:
    if isinstance(measured, HeldOutMeasured):
        named = {"agreement": measured.agreement, "likeness": measured.likeness}
    else:
        named = {
            "accuracy": measured.accuracy,
            "closeness": measured.closeness,
            "accuracy_twice": measured.twice,
            "normalised": measured.normalised,
        }
        yield "consistency", "participant", measured.consistency
    for name, compared in named.items():
        yield from ((name, maker, compared.of(maker)) for maker in MAKERS)
    if isinstance(measured, HeldOutMeasured):
        yield from (("lead", maker, mean) for maker, mean in measured.lead.items())


# -- columns


def _of_item(path: str) -> Callable[[Line], Any]:
    """What an item has and a question hasn't."""
    read = attrgetter(path)
    return lambda line: read(line.item) if line.item else None


def _options(line: Line) -> str | None:
    return "\n".join(line.item.item.options) if line.item else None


def _positions(line: Line) -> str | None:
    return " ".join(map(str, line.held.positions)) if line.held else None


def _said(line: Line, maker: Maker) -> str:
    found: Given | Chosen = _made_by(line, maker)
    return found.answer if isinstance(found, Given) else found.option


def _score(line: Line, maker: Maker) -> float | None:
    found = _made_by(line, maker)
    if isinstance(found, Given):
        return found.agreement
    same = line.item is not None and found.option == line.item.item.answer
    return None if found.failed else float(same)


def _likeness(line: Line, maker: Maker) -> float | None:
    found = _made_by(line, maker)
    return found.likeness if isinstance(found, Given) else None


def _made_by(line: Line, maker: Maker) -> Given | Chosen:
    return line.one.given[maker] if isinstance(line.one, Held) else line.one.chosen[maker]


def _of_maker(maker: Maker) -> tuple[Column[Any], ...]:
    whose = WHOSE[maker].removeprefix("a ").capitalize()
    return (
        Column(
            f"{maker}_answer",
            Type.STRING,
            f"{whose}: the answer, or the option chosen. Empty where it is another participant's.",
            partial(_said, maker=maker),
        ),
        Column(
            f"{maker}_score",
            Type.NUMBER,
            f"{whose}: agreement with what was said (0, 0.5, 1, by a model), or for an item "
            "whether the option is the same (0, 1). Empty where it failed.",
            partial(_score, maker=maker),
        ),
        Column(
            f"{maker}_likeness",
            Type.NUMBER,
            f"{whose}: share of words in common with what was said, by rules.",
            partial(_likeness, maker=maker),
        ),
    )


OF_CALIBRATION: tuple[Column[Any], ...] = (
    *session_columns(),
    Column("calibration", Type.INTEGER, "Number of the calibration.", attrgetter("row.pk")),
    Column("method", Type.STRING, "How it was measured.", attrgetter("row.method"), METHODS),
    Column("made_at", Type.DATETIME, "When it was made (UTC).", attrgetter("row.finished_at")),
    Column(
        "seed",
        Type.INTEGER,
        "What questions and intervals were drawn by.",
        attrgetter("measured.seed"),
    ),
)
COLUMNS: tuple[Column[Any], ...] = (
    *OF_CALIBRATION,
    Column("key", Type.STRING, "Key of the question or item.", attrgetter("key")),
    Column("text", Type.STRING, "Its words.", attrgetter("text")),
    Column(
        "positions",
        Type.STRING,
        "Where the answer that was held out stands in the transcript, with spaces between.",
        _positions,
    ),
    Column("options", Type.STRING, "Options of an item, a line each.", _options),
    Column(
        "answer", Type.STRING, "What the participant answered to the item.", _of_item("item.answer")
    ),
    Column("answer_again", Type.STRING, "… and the second time.", _of_item("item.again")),
    Column(
        "counts",
        Type.BOOLEAN,
        "Whether it is in the figures: only where all three were scored.",
        attrgetter("one.counts"),
    ),
    Column(
        "baseline",
        Type.STRING,
        "What average_answer is.",
        attrgetter("one.baseline"),
        BASELINES,
    ),
    Column(
        "others",
        Type.INTEGER,
        "Other participants whose answers the baseline was chosen from.",
        attrgetter("one.others"),
    ),
    *(column for maker in MAKERS for column in _of_maker(maker)),
)
FIGURE_COLUMNS: tuple[Column[Any], ...] = (
    *OF_CALIBRATION,
    Column("figure", Type.STRING, "Which figure.", attrgetter("figure"), FIGURES),
    Column("whose", Type.STRING, "Whose figure it is.", attrgetter("whose"), WHOSE),
    Column("n", Type.INTEGER, "Questions or items that it is over.", attrgetter("mean.n")),
    Column(
        "value",
        Type.NUMBER,
        "Agreement with what was said, and not with the person; no forecast.",
        attrgetter("mean.value"),
    ),
    Column("low", Type.NUMBER, "Where the 95 % interval begins.", attrgetter("mean.low")),
    Column("high", Type.NUMBER, "Where it ends (bootstrap).", attrgetter("mean.high")),
)
CALIBRATIONS: Table[Line] = Table(
    "calibrations",
    "One row a question or item by which a replica was measured. What was really said to a "
    "question stands in `transcripts`, at these positions.",
    COLUMNS,
    lines,
    shared=SHARED,
    right=RIGHT,
)
CALIBRATION_FIGURES: Table[FigureLine] = Table(
    "calibration_figures",
    "One row a figure of a calibration: the replica's, and those of what does without it.",
    FIGURE_COLUMNS,
    figure_lines,
    shared=SHARED,
    right=RIGHT,
)
TABLES = (CALIBRATIONS, CALIBRATION_FIGURES)
