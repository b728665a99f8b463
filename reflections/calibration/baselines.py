"""Baselines that need no model: other participants' answers, from rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from interviews.choices import ENDED
from interviews.exports.planned import planned_questions
from interviews.models import Session
from reflections.calibration.by_holdout import OtherAnswer
from reflections.calibration.holdout import answered_questions
from reflections.calibration.types import QuestionnaireItem
from reflections.evidence.material import transcript_of
from reflections.models import Calibration

MAX_SESSIONS = 60


def other_answers(session: Session, script: Mapping[str, str]) -> dict[str, list[OtherAnswer]]:
    """Return others' answers to each question of `script` (key -> text) asked in the same words."""
    found: dict[str, list[OtherAnswer]] = {key: [] for key in script}
    for other in _latest_per_participant(_comparable(session)):
        for one in answered_questions(transcript_of(other), _shared_questions(other, script)):
            found[one.key].append(OtherAnswer(str(other.pk), one.positions, one.answer))
    return found


def other_options(session: Session, items: Iterable[QuestionnaireItem]) -> dict[str, list[str]]:
    wanted = {item.key: (item.text.casefold(), item.options) for item in items}
    found: dict[str, list[str]] = {key: [] for key in wanted}
    for stored in _latest_questionnaires(session):
        for item in map(QuestionnaireItem.model_validate, stored):
            if wanted.get(item.key) == (item.text.casefold(), item.options):
                found[item.key].append(item.answer)
    return found


def _comparable(session: Session) -> QuerySet[Session]:
    return (
        Session.objects.filter(
            bot=session.bot_id,
            bot__isnull=False,
            language=session.language,
            status__in=ENDED,
            preview=False,
            synthetic=session.synthetic,
            participant__isnull=False,
        )
        .exclude(pk=session.pk)
        .exclude(participant=session.participant_id)
        .order_by("-started_at", "-pk")
    )


def _latest_per_participant(sessions: QuerySet[Session]) -> Iterator[Session]:
    seen = set[Any]()
    for session in sessions.defer("state").iterator(chunk_size=MAX_SESSIONS):
        if session.participant_id not in seen:
            seen.add(session.participant_id)
            yield session
        if len(seen) == MAX_SESSIONS:
            return


def _shared_questions(other: Session, script: Mapping[str, str]) -> dict[str, str]:
    planned = planned_questions(other.plan_id, other.language)
    return {one.key: one.text for one in planned if script.get(one.key) == one.text}


def _latest_questionnaires(session: Session) -> Iterator[Sequence[Any]]:
    calibrations = Calibration.objects.filter(
        method=Calibration.Method.QUESTIONNAIRE, session__in=_comparable(session).order_by()
    )
    seen = set[Any]()
    rows = calibrations.order_by("-pk").values_list("session__participant", "options")
    for person, options in rows.iterator(chunk_size=MAX_SESSIONS):
        if person not in seen:
            seen.add(person)
            yield options["items"]
