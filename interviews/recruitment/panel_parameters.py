"""Link parameters, stored under the names the bot knows them by, however they are spelled."""

from collections.abc import Iterable, Mapping
from itertools import islice

from django.utils.translation import gettext as _

from interviews.models import Invitation
from interviews.validation import RequestRefused, normalised
from plans.models import Bot
from plans.models.eligibility import RESERVED, known_params

MOST_READ = 1000  # of one link
MOST, LONGEST_NAME, LONGEST_VALUE = 50, 100, 500  # that are stored


def canonical_params(bot: Bot, given: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters as stored: bounded, known ones first and under one name each.

    Of several spellings of a parameter the first with a value counts. Unknown parameters are stored
    as they are, even if empty.
    """
    names = {spelling: param.name for param in known_params(bot) for spelling in param.spellings}
    known: dict[str, str] = {}
    others: dict[str, str] = {}
    for spelling, value in _bounded(given.items()):
        name = names.get(spelling.casefold())
        if name is None:
            others.setdefault(spelling, value)
        elif value:
            known.setdefault(name, value)
    return dict(islice((known | others).items(), MOST))


def merge_params(
    bot: Bot, given: Mapping[str, str], invitation: Invitation | None
) -> dict[str, str]:
    own = canonical_params(bot, invitation.params) if invitation else {}
    return canonical_params(bot, given) | own


def missing_params(bot: Bot, params: Mapping[str, str]) -> list[str]:
    return [
        param.name for param in known_params(bot) if param.required and not params.get(param.name)
    ]


def refuse_incomplete(bot: Bot, params: Mapping[str, str]) -> None:
    """Raise RequestRefused (incomplete_link) if required ones are missing."""
    if names := missing_params(bot, params):
        message = _("This link is incomplete. Missing: %(names)s.")
        raise RequestRefused("incomplete_link", message % {"names": ", ".join(names)})


def _bounded(given: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    for name, value in islice(given, MOST_READ):
        short_name = _cut(name, LONGEST_NAME)
        if short_name and short_name.casefold() not in RESERVED:
            yield short_name, _cut(str(value), LONGEST_VALUE)


def _cut(text: str, longest: int) -> str:
    return normalised(text[: 2 * longest])[:longest].strip()
