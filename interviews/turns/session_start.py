"""How a session is opened: bot, plan, participant, language."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from interviews.models import Participant, Session
from interviews.protocols import PROTOCOLS
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
from interviews.recruitment.invitations.letters import stop_letters
from interviews.recruitment.panel_parameters import merge_params
from interviews.recruitment.start_page import text_in
from interviews.turns import store
from interviews.turns.store import ClaimedTurn
from interviews.validation import RequestRefused, normalised
from plans.bots.compile import NotReady, plan_for
from plans.models import Bot, Plan

LONGEST_GIVEN = 2_000


@dataclass(frozen=True)
class StartRequest:
    """Who wants to be interviewed by which bot, and how.

    `language_source` says how the language was found, `interface` in which one refusals are told.
    Without a `consent` nothing is kept of what was agreed to: it was asked elsewhere.
    """

    bot: str | None
    name: str
    language: str
    params: Mapping[str, str]
    start_answers: Mapping[str, str] = field(default_factory=dict)
    preview: bool = False
    synthetic: bool = False
    consent: ConsentChoice | None = None
    language_source: str = ""
    interface: str = ""


def open_session(
    wish: StartRequest, participant: Participant | None
) -> tuple[ClaimedTurn, Participant]:
    """Store a session with its claimed opening turn. Raises RequestRefused.

    A declined consent is stored, and refused as `declined`.
    """
    with translation.override(wish.interface or get_language()):
        return _opened(wish, participant)


def _opened(wish: StartRequest, participant: Participant | None) -> tuple[ClaimedTurn, Participant]:
    bot, at = _bot(wish), timezone.now()
    wish = _as_told(wish, bot, participant)
    if not wish.preview:
        _admit(wish, bot, participant, at)
    plan = _plan(bot)
    wish = _spoken(wish, plan)
    words = consent_wording(bot, text_in(bot, wish.language))
    if wish.consent is not None:
        _heed(wish, wish.consent, bot, participant, words)
    for last in (False, True):
        try:
            with transaction.atomic():
                return _begun(wish, bot, plan, participant, words)
        except IntegrityError:  # the same person has started in two windows at once
            if last:
                raise
    raise AssertionError


def _admit(wish: StartRequest, bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raises RequestRefused for who may not begin now. Who was invited may say no at any time."""
    declines = wish.consent is not None and not wish.consent.agreed
    if declines and invitation_of(bot, person):
        check_invitation(bot, person, at)
        return
    check_eligibility(bot, person, at, wish.params)


def _plan(bot: Bot) -> Plan:
    try:
        return plan_for(bot)
    except NotReady as error:
        raise RequestRefused("not_ready", _("This interview is not ready yet.")) from error


def _heed(
    wish: StartRequest,
    choice: ConsentChoice,
    bot: Bot,
    person: Participant | None,
    words: ConsentWording,
) -> None:
    """Raises RequestRefused: declined, consent_changed."""
    if not choice.agreed:
        record_refusal(bot, choice, words, timezone.now(), wish.preview)
        stop_letters(bot, person)
        raise declined_error()
    refuse_outdated(choice, words)


def _begun(
    wish: StartRequest, bot: Bot, plan: Plan, participant: Participant | None, words: ConsentWording
) -> tuple[ClaimedTurn, Participant]:
    """Create the participant, the session and the consent; called in a transaction."""
    if not wish.preview:
        reserve_place(bot, participant, timezone.now(), wish.params)
    person = participant or Participant.objects.create(name=wish.name)
    if participant and wish.name and participant.name != wish.name:
        participant.name = wish.name
        participant.save(update_fields=["name"])
    claimed = store.begin(bot, plan, person, _session(wish, bot, plan, person))
    if wish.consent is not None:
        record_agreement(claimed.session, words, claimed.session.started_at)
    return claimed, person


def _bot(wish: StartRequest) -> Bot:
    chosen = {"slug": wish.bot} if wish.bot else {"is_default": True}
    bot = Bot.objects.filter(**chosen).prefetch_related("texts").first()
    if bot is None:
        raise RequestRefused("unknown_bot", _("There is no such interview."))
    return bot


def _as_told(wish: StartRequest, bot: Bot, person: Participant | None) -> StartRequest:
    """What came with the link under its known names; an invitation's can't be overruled by it."""
    invitation = invitation_of(bot, person)
    params = merge_params(bot, wish.params, invitation)
    if wish.language or invitation is None or not invitation.language:
        return replace(wish, params=params)
    return replace(wish, params=params, language=invitation.language, language_source="link")


def _spoken(wish: StartRequest, plan: Plan) -> StartRequest:
    """In the participant's choice, else the browser's language, else the bot's first."""
    spoken = store.plan_content(plan.pk).languages
    for tag, how in ((wish.language, wish.language_source), (get_language() or "", "browser")):
        for wanted in (tag, tag.split("-")[0]):
            if wanted in spoken:
                return replace(wish, language=wanted, language_source=how)
    return replace(wish, language=spoken[0], language_source="bot")


def _session(wish: StartRequest, bot: Bot, plan: Plan, person: Participant) -> Session:
    return Session(
        bot=bot,
        plan=plan,
        participant=person,
        invitation=invitation_of(bot, person),
        title=bot.title_in(wish.language),
        host=bot.host_in(wish.language),
        language=wish.language,
        language_source=wish.language_source,
        params=wish.params,
        start_answers=_start_answers(wish, plan, wish.language),
        collects_paradata=bot.keeps_paradata,
        preview=wish.preview,
        synthetic=wish.synthetic,
        started_at=timezone.now(),
    )


def _start_answers(wish: StartRequest, plan: Plan, language: str) -> dict[str, str]:
    """What the protocol asks before it begins: by the link, else by the page. Nothing else."""
    content = store.plan_content(plan.pk)
    answers = {**wish.start_answers, **{key: words for key, words in wish.params.items() if words}}
    fields = PROTOCOLS[content.protocol].asks_at_start(content, language)
    kept = {field.key: normalised(str(answers.get(field.key, ""))).strip() for field in fields}
    return {key: words[:LONGEST_GIVEN] for key, words in kept.items() if words}
