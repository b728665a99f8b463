from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from interviews import validation
from interviews.choices import ACTIVE
from interviews.models import Assignment, Participant, Session
from interviews.protocols import PROTOCOLS
from interviews.recruitment.arms import find_experiment, take_place
from interviews.recruitment.consent import (
    ConsentChoice,
    ConsentWording,
    consent_wording,
    declined_error,
    record_agreement,
    record_refusal,
    refuse_outdated,
)
from interviews.recruitment.eligibility import check_eligibility, reserve_place
from interviews.recruitment.eligibility.invitation_only import check_invitation, invitation_of
from interviews.recruitment.eligibility.opening_hours import not_open_error
from interviews.recruitment.eligibility.quota_cells import all_given, cell_name
from interviews.recruitment.invitations.letters import stop_letters
from interviews.recruitment.panel_parameters import merge_params
from interviews.recruitment.start_page import text_in
from interviews.turns import store
from interviews.turns.store import ClaimedTurn
from interviews.validation import RequestRefused
from interviews.webhooks import Event, tell_of_session
from plans.bots.compile import NotReady, plan_for
from plans.models import Bot, Experiment, Plan
from plans.text import tidy
from plans.text.languages import match_language

LONGEST_ANSWER = 2_000


@dataclass(frozen=True)
class StartRequest:
    """What a participant or program asks for when starting an interview.

    No consent is stored if `consent` is None: it was asked for elsewhere.
    """

    bot: str | None  # its address; None: the default one
    name: str
    language: str = ""
    params: Mapping[str, str] = field(default_factory=dict)  # the link's
    start_answers: Mapping[str, str] = field(default_factory=dict)  # into start fields
    preview: bool = False
    synthetic: bool = False
    simulated: bool = False  # synthetic, takes no place, and needs no open door
    consent: ConsentChoice | None = None
    language_source: str = ""
    accepted_languages: Sequence[str] = ()  # the browser's, asked for if `language` names none
    experiment: str = ""  # its address; the bot is that of its first arm
    key: str = ""  # the start form's: sent twice, it begins one interview


def open_session(
    request: StartRequest, participant: Participant | None, interface: str | None = None
) -> tuple[ClaimedTurn, Participant]:
    """Store a session with its claimed opening turn. Raises RequestRefused in that language.

    A declined consent is stored too, and refused as `declined`. A form that was sent before gives
    the session that it began, as long as nothing was said in it.
    """
    request = replace(request, name=validation.name(request.name), key=request.key[:36])
    if sent := _begun_by(request):
        return sent
    with translation.override(interface or get_language()):
        return _open(request, participant)


def _begun_by(request: StartRequest) -> tuple[ClaimedTurn, Participant] | None:
    sessions = Session.objects.select_related("participant").filter(start_key=request.key)
    session = sessions.filter(turn_count=0, status__in=ACTIVE).first() if request.key else None
    if session is None or session.participant is None:
        return None
    opening = ClaimedTurn(session.turns.get(number=0), session, begun_before=True)
    return opening, session.participant


def _open(
    request: StartRequest, participant: Participant | None
) -> tuple[ClaimedTurn, Participant]:
    bot = _bot(request)
    request = _apply_link(request, bot, participant)
    if not (request.preview or request.simulated):
        _admit(request, bot, participant, timezone.now())
    plan = _plan(bot)
    request = _choose_language(request, plan)
    words = consent_wording(bot, text_in(bot, request.language))
    if request.consent is not None:
        _check_consent(request, request.consent, bot, participant, words)
    try:
        return _create(request, bot, plan, participant, words)
    except IntegrityError:  # the same person has started in two windows, or pressed twice, at once
        again = replace(request, key="")  # a form that was used before, for an older interview
        return _begun_by(request) or _create(again, bot, plan, participant, words)


def _admit(request: StartRequest, bot: Bot, person: Participant | None, at: datetime) -> None:
    declines = request.consent is not None and not request.consent.agreed
    if declines and invitation_of(bot, person):
        check_invitation(bot, person, at)  # may decline at any time
        return
    check_eligibility(bot, person, at, request.params, request.start_answers)


def _check_consent(
    request: StartRequest,
    choice: ConsentChoice,
    bot: Bot,
    person: Participant | None,
    words: ConsentWording,
) -> None:
    if not choice.agreed:
        record_refusal(bot, choice, words, timezone.now(), request.preview)
        stop_letters(bot, person)
        raise declined_error()
    refuse_outdated(choice, words)


@transaction.atomic
def _create(
    request: StartRequest,
    bot: Bot,
    plan: Plan,
    participant: Participant | None,
    words: ConsentWording,
) -> tuple[ClaimedTurn, Participant]:
    answers = {"language": request.language, **request.start_answers}
    if not (request.preview or request.simulated):
        reserve_place(bot, participant, timezone.now(), request.params, answers)
    given = all_given(bot, answers, request.params)
    cell = cell_name(bot, given)
    assignment = _assignment(request, participant, given)
    if assignment:
        bot = assignment.arm.bot
        plan = assignment.arm.plan or _plan(bot)
    person = participant or Participant.objects.create(name=request.name)
    if participant and request.name and participant.name != request.name:
        participant.name = request.name
        participant.save(update_fields=["name"])
    claimed = store.begin(bot, plan, person, _session(request, bot, plan, person, cell))
    if assignment:
        assignment.session = claimed.session
        assignment.save()
    if request.consent is not None:
        record_agreement(claimed.session, words, claimed.session.started_at)
    tell_of_session(Event.BEGUN, claimed.session)
    return claimed, person


def _assignment(
    request: StartRequest, person: Participant | None, given: Mapping[str, str]
) -> Assignment | None:
    experiment = find_experiment(request.experiment) if request.experiment else None
    if experiment is None:
        return None
    if experiment.status != Experiment.Status.LIVE:
        raise not_open_error()
    return take_place(experiment, person, given, timezone.now())


def _bot(request: StartRequest) -> Bot:
    chosen = {"slug": request.bot} if request.bot else {"is_default": True}
    bot = Bot.objects.filter(**chosen).prefetch_related("texts").first()
    if bot is None:
        raise RequestRefused("unknown_bot", _("This interview doesn’t exist."))
    return bot


def _plan(bot: Bot) -> Plan:
    try:
        return plan_for(bot)
    except NotReady as error:
        raise RequestRefused("not_ready", _("This interview isn’t ready yet.")) from error


def _apply_link(request: StartRequest, bot: Bot, person: Participant | None) -> StartRequest:
    invitation = invitation_of(bot, person)
    request = replace(request, params=merge_params(bot, request.params, invitation))
    if request.language or invitation is None or not invitation.language:
        return request
    return replace(request, language=invitation.language, language_source="link")


def _choose_language(request: StartRequest, plan: Plan) -> StartRequest:
    languages = store.plan_content(plan.pk).languages
    browser = ((tag, "browser") for tag in request.accepted_languages)
    for tag, how in ((request.language, request.language_source), *browser):
        if language := match_language(tag, languages):
            return replace(request, language=language, language_source=how)
    return replace(request, language=languages[0], language_source="bot")


def _session(
    request: StartRequest, bot: Bot, plan: Plan, person: Participant, cell: str
) -> Session:
    return Session(
        bot=bot,
        plan=plan,
        participant=person,
        start_key=request.key or None,
        invitation=invitation_of(bot, person),
        title=bot.title_in(request.language),
        host=bot.host_in(request.language),
        language=request.language,
        language_source=request.language_source,
        params=request.params,
        start_answers=_start_answers(request, plan),
        cell=cell,
        collects_paradata=bot.keeps_paradata,
        preview=request.preview,
        synthetic=request.synthetic or request.simulated,
        started_at=timezone.now(),
    )


def _start_answers(request: StartRequest, plan: Plan) -> dict[str, str]:
    content = store.plan_content(plan.pk)
    given = {**request.start_answers, **{key: text for key, text in request.params.items() if text}}
    fields = PROTOCOLS[content.protocol].asks_at_start(content, request.language)
    clean = {field.key: tidy(str(given.get(field.key, ""))) for field in fields}
    return {key: text[:LONGEST_ANSWER] for key, text in clean.items() if text}
