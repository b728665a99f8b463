"""What comes with a link: kept under the names that the bot knows it by, however it is spelled."""

from collections.abc import Iterable, Mapping
from itertools import islice

from django.utils.translation import gettext as _

from interviews.models import Invitation
from interviews.validation import RequestRefused, normalised
from plans.models import Bot
from plans.models.eligibility import RESERVED, LinkParam, known_params

MOST_READ = 1000  # of one link
MOST, LONGEST_NAME, LONGEST_VALUE = 50, 100, 500  # that are kept


def canonical(bot: Bot, given: Mapping[str, str]) -> dict[str, str]:
    """The parameters as they are kept: bounded, known ones first and under one name each.

    Of several spellings of one parameter the first that says something counts. Parameters that
    nobody named are kept as they are, and may stand empty.
    """
    names = _names(known_params(bot))
    known: dict[str, str] = {}
    others: dict[str, str] = {}
    for written, value in _bounded(given.items()):
        name = names.get(written.casefold())
        if name is None:
            others.setdefault(written, value)
        elif value:
            known.setdefault(name, value)
    return dict(islice((known | others).items(), MOST))


def told(
    bot: Bot, given: Mapping[str, str], invitation: Invitation | None = None
) -> dict[str, str]:
    """The same of a link that an invited person comes by: the invitation's own can't be overruled.

    So a person who was invited needs no link that repeats them.
    """
    own = canonical(bot, invitation.params) if invitation else {}
    return canonical(bot, given) | own


def missing(bot: Bot, params: Mapping[str, str]) -> list[str]:
    """Those that nobody may begin without, and that are not there."""
    return [
        param.name for param in known_params(bot) if param.required and not params.get(param.name)
    ]


def refuse_incomplete(bot: Bot, params: Mapping[str, str]) -> None:
    """Raises RequestRefused: incomplete_link."""
    if lacking := missing(bot, params):
        message = _("This link is incomplete. What is missing: %(names)s.")
        raise RequestRefused("incomplete_link", message % {"names": ", ".join(lacking)})


def _names(known: Iterable[LinkParam]) -> dict[str, str]:
    return {spelling: param.name for param in known for spelling in param.spellings}


def _bounded(given: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """As text that can be kept, without the start page's own parameters."""
    for name, value in islice(given, MOST_READ):
        written = _cut(name, LONGEST_NAME)
        if written and written not in RESERVED:
            yield written, _cut(str(value), LONGEST_VALUE)


def _cut(text: str, longest: int) -> str:
    return normalised(text[: 2 * longest])[:longest].strip()
