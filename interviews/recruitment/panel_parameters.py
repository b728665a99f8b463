"""Link parameters, stored under the names the bot knows them by, however they are spelled."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from urllib.parse import unquote
from uuid import UUID

from django.utils.translation import gettext as _

from interviews.engine.contact_data.detection import emails
from interviews.models import Invitation
from interviews.validation import RequestRefused
from plans.models import Bot
from plans.models.eligibility import RESERVED, LinkParam, known_params
from plans.text import normalised, strip_blank

MOST_READ = 1000  # of one link
MOST, LONGEST_NAME, LONGEST_VALUE = 50, 100, 500  # that are stored
ENCODINGS = 3  # of a value in a link, one around the other
PLACEHOLDER_WITHIN = re.compile(r"(?s)\{\{.*\}\}|[$#@]\{.*\}|%%.*%%|\{%.*%\}|<[%?].*[%?]>")
PLACEHOLDER = re.compile(
    r"(?s)\A(?:\{.*\}|\[.*\]|<.*>|«.*»|%.*%|#.*#|__.*__|\$.*"
    r"|[\[{<%$]+"  # what a # leaves of it, since links end there
    r"|null|undefined)"  # what a script without a value writes
)


def canonical_params(bot: Bot, given: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters as stored: bounded, known ones first and under one name each.

    Of several spellings of a parameter the first with a usable value counts, else one with any, so
    that the link stays incomplete. Unknown parameters are stored as they are, even if empty.
    """
    params = {spelling: param for param in known_params(bot) for spelling in param.spellings}
    known: dict[str, str] = {}
    unusable: dict[str, str] = {}
    others: dict[str, str] = {}
    for spelling, value in _bounded(given.items()):
        param = params.get(spelling.casefold())
        if param is None:
            others.setdefault(spelling, value)
        elif is_unusable(param, value):
            unusable.setdefault(param.name, value)
        elif value:
            known.setdefault(param.name, value)
    return dict(islice((unusable | known | others).items(), MOST))


def merge_params(
    bot: Bot, given: Mapping[str, str], invitation: Invitation | None
) -> dict[str, str]:
    own = canonical_params(bot, invitation.params) if invitation else {}
    return canonical_params(bot, given) | own


def is_unusable(param: LinkParam, value: str) -> bool:
    """Return whether it is a placeholder nobody filled in, or an e-mail address as a person's ID.

    However often it is encoded. A UUID may stand in braces.
    """
    for _again in range(ENCODINGS):
        value = unquote(value).strip()
    if PLACEHOLDER_WITHIN.search(value):
        return True
    if PLACEHOLDER.fullmatch(value):
        return not _is_uuid(value)
    return param.once and any(found.value for found in emails(value))


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def missing_params(bot: Bot, params: Mapping[str, str]) -> list[str]:
    """Return the names of known parameters that are unusable, or required and missing."""
    return [
        param.name
        for param in known_params(bot)
        if is_unusable(param, value := params.get(param.name, "")) or (param.required and not value)
    ]


def refuse_incomplete(bot: Bot, params: Mapping[str, str]) -> None:
    """Raise RequestRefused (incomplete_link) unless all known parameters can be used."""
    if names := missing_params(bot, params):
        message = _(
            "This link is incomplete. Missing, not filled in, or an e-mail address: %(names)s."
        )
        raise RequestRefused("incomplete_link", message % {"names": ", ".join(names)})


def _bounded(given: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    for name, value in islice(given, MOST_READ):
        short_name = _cut(name, LONGEST_NAME)
        if short_name and short_name.casefold() not in RESERVED:
            yield short_name, _cut(str(value), LONGEST_VALUE)


def _cut(text: str, longest: int) -> str:
    return strip_blank(normalised(text[: 2 * longest])[:longest])
