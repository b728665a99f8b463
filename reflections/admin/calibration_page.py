"""What the page of a calibration shows, as far as its reader may see it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from interviews.choices import SpeakerRole
from interviews.models import TranscriptEntry
from reflections.admin.calibration_plot import PlotPart, compared_part, part_of, questions_part
from reflections.calibration import descriptions
from reflections.calibration.calibrations import result_of
from reflections.calibration.descriptions import NAMES
from reflections.calibration.types import (
    MAKERS,
    CandidateAnswer,
    HeldOutQuestion,
    HeldOutResult,
    ItemResult,
    Maker,
    Mean,
    QuestionnaireResult,
)
from reflections.models import Calibration

TRANSCRIPT = "interviews.view_session"
GONE = "This interview no longer exists."
WITHHELD = "Only people who may view interviews can see this."


@dataclass(frozen=True)
class CandidateView:
    kind: Maker
    name: str
    text: str
    given: CandidateAnswer


@dataclass(frozen=True)
class QuestionView:
    held: HeldOutQuestion
    said: str
    candidates: list[CandidateView]
    unscored: str


@dataclass(frozen=True)
class CalibrationView:
    measured: HeldOutResult | QuestionnaireResult
    headline: Mean
    headline_of: str
    unit: str
    parts: list[PlotPart]
    notes: list[str]
    questions: list[QuestionView]
    rows: list[tuple[ItemResult, list[tuple[str, str]]]]  # with what was chosen, and its tone
    open: bool  # whether the participant's words may be seen

    @property
    def makers(self) -> list[tuple[Maker, str, str]]:
        return [(maker, NAMES[maker], descriptions.MEANINGS[maker]) for maker in MAKERS]


def calibration_view(request: HttpRequest, row: Calibration) -> CalibrationView | None:
    """Return the page's content, or None until the calibration is finished."""
    measured = result_of(row)
    may_see = request.user.has_perm(TRANSCRIPT)
    if isinstance(measured, HeldOutResult):
        return _held_out_view(row, measured, may_see)
    if isinstance(measured, QuestionnaireResult):
        return _questionnaire_view(measured, may_see)
    return None


# -- questions held out


@dataclass(frozen=True)
class _ParticipantWords:
    """What participants said, by interview and position; empty for who may not see it."""

    own: str  # the id of the interview that is calibrated
    texts: Mapping[tuple[str, int], str]
    open: bool

    def at(self, session: str, positions: Sequence[int]) -> str:
        if not self.open:
            return WITHHELD
        lines = (self.texts.get((session, place), "") for place in positions)
        return "\n".join(filter(None, lines)) or GONE


def _held_out_view(row: Calibration, measured: HeldOutResult, may_see: bool) -> CalibrationView:
    texts = _participant_texts(row, measured) if may_see else {}
    words = _ParticipantWords(str(row.session_id), texts, may_see)
    return CalibrationView(
        measured=measured,
        headline=measured.agreement["replica"],
        headline_of="Agreement",
        unit="questions",
        parts=[
            compared_part("Agreement, as judged by a model", measured.agreement),
            compared_part("Words in common, by rules", measured.likeness),
            questions_part("Agreement question by question", measured.questions),
        ],
        notes=[
            _average_note(measured.questions, descriptions.BASELINES),
            *_lead_notes(measured),
            *_few_notes(measured.agreement["replica"].n, "questions"),
        ],
        questions=[_question_view(one, words) for one in measured.questions],
        rows=[],
        open=may_see,
    )


def _participant_texts(row: Calibration, measured: HeldOutResult) -> Mapping[tuple[str, int], str]:
    """Return what the measured participant, and the others compared with, said."""
    wanted = {(str(row.session_id), place) for one in measured.questions for place in one.positions}
    for one in measured.questions:
        other = one.given["average"]
        wanted |= {(other.session, place) for place in other.positions}
    sessions, places = {UUID(key) for key, _ in wanted}, {place for _, place in wanted}
    entries = TranscriptEntry.objects.filter(session__in=sessions, position__in=places)
    rows = entries.filter(role=SpeakerRole.PARTICIPANT).values_list("session", "position", "text")
    return {(str(key), place): text for key, place, text in rows if (str(key), place) in wanted}


def _question_view(one: HeldOutQuestion, words: _ParticipantWords) -> QuestionView:
    return QuestionView(
        held=one,
        said=words.at(words.own, one.positions),
        candidates=[_candidate_view(maker, one.given[maker], words) for maker in MAKERS],
        unscored="; ".join(filter(None, (given.failed for given in one.given.values()))),
    )


def _candidate_view(
    maker: Maker, given: CandidateAnswer, words: _ParticipantWords
) -> CandidateView:
    text = words.at(given.session, given.positions) if given.session else given.answer
    return CandidateView(maker, NAMES[maker], text or given.failed, given)


def _average_note(
    results: Iterable[HeldOutQuestion | ItemResult], meanings: Mapping[Any, str]
) -> str:
    """Say whose answers the “average” baseline has."""
    baselines = dict.fromkeys((one.baseline, one.others) for one in results)
    meaning = " or ".join(meanings[base].format(others=others) for base, others in baselines)
    return f"“{NAMES['average']}” is {meaning}."


def _lead_notes(measured: HeldOutResult) -> list[str]:
    notes = []
    for maker, mean in measured.lead.items():
        if mean.value is not None:
            bounds = "" if mean.low is None else f" ({mean.low:+.2f} to {mean.high:+.2f})"
            ahead = f"{mean.value:+.2f}{bounds}".replace("-", "−")
            name = NAMES[maker].lower()
            notes.append(f"The replica {_compared(mean)} “{name}”; the difference is {ahead}.")
    return notes


def _compared(lead: Mean) -> str:
    """Say what a difference means, where its interval lies on one side of 0 and where not."""
    if (lead.low or 0.0) > 0:
        return "agrees more than"
    return "agrees less than" if (lead.high or 0.0) < 0 else "can’t be distinguished from"


def _few_notes(count: int, unit: str) -> list[str]:
    return [descriptions.FEW.format(unit=unit)] if count < descriptions.FEW_FROM else []


# -- questionnaires


def _questionnaire_view(measured: QuestionnaireResult, may_see: bool) -> CalibrationView:
    return CalibrationView(
        measured=measured,
        headline=measured.accuracy["replica"],
        headline_of="Accuracy",
        unit="items",
        parts=_questionnaire_parts(measured),
        notes=_questionnaire_notes(measured),
        questions=[],
        rows=[(one, [_chosen_option(one, maker) for maker in MAKERS]) for one in measured.items],
        open=may_see,
    )


def _questionnaire_parts(measured: QuestionnaireResult) -> list[PlotPart]:
    parts = [compared_part("Accuracy", measured.accuracy)]
    if measured.closeness["replica"].n:
        parts.append(compared_part("Closeness, on ranges of numbers", measured.closeness))
    if measured.consistency.n:
        own = [("own", "Participant, asked twice", measured.consistency)]
        parts.append(part_of("The participant’s own consistency", own))
        parts.append(compared_part("Normalised accuracy", measured.normalised))
    return parts


def _questionnaire_notes(measured: QuestionnaireResult) -> list[str]:
    notes = [_average_note(measured.items, descriptions.ITEM_BASELINES)]
    if measured.consistency.n and measured.consistency.value == 0:
        notes.append(descriptions.NO_CONSISTENCY)
    if any((mean.value or 0) > 1 for mean in measured.normalised.values()):
        notes.append(descriptions.OVER_ONE)
    return [*notes, *_few_notes(measured.accuracy["replica"].n, "items")]


def _chosen_option(one: ItemResult, maker: Maker) -> tuple[str, str]:
    """Return what was chosen, and a tone: same, other or missing."""
    chosen = one.chosen[maker]
    if chosen.failed:
        return "not asked", "missing"
    same = chosen.option == one.item.answer
    return chosen.option or "none of them", "same" if same else "other"
