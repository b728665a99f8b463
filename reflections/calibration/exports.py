"""Calibrations as tables: one of questions and items, one of their figures."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from interviews.exports.columns import AnyTable, Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import IN_ORDER
from reflections.calibration.calibrations import result_of
from reflections.calibration.types import (
    MAKERS,
    ChosenOption,
    HeldOutQuestion,
    HeldOutResult,
    ItemResult,
    Mean,
    QuestionnaireResult,
)
from reflections.models import Calibration

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
AnyResult = HeldOutResult | QuestionnaireResult

AVERAGE = "What knows nothing of the person, see baseline"
SAID = "the answer, or the option chosen. Empty where it is another participant's."
SCORE = (
    "agreement with what was said (0, 0.5, 1, by a model), or for an item whether the option is "
    "the same (0, 1). Empty where it failed."
)
LIKENESS = "share of words in common with what was said, by rules."


class CalibrationColumns(NamedTuple):
    calibration: Annotated[int, "Number of the calibration."]
    method: Annotated[str, "How it was measured.", METHODS]
    made_at: Annotated[datetime | None, "When it was made (UTC)."]
    seed: Annotated[int, "What questions and intervals were drawn by."]


class CalibrationRow(NamedTuple):
    session: ExportedSession
    calibration: CalibrationColumns
    key: Annotated[str, "Key of the question or item."]
    text: Annotated[str, "Its words."]
    positions: Annotated[
        str | None,
        "Where the answer that was held out stands in the transcript, with spaces between.",
    ]
    options: Annotated[str | None, "Options of an item, a line each."]
    answer: Annotated[str | None, "What the participant answered to the item."]
    answer_again: Annotated[str | None, "… and the second time."]
    counts: Annotated[bool, "Whether it is in the figures: only where all three were scored."]
    baseline: Annotated[str, "What average_answer is.", BASELINES]
    others: Annotated[int, "Other participants whose answers the baseline was chosen from."]
    replica_answer: Annotated[str, f"The replica: {SAID}"]
    replica_score: Annotated[float | None, f"The replica: {SCORE}"]
    replica_likeness: Annotated[float | None, f"The replica: {LIKENESS}"]
    notes_answer: Annotated[str, f"Replica that knew notes alone: {SAID}"]
    notes_score: Annotated[float | None, f"Replica that knew notes alone: {SCORE}"]
    notes_likeness: Annotated[float | None, f"Replica that knew notes alone: {LIKENESS}"]
    average_answer: Annotated[str, f"{AVERAGE}: {SAID}"]
    average_score: Annotated[float | None, f"{AVERAGE}: {SCORE}"]
    average_likeness: Annotated[float | None, f"{AVERAGE}: {LIKENESS}"]


class FigureRow(NamedTuple):
    session: ExportedSession
    calibration: CalibrationColumns
    figure: Annotated[str, "Which figure.", FIGURES]
    whose: Annotated[str, "Whose figure it is.", WHOSE]
    n: Annotated[int, "Questions or items that it is over."]
    value: Annotated[
        float | None, "Agreement with what was said, and not with the person; no forecast."
    ]
    low: Annotated[float | None, "Where the 95 % interval begins."]
    high: Annotated[float | None, "Where it ends (bootstrap)."]


def rows(selection: Selection) -> Iterator[CalibrationRow]:
    for session, calibration, result in _calibrations(selection):
        if isinstance(result, HeldOutResult):
            yield from (_question_row(session, calibration, one) for one in result.questions)
        else:
            yield from (_item_row(session, calibration, one) for one in result.items)


def figure_rows(selection: Selection) -> Iterator[FigureRow]:
    for session, calibration, result in _calibrations(selection):
        for figure, whose, mean in _figures(result):
            numbers = (mean.n, mean.value, mean.low, mean.high)
            yield FigureRow(session, calibration, figure, whose, *numbers)


def _calibrations(
    selection: Selection,
) -> Iterator[tuple[ExportedSession, CalibrationColumns, AnyResult]]:
    for batch in batches(selection.with_content()):
        found = Calibration.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "pk")
        for session, rows in by_session(batch, ((row.session_id, row) for row in found)):
            for _, row in rows:
                if result := result_of(row):
                    columns = (row.pk, row.method, row.finished_at, result.seed)
                    yield session, CalibrationColumns(*columns), result


def _question_row(
    session: ExportedSession, calibration: CalibrationColumns, held: HeldOutQuestion
) -> CalibrationRow:
    answers = (held.given[maker] for maker in MAKERS)
    cells: Iterator[Any] = (
        cell for one in answers for cell in (one.answer, one.agreement, one.likeness)
    )
    return CalibrationRow(
        session,
        calibration,
        held.key,
        held.text,
        " ".join(map(str, held.positions)),
        *(None, None, None),
        *(held.counts, held.baseline, held.others),
        *cells,
    )


def _item_row(
    session: ExportedSession, calibration: CalibrationColumns, answered: ItemResult
) -> CalibrationRow:
    item = answered.item
    choices = (answered.chosen[maker] for maker in MAKERS)
    cells: Iterator[Any] = (
        cell for one in choices for cell in (one.option, _score(one, item.answer), None)
    )
    return CalibrationRow(
        session,
        calibration,
        item.key,
        item.text,
        None,
        *("\n".join(item.options), item.answer, item.again),
        *(answered.counts, answered.baseline, answered.others),
        *cells,
    )


def _score(chosen: ChosenOption, answer: str) -> float | None:
    return None if chosen.failed else float(chosen.option == answer)


def _figures(result: AnyResult) -> Iterator[tuple[str, str, Mean]]:
    if isinstance(result, HeldOutResult):
        named = {"agreement": result.agreement, "likeness": result.likeness, "lead": result.lead}
    else:
        named = {
            "accuracy": result.accuracy,
            "closeness": result.closeness,
            "accuracy_twice": result.twice,
            "normalised": result.normalised,
        }
        yield "consistency", "participant", result.consistency
    for name, compared in named.items():
        yield from ((name, maker, compared[maker]) for maker in MAKERS if maker in compared)


CALIBRATIONS = Table(
    "calibrations",
    "One row a question or item by which a replica was measured. What was really said to a "
    "question stands in `transcripts`, at these positions.",
    columns_of(CalibrationRow),
    rows,
    right=RIGHT,
)
CALIBRATION_FIGURES = Table(
    "calibration_figures",
    "One row a figure of a calibration: the replica's, and those of what does without it.",
    columns_of(FigureRow),
    figure_rows,
    right=RIGHT,
)
TABLES: tuple[AnyTable, ...] = (CALIBRATIONS, CALIBRATION_FIGURES)
