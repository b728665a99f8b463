"""The home page, and the pages on which an interview is started or declined."""

from typing import Any
from uuid import uuid4

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from interviews.models import Session
from interviews.participant.views.replies import chat_url, number, private, see_other
from interviews.recruitment import start_page
from interviews.recruitment.consent import ConsentChoice
from interviews.recruitment.start_page import TURNED_AWAY, LanguagePreference, StartPage
from interviews.security import access, client_ip
from interviews.turns import actions
from interviews.turns.session_start import StartRequest
from interviews.turns.snapshot import Help, help_of
from llm.concurrency.threads import in_database
from plans.models import Plan
from plans.models.eligibility import Outcome, shown_outcome
from plans.text.languages import accepted_languages, interface_language

LANGUAGE_SOURCES = ("choice", "link", "browser", "answers", "bot")
DECLINED = "interviews.declined"  # salt of the signed outcome
TEMPLATES = {  # by the start page's state; site/start.html for all others
    "early": "site/early.html",
    "closed": "site/closed.html",
    "closed_now": "site/closed_now.html",
    "full": "site/full.html",
    "screened": "site/screened.html",
    "incomplete": "site/start_incomplete.html",
    "by_invitation": "site/start_invited.html",
    "invitation_over": "site/start_invited.html",
    "invitation_used": "site/start_invited.html",
    "already_given": "site/start_given.html",
    "begun_elsewhere": "site/start_given.html",
}


@require_safe
async def home(request: HttpRequest) -> HttpResponse:
    cards = await in_database(start_page.bot_cards, translation.get_language() or "en")
    begun = await in_database(access.active_session, await access.participant_for(request.COOKIES))
    return private(render(request, "site/home.html", {"cards": cards, "begun": begun}))


@require_safe
async def withdrawn(request: HttpRequest) -> HttpResponse:
    language = request.GET.get("language") or translation.get_language() or "en"
    with translation.override(interface_language(language)):
        help = await in_database(_help, number(request.GET.get("help")), language)
        context = {"erasing": await actions.is_erasing(), "help": help}
        return private(render(request, "chat/withdrawn.html", context))


def _help(plan_id: int | None, language: str) -> Help | None:
    known = plan_id is not None and Plan.objects.filter(pk=plan_id).exists()
    return help_of(plan_id, language) if plan_id and known else None


@require_http_methods(["GET", "HEAD", "POST"])
async def start(request: HttpRequest, slug: str, experiment: bool = False) -> HttpResponse:
    offer = await _start_page(request, slug, experiment)
    with translation.override(interface_language(offer.language)):
        if request.method == "POST":
            return private(await _submit(request, offer))
        return private(await _render_start(request, offer))


@require_safe
async def declined(request: HttpRequest, slug: str, experiment: bool = False) -> HttpResponse:
    """Show the signed outcome of declining, whatever has changed in the bot since.

    Without a valid signature it redirects to the start page.
    """
    offer = await _start_page(request, slug, experiment)
    try:
        outcome = Outcome(**signing.loads(request.GET.get("shown", ""), salt=f"{DECLINED}:{slug}"))
    except signing.BadSignature:
        return private(see_other(_start_url(offer)))
    with translation.override(interface_language(offer.language)):
        filled = start_page.fill_outcome(offer.bot, outcome, offer.params)
        context = {"offer": offer, "outcome": filled}
        return private(render(request, "site/declined.html", context | {"back": _start_url(offer)}))


async def _start_page(request: HttpRequest, slug: str, experiment: bool) -> StartPage:
    visitor = await access.participant_for(request.COOKIES)
    wanted, given = _language_preferences(request), request.GET.dict()
    build = start_page.build_experiment_page if experiment else start_page.build_start_page
    offer = await in_database(build, slug, wanted, visitor, given)
    if offer is None:
        raise Http404
    return offer


async def _render_start(
    request: HttpRequest, offer: StartPage, refused: actions.RequestRefused | None = None
) -> HttpResponse:
    begun = await in_database(_begun, offer)
    context: dict[str, Any] = {
        "offer": offer,
        "begun": begun,
        "opened": offer.other,
        "refused": refused,
        "key": uuid4().hex,
        "query": urlencode(offer.link),
        "asks": [(field, request.POST.get(field.key, "")) for field in offer.asks],
        "name": request.POST.get("name", offer.person.name if offer.person else ""),
    }
    if offer.state in TURNED_AWAY and not offer.preview:
        await in_database(start_page.note_turned_away, offer, client_ip.of_request(request))
    template = TEMPLATES.get(offer.state, "site/start.html")
    response = render(request, template, context, status=refused.status if refused else 200)
    if refused and refused.retry_after:
        response["Retry-After"] = str(refused.retry_after)
    return response


async def _submit(request: HttpRequest, offer: StartPage) -> HttpResponse:
    decision = request.POST.get("decision")
    if offer.consent.text and decision not in ("agreed", "declined"):
        return await _render_start(request, offer)
    asked = StartRequest(
        offer.bot.slug,
        request.POST.get("name", ""),
        offer.language,
        params=offer.params,
        start_answers={field.key: request.POST.get(field.key, "") for field in offer.asks},
        consent=ConsentChoice(decision != "declined", request.POST.get("consent", "")),
        language_source=offer.language_source,
        preview=bool(offer.preview),
        experiment=offer.experiment,
        key=request.POST.get("key", ""),
    )
    try:
        address = client_ip.of_request(request)
        started = await actions.start(asked, offer.person, address, waits=False)
    except actions.RequestRefused as refused:
        if refused.code == "declined":
            return see_other(_declined_url(offer))
        again = await _start_page(request, offer.slug, bool(offer.experiment))
        return await _render_start(request, start_page.turn_away(again, refused.code), refused)
    # The key goes into the fragment, which browsers don't send, so that no log has it.
    response = see_other(f"{chat_url(started.session_id)}#key={started.token}")
    if started.cookie:
        access.remember(response, started.cookie)
    return response


def _begun(offer: StartPage) -> Session | None:
    bot = "" if offer.experiment else offer.bot.slug
    begun = access.active_session(offer.person, bot, offer.experiment)
    # Who tried the bot here takes part anew.
    return None if begun is None or begun.preview else begun


def _declined_url(offer: StartPage) -> str:
    outcome = shown_outcome(offer.bot, "declined").model_dump()
    sign = signing.dumps(outcome, salt=f"{DECLINED}:{offer.slug}")
    query = {"language": offer.language, "shown": sign, **offer.link}
    name = "experiment_declined" if offer.experiment else "declined"
    page = reverse(f"interviews:{name}", args=[offer.slug])
    return f"{page}?{urlencode(query)}"


def _start_url(offer: StartPage) -> str:
    query = urlencode({"language": offer.language, **offer.link})
    name = "experiment" if offer.experiment else "start"
    return f"{reverse(f'interviews:{name}', args=[offer.slug])}?{query}"


def _language_preferences(request: HttpRequest) -> list[LanguagePreference]:
    preferences = []
    if language := request.POST.get("language"):
        source = request.POST.get("language_source", "")
        source = source if source in LANGUAGE_SOURCES else "choice"
        preferences.append(LanguagePreference(language, source))
    if language := request.GET.get("language"):
        known = {None: "link", "answers": "answers"}
        source = known.get(request.GET.get("chosen"), "choice")
        preferences.append(LanguagePreference(language, source))
    accepted = accepted_languages(request.headers.get("Accept-Language", ""))
    return preferences + [LanguagePreference(code, "browser") for code in accepted]
