"""What the page of a calibration shows, as far as a person may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest

from interviews.choices import SpeakerRole
from interviews.models import TranscriptEntry
from reflections.admin.calibration_plot import PlotPart, compared_part, part_of, questions_part
from reflections.calibration import descriptions
from reflections.calibration.calibrations import result_of
from reflections.calibration.types import (
    MAKERS,
    CandidateAnswer,
    Comparison,
    HeldOutQuestion,
    HeldOutResult,
    ItemResult,
    Maker,
    Mean,
    QuestionnaireResult,
)
from reflections.models import Calibration

TRANSCRIPT = "interviews.view_session"
NAMED = "interviews.view_participant"
GONE = "This interview is no longer there."
WITHHELD = "Kept for who may view interviews."


@dataclass(frozen=True)
class CandidateView:
    """One answer to a question, with its scores."""

    kind: Maker
    name: str
    text: str
    agreement: str
    likeness: str
    why: str


@dataclass(frozen=True)
class QuestionView:
    """One question with what was said and the candidates."""

    number: int
    held: HeldOutQuestion
    said: str
    candidates: list[CandidateView]
    unscored: str


@dataclass(frozen=True)
class ItemView:
    """One item as its table shows it."""

    one: ItemResult
    chosen: list[tuple[str, str]]  # what, and a tone: same, other


@dataclass(frozen=True)
class CalibrationView:
    """All of it."""

    measured: HeldOutResult | QuestionnaireResult
    headline: Mean
    headline_of: str
    unit: str
    parts: list[PlotPart]
    about: Sequence[str]
    notes: list[str]
    questions: list[QuestionView]
    rows: list[ItemView]
    open: bool  # whether the participant's words may be seen

    @property
    def makers(self) -> list[tuple[Maker, str, str]]:
        """Whose figures they are: kind, name and what it knew."""
        return [
            (maker, descriptions.NAMES[maker], descriptions.MEANINGS[maker]) for maker in MAKERS
        ]


def shown_of(request: HttpRequest, row: Calibration) -> CalibrationView | None:
    """What was measured; None until it is."""
    measured = result_of(row)
    sees = request.user.has_perm(TRANSCRIPT)
    if isinstance(measured, HeldOutResult):
        return _held_out(row, measured, sees)
    if isinstance(measured, QuestionnaireResult):
        return _questionnaire(measured, sees)
    return None


# -- questions held out


@dataclass(frozen=True)
class _ParticipantWords:
    """What participants said, by interview and position, for who may see it."""

    own: str  # the id of the interview that is calibrated
    texts: Mapping[tuple[str, int], str]
    open: bool

    def at(self, session: str, positions: Sequence[int]) -> str:
        """The words there; a remark where they are gone or withheld."""
        if not self.open:
            return WITHHELD
        lines = (self.texts.get((session, place), "") for place in positions)
        return "\n".join(filter(None, lines)) or GONE


def _held_out(row: Calibration, measured: HeldOutResult, sees: bool) -> CalibrationView:
    said = _ParticipantWords(str(row.session_id), _said(row, measured) if sees else {}, sees)
    return CalibrationView(
        measured=measured,
        headline=measured.agreement.replica,
        headline_of="Agreement",
        unit="questions",
        parts=[
            compared_part("Agreement, as judged by a model", measured.agreement),
            compared_part("Words in common, by rules", measured.likeness),
            questions_part("Agreement question by question", measured.questions),
        ],
        about=descriptions.HELD_OUT,
        notes=[
            _average(measured),
            *_leads(measured),
            *_few(measured.agreement.replica.n, "questions"),
        ],
        questions=[
            _question(number, one, said) for number, one in enumerate(measured.questions, 1)
        ],
        rows=[],
        open=sees,
    )


def _said(row: Calibration, measured: HeldOutResult) -> Mapping[tuple[str, int], str]:
    """The words at the places that it names: the participant's, and those of others."""
    wanted = {(str(row.session_id), place) for one in measured.questions for place in one.positions}
    for one in measured.questions:
        other = one.given["average"]
        wanted |= {(other.session, place) for place in other.positions}
    sessions, places = {UUID(key) for key, _ in wanted}, {place for _, place in wanted}
    entries = TranscriptEntry.objects.filter(session__in=sessions, position__in=places)
    found = entries.filter(role=SpeakerRole.PARTICIPANT).values_list("session", "position", "text")
    return {(str(key), place): text for key, place, text in found if (str(key), place) in wanted}


def _question(number: int, one: HeldOutQuestion, said: _ParticipantWords) -> QuestionView:
    return QuestionView(
        number=number,
        held=one,
        said=said.at(said.own, one.positions),
        candidates=[_candidate(maker, one.given[maker], said) for maker in MAKERS],
        unscored="; ".join(filter(None, (given.failed for given in one.given.values()))),
    )


def _candidate(maker: Maker, given: CandidateAnswer, said: _ParticipantWords) -> CandidateView:
    text = said.at(given.session, given.positions) if given.session else given.answer
    return CandidateView(
        kind=maker,
        name=descriptions.NAMES[maker],
        text=text or given.failed,
        agreement=_score(given.agreement, "g"),
        likeness=_score(given.likeness, ".2f"),
        why=given.why if said.open else "",
    )


def _score(value: float | None, form: str) -> str:
    return "" if value is None else f"{value:{form}}"


def _average(measured: HeldOutResult) -> str:
    """Whose answers the last baseline has."""
    bases = dict.fromkeys((one.baseline, one.others) for one in measured.questions)
    told = " or ".join(descriptions.BASELINES[base].format(others=others) for base, others in bases)
    return f"“{descriptions.NAMES['average']}” is {told}."


def _leads(measured: HeldOutResult) -> list[str]:
    """By how much the replica is ahead, question by question."""
    found = []
    for maker, mean in measured.lead.items():
        if mean.value is not None:
            bounds = "" if mean.low is None else f" ({mean.low:+.2f} to {mean.high:+.2f})"
            ahead = f"{mean.value:+.2f}{bounds}".replace("-", "−")
            name = descriptions.NAMES[maker].lower()
            found.append(f"The replica less “{name}”, on average: {ahead}.")
    return found


def _few(count: int, unit: str) -> list[str]:
    return [descriptions.FEW.format(unit=unit)] if count < descriptions.FEW_FROM else []


# -- questionnaires


def _questionnaire(measured: QuestionnaireResult, sees: bool) -> CalibrationView:
    return CalibrationView(
        measured=measured,
        headline=measured.accuracy.replica,
        headline_of="Accuracy",
        unit="items",
        parts=list(_parts(measured)),
        about=descriptions.QUESTIONNAIRE,
        notes=_remarks(measured),
        questions=[],
        rows=[_row(one) for one in measured.items],
        open=sees,
    )


def _parts(measured: QuestionnaireResult) -> list[PlotPart]:
    parts = [compared_part("Accuracy", measured.accuracy)]
    if measured.closeness.replica.n:
        parts.append(compared_part("Closeness, on ranges of numbers", measured.closeness))
    if measured.consistency.n:
        own = [("own", "Participant, twice", measured.consistency)]
        parts.append(part_of("The participant’s own consistency", own))
        parts.append(compared_part("Normalised accuracy", measured.normalised))
    return parts


def _remarks(measured: QuestionnaireResult) -> list[str]:
    bases = dict.fromkeys((one.baseline, one.others) for one in measured.items)
    told = " or ".join(
        descriptions.ITEM_BASELINES[base].format(others=others) for base, others in bases
    )
    remarks = [f"“{descriptions.NAMES['average']}” is {told}."]
    if measured.consistency.n and measured.consistency.value == 0:
        remarks.append(descriptions.NO_CONSISTENCY)
    if _over_one(measured.normalised):
        remarks.append(descriptions.OVER_ONE)
    return [*remarks, *_few(measured.accuracy.replica.n, "items")]


def _over_one(compared: Comparison) -> bool:
    return any((compared.of(maker).value or 0) > 1 for maker in MAKERS)


def _row(one: ItemResult) -> ItemView:
    return ItemView(one, [_choice(one, maker) for maker in MAKERS])


def _choice(one: ItemResult, maker: Maker) -> tuple[str, str]:
    chosen = one.chosen[maker]
    if chosen.failed:
        return "not asked", "missing"
    same = chosen.option == one.item.answer
    return chosen.option or "none of them", "same" if same else "other"
