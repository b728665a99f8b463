"""What the page of a calibration shows, as far as a person may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest

from interviews.models import TranscriptEntry
from interviews.words import Role
from reflections.admin.calibration_plot import Part, compared_part, part_of, questions_part
from reflections.calibrations import measured_of
from reflections.models import Calibration
from reflections.replica import words
from reflections.replica.types import (
    MAKERS,
    Answered,
    Compared,
    Given,
    Held,
    HeldOutMeasured,
    Maker,
    Mean,
    QuestionnaireMeasured,
)

TRANSCRIPT = "interviews.view_session"
NAMED = "interviews.view_participant"
GONE = "This interview is no longer there."
WITHHELD = "Kept for who may view interviews."


@dataclass(frozen=True)
class Candidate:
    """One answer to a question, with its scores."""

    kind: Maker
    name: str
    text: str
    agreement: str
    likeness: str
    why: str


@dataclass(frozen=True)
class Question:
    """One question with what was said and the candidates."""

    number: int
    held: Held
    said: str
    candidates: list[Candidate]
    unscored: str


@dataclass(frozen=True)
class Row:
    """One item as its table shows it."""

    one: Answered
    chosen: list[tuple[str, str]]  # what, and a tone: same, other


@dataclass(frozen=True)
class Shown:
    """All of it."""

    measured: HeldOutMeasured | QuestionnaireMeasured
    headline: Mean
    headline_of: str
    unit: str
    parts: list[Part]
    about: Sequence[str]
    notes: list[str]
    questions: list[Question]
    rows: list[Row]
    open: bool  # whether the participant's words may be seen

    @property
    def makers(self) -> list[tuple[Maker, str, str]]:
        """Whose figures they are: kind, name and what it knew."""
        return [(maker, words.NAMES[maker], words.MEANINGS[maker]) for maker in MAKERS]


def shown_of(request: HttpRequest, row: Calibration) -> Shown | None:
    """What was measured; None until it is."""
    measured = measured_of(row)
    sees = request.user.has_perm(TRANSCRIPT)
    if isinstance(measured, HeldOutMeasured):
        return _held_out(row, measured, sees)
    if isinstance(measured, QuestionnaireMeasured):
        return _questionnaire(measured, sees)
    return None


# -- questions held out


@dataclass(frozen=True)
class _Words:
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


def _held_out(row: Calibration, measured: HeldOutMeasured, sees: bool) -> Shown:
    said = _Words(str(row.session_id), _said(row, measured) if sees else {}, sees)
    return Shown(
        measured=measured,
        headline=measured.agreement.replica,
        headline_of="Agreement",
        unit="questions",
        parts=[
            compared_part("Agreement, as judged by a model", measured.agreement),
            compared_part("Words in common, by rules", measured.likeness),
            questions_part("Agreement question by question", measured.questions),
        ],
        about=words.HELD_OUT,
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


def _said(row: Calibration, measured: HeldOutMeasured) -> Mapping[tuple[str, int], str]:
    """The words at the places that it names: the participant's, and those of others."""
    wanted = {(str(row.session_id), place) for one in measured.questions for place in one.positions}
    for one in measured.questions:
        other = one.given["average"]
        wanted |= {(other.session, place) for place in other.positions}
    sessions, places = {UUID(key) for key, _ in wanted}, {place for _, place in wanted}
    entries = TranscriptEntry.objects.filter(session__in=sessions, position__in=places)
    found = entries.filter(role=Role.PARTICIPANT).values_list("session", "position", "text")
    return {(str(key), place): text for key, place, text in found if (str(key), place) in wanted}


def _question(number: int, one: Held, said: _Words) -> Question:
    return Question(
        number=number,
        held=one,
        said=said.at(said.own, one.positions),
        candidates=[_candidate(maker, one.given[maker], said) for maker in MAKERS],
        unscored="; ".join(filter(None, (given.failed for given in one.given.values()))),
    )


def _candidate(maker: Maker, given: Given, said: _Words) -> Candidate:
    text = said.at(given.session, given.positions) if given.session else given.answer
    return Candidate(
        kind=maker,
        name=words.NAMES[maker],
        text=text or given.failed,
        agreement=_score(given.agreement, "g"),
        likeness=_score(given.likeness, ".2f"),
        why=given.why if said.open else "",
    )


def _score(value: float | None, form: str) -> str:
    return "" if value is None else f"{value:{form}}"


def _average(measured: HeldOutMeasured) -> str:
    """Whose answers the last baseline has."""
    bases = dict.fromkeys((one.baseline, one.others) for one in measured.questions)
    told = " or ".join(words.BASELINES[base].format(others=others) for base, others in bases)
    return f"“{words.NAMES['average']}” is {told}."


def _leads(measured: HeldOutMeasured) -> list[str]:
    """By how much the replica is ahead, question by question."""
    found = []
    for maker, mean in measured.lead.items():
        if mean.value is not None:
            bounds = "" if mean.low is None else f" ({mean.low:+.2f} to {mean.high:+.2f})"
            ahead = f"{mean.value:+.2f}{bounds}".replace("-", "−")
            name = words.NAMES[maker].lower()
            found.append(f"The replica less “{name}”, on average: {ahead}.")
    return found


def _few(count: int, unit: str) -> list[str]:
    return [words.FEW.format(unit=unit)] if count < words.FEW_FROM else []


# -- questionnaires


def _questionnaire(measured: QuestionnaireMeasured, sees: bool) -> Shown:
    return Shown(
        measured=measured,
        headline=measured.accuracy.replica,
        headline_of="Accuracy",
        unit="items",
        parts=list(_parts(measured)),
        about=words.QUESTIONNAIRE,
        notes=_remarks(measured),
        questions=[],
        rows=[_row(one) for one in measured.items],
        open=sees,
    )


def _parts(measured: QuestionnaireMeasured) -> list[Part]:
    parts = [compared_part("Accuracy", measured.accuracy)]
    if measured.closeness.replica.n:
        parts.append(compared_part("Closeness, on ranges of numbers", measured.closeness))
    if measured.consistency.n:
        own = [("own", "Participant, twice", measured.consistency)]
        parts.append(part_of("The participant’s own consistency", own))
        parts.append(compared_part("Normalised accuracy", measured.normalised))
    return parts


def _remarks(measured: QuestionnaireMeasured) -> list[str]:
    bases = dict.fromkeys((one.baseline, one.others) for one in measured.items)
    told = " or ".join(words.ITEM_BASELINES[base].format(others=others) for base, others in bases)
    remarks = [f"“{words.NAMES['average']}” is {told}."]
    if measured.consistency.n and measured.consistency.value == 0:
        remarks.append(words.NO_CONSISTENCY)
    if _over_one(measured.normalised):
        remarks.append(words.OVER_ONE)
    return [*remarks, *_few(measured.accuracy.replica.n, "items")]


def _over_one(compared: Compared) -> bool:
    return any((compared.of(maker).value or 0) > 1 for maker in MAKERS)


def _row(one: Answered) -> Row:
    return Row(one, [_choice(one, maker) for maker in MAKERS])


def _choice(one: Answered, maker: Maker) -> tuple[str, str]:
    chosen = one.chosen[maker]
    if chosen.failed:
        return "not asked", "missing"
    same = chosen.option == one.item.answer
    return chosen.option or "none of them", "same" if same else "other"
