"""Before an interview: the first page, and the page on which one begins or is declined."""

from typing import Any

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.http import require_http_methods, require_safe

from interviews.api import queries
from interviews.participant.views.replies import chat_url, private, see_other
from interviews.recruitment import start_page
from interviews.recruitment.consent import ConsentChoice
from interviews.recruitment.start_page import LanguagePreference, StartPage
from interviews.security import access, client_ip
from interviews.turns import actions
from llm.concurrency.threads import in_database
from plans.models.eligibility import Outcome
from plans.text.languages import interface_language

MOST_NAME = 200
FOUND_BY = ("choice", "link", "browser", "answers", "bot")
DECLINED = "interviews.declined"  # the salt of what was shown to who declined
PAGES = {  # what an offer's state is told by; all others by the page on which one begins
    "early": "site/early.html",
    "closed": "site/closed.html",
    "closed_now": "site/closed_now.html",
    "full": "site/full.html",
    "incomplete": "site/start_incomplete.html",
    "by_invitation": "site/start_invited.html",
    "invitation_over": "site/start_invited.html",
    "invitation_used": "site/start_invited.html",
    "already_given": "site/start_given.html",
    "begun_elsewhere": "site/start_given.html",
}


@require_safe
async def home(request: HttpRequest) -> HttpResponse:
    """What this is, and what is open."""
    found = await in_database(start_page.bot_cards, translation.get_language() or "en")
    return render(request, "site/home.html", {"cards": found})


@require_safe
async def withdrawn(request: HttpRequest) -> HttpResponse:
    """That all is deleted; nothing on it says of whom."""
    language = request.GET.get("language") or translation.get_language() or "en"
    with translation.override(interface_language(language)):
        return private(render(request, "chat/withdrawn.html"))


@require_http_methods(["GET", "HEAD", "POST"])
async def start(request: HttpRequest, slug: str) -> HttpResponse:
    """A bot's own page; sending its form begins an interview, or declines it."""
    offer = await _offer(request, slug)
    with translation.override(interface_language(offer.language)):
        if request.method == "POST":
            return private(await _chosen(request, offer))
        return private(await _offer_page(request, offer))


@require_safe
async def declined(request: HttpRequest, slug: str) -> HttpResponse:
    """What is shown to who has declined: the same however often, whatever is changed meanwhile.

    Without a sign that somebody did decline, their way leads back to the start.
    """
    offer = await _offer(request, slug)
    try:
        kept = Outcome(**signing.loads(request.GET.get("shown", ""), salt=f"{DECLINED}:{slug}"))
    except signing.BadSignature:
        return private(see_other(_start_url(offer)))
    with translation.override(interface_language(offer.language)):
        page = {"offer": offer, "outcome": start_page.fill_outcome(kept, offer.params)}
        return private(render(request, "site/declined.html", page | {"back": _start_url(offer)}))


async def _offer(request: HttpRequest, slug: str) -> StartPage:
    """The bot's offer to who asks. Raises Http404."""
    person = await access.participant_for(request.COOKIES)
    found = await in_database(
        start_page.build_start_page, slug, _wanted(request), person, request.GET.dict()
    )
    if found is None:
        raise Http404
    return found


async def _offer_page(
    request: HttpRequest, offer: StartPage, refused: actions.RequestRefused | None = None
) -> HttpResponse:
    participant = await access.participant_for(request.COOKIES)
    begun = await in_database(queries.active_session, participant, offer.slug)
    page: dict[str, Any] = {
        "offer": offer,
        "begun": begun,
        "refused": refused,
        "query": urlencode(offer.params),
        "asks": [(field, request.POST.get(field.key, "")) for field in offer.asks],
        "name": request.POST.get("name", participant.name if participant else ""),
    }
    template = PAGES.get(offer.state, "site/start.html")
    return render(request, template, page, status=refused.status if refused else 200)


async def _chosen(request: HttpRequest, offer: StartPage) -> HttpResponse:
    try:
        started = await _begin(request, offer)
    except actions.RequestRefused as refused:
        if refused.code == "declined":
            return see_other(await in_database(_declined_url, offer))
        return await _offer_page(request, await _offer(request, offer.slug), refused)
    # The key stands in the fragment: browsers keep it to themselves, logs never see it.
    response = see_other(f"{chat_url(started.session_id)}#key={started.token}")
    if started.cookie:
        access.remember(response, started.cookie)
    return response


async def _begin(request: HttpRequest, offer: StartPage) -> actions.StartedSession:
    agreed = request.POST.get("decision") != "declined"
    return await actions.start(
        offer.slug,
        request.POST.get("name", "").strip()[:MOST_NAME],
        offer.language,
        params=offer.params,
        start_answers={field.key: request.POST.get(field.key, "") for field in offer.asks},
        participant=await access.participant_for(request.COOKIES),
        address=client_ip.of_request(request),
        consent=ConsentChoice(agreed, request.POST.get("consent", "")),
        language_source=offer.language_source,
    )


def _declined_url(offer: StartPage) -> str:
    """Holds what is shown, signed; what came with the link goes along and is stored nowhere."""
    outcome = start_page.current_outcome(offer.slug, "declined")
    sign = signing.dumps(outcome, salt=f"{DECLINED}:{offer.slug}")
    query = {"language": offer.language, "shown": sign, **offer.params}
    return f"{reverse('interviews:declined', args=[offer.slug])}?{urlencode(query)}"


def _start_url(offer: StartPage) -> str:
    query = urlencode({"language": offer.language, **offer.params})
    return f"{reverse('interviews:start', args=[offer.slug])}?{query}"


def _wanted(request: HttpRequest) -> list[LanguagePreference]:
    """The language of the form, or asked for by the address, else the browser's in its order."""
    found = []
    if language := request.POST.get("language"):
        by = request.POST.get("language_source", "")
        found.append(LanguagePreference(language, by if by in FOUND_BY else "choice"))
    if language := request.GET.get("language"):
        found.append(LanguagePreference(language, _told_by(request)))
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    return found + [
        LanguagePreference(code, "browser") for code, _weight in accepted if code != "*"
    ]


def _told_by(request: HttpRequest) -> str:
    """How the language in the address came there."""
    if "chosen" not in request.GET:
        return "link"
    return "answers" if request.GET["chosen"] == "answers" else "choice"
