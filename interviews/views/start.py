"""Before an interview: the first page, and the page on which one begins."""

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.http import require_http_methods, require_safe

from interviews import access, catalogue, offers, rendering, turns
from interviews.engine.types import StartField
from interviews.views.replies import chat_url, private, see_other
from llm.threads import in_database

MAX_PARAMS, MAX_PARAM = 20, 200  # of a panel's link


@require_safe
async def home(request: HttpRequest) -> HttpResponse:
    """What this is, and what is open."""
    found = await in_database(offers.cards, translation.get_language() or "en")
    return render(request, "site/home.html", {"cards": found})


@require_http_methods(["GET", "HEAD", "POST"])
async def start(request: HttpRequest, slug: str) -> HttpResponse:
    """A bot's own page; sending its form begins an interview."""
    offer = await in_database(offers.offer, slug, _wanted_languages(request))
    if offer is None:
        raise Http404
    with translation.override(rendering.interface_language(offer.language)):
        if request.method == "POST":
            return private(await _begin(request, offer))
        return private(await _offer_page(request, offer))


async def _offer_page(
    request: HttpRequest, offer: offers.Offer, refused: turns.Refused | None = None
) -> HttpResponse:
    participant = await access.participant_for(request.COOKIES)
    begun = await in_database(catalogue.active_session, participant, offer.slug)
    page = {
        "offer": offer,
        "begun": begun,
        "refused": refused,
        "query": _other_params(request.GET),
        "asks": [(field, request.POST.get(field.key, "")) for field in _open(request, offer)],
        "name": request.POST.get("name", participant.name if participant else ""),
    }
    return render(request, "site/start.html", page, status=refused.status if refused else 200)


async def _begin(request: HttpRequest, offer: offers.Offer) -> HttpResponse:
    try:
        started = await turns.start(
            offer.slug,
            request.POST.get("name", "").strip()[:MAX_PARAM],
            offer.language,
            params=_params(request.GET),
            given={field.key: request.POST.get(field.key, "") for field in offer.asks},
            participant=await access.participant_for(request.COOKIES),
        )
    except turns.Refused as refused:
        return await _offer_page(request, offer, refused)
    # The key stands in the fragment: browsers keep it to themselves, logs never see it.
    response = see_other(f"{chat_url(started.session_id)}#key={started.token}")
    if started.cookie:
        access.remember(response, started.cookie)
    return response


def _open(request: HttpRequest, offer: offers.Offer) -> list[StartField]:
    """What is still to be asked: the link may have told it."""
    return [field for field in offer.asks if not request.GET.get(field.key)]


def _wanted_languages(request: HttpRequest) -> list[str]:
    """The one asked for by the address, else those of the browser in its order."""
    chosen = request.POST.get("language") or request.GET.get("language")
    accepted = request.headers.get("Accept-Language", "")
    return ([chosen] if chosen else []) + [
        code for code, _weight in parse_accept_lang_header(accepted)
    ]


def _params(query: QueryDict) -> dict[str, str]:
    """What came with the link, to be given back at the end."""
    rest = [(key, value) for key, value in query.items() if key != "language"]
    return {key[:MAX_PARAM]: str(value)[:MAX_PARAM] for key, value in rest[:MAX_PARAMS]}


def _other_params(query: QueryDict) -> str:
    """The query string without the language, for links that choose another one."""
    rest = query.copy()
    rest.pop("language", None)
    return rest.urlencode()
