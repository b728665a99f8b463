from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from unfold.decorators import action

from llm.languages import language_name
from plans.admin.exports import download
from plans.bots.qr_codes import qr_file, qr_svg
from plans.models import Bot
from plans.models.eligibility import PANEL, params_of
from plans.protocols import bot_languages

TEMPLATE = "admin/plans/bot/links.html"


@dataclass(frozen=True, slots=True)
class PublicLink:
    label: str
    address: str
    note: str = ""


class LinkActions:
    @action(description="Links and QR code", icon="link", permissions=["view"])
    def links(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        bot = self.row(request, object_id)
        address, required = _full_address(request, bot), _required(bot)
        if "picture" in request.GET and not required:
            return download(f"{bot.slug}.svg", "image/svg+xml", qr_file(address))
        response: HttpResponse = self.page(
            request,
            TEMPLATE,
            bot,
            title=f"Links and QR code of “{bot}”",
            links=links_of(bot, address),
            required=required,
            code="" if required else qr_svg(address),
        )
        return response


def links_of(bot: Bot, address: str) -> list[PublicLink]:
    """Return the bot's address for everybody, for each language, and for panels."""
    required = _required(bot)
    needed = [(name, "…") for name in required]
    query = _query_string(needed)
    links = [PublicLink("For everybody", f"{address}{query}", _required_note(required))]
    spoken = bot_languages(bot)
    for tag in spoken if len(spoken) > 1 else ():
        query = _query_string([("language", tag), *needed])
        links.append(PublicLink(f"In {language_name(tag)}", address + query))
    filled = {param.name: f"{{{{%{param.name}%}}}}" for param in PANEL}
    others = _required(bot, given=filled)
    prolific = _query_string([*filled.items(), *((name, "…") for name in others)])
    note = "Prolific fills in its parameters. They are stored with each interview."
    if others:
        note = f"{note} {_required_note(others)}"
    return [*links, PublicLink("For Prolific", f"{address}{prolific}", note)]


def _required(bot: Bot, given: Iterable[str] = ()) -> list[str]:
    """Return the parameters that nobody can start without, but for those that a link gives."""
    known = {name.casefold() for name in given}
    params = params_of(bot.link_params)
    return [param.name for param in params if param.required and not param.spellings & known]


def _required_note(names: list[str]) -> str:
    if not names:
        return "The interview is in the language of the browser, if the bot speaks it."
    return f"Nobody can start without {' and '.join(names)}: replace each “…” with a value."


def _query_string(params: Iterable[tuple[str, str]]) -> str:
    query = "&".join(f"{name}={value}" for name, value in params)
    return f"?{query}" if query else ""


def _full_address(request: HttpRequest, bot: Bot) -> str:
    path = bot.public_path
    return f"{settings.SITE_URL}{path}" if settings.SITE_URL else request.build_absolute_uri(path)
