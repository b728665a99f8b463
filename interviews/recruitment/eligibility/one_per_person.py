"""One interview for each person that a panel names, whichever browser they come with."""

from collections.abc import Mapping

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTransform
from django.utils.translation import gettext as _

from interviews.choices import ACTIVE, ENDED
from interviews.models import Participant, Session
from interviews.validation import RequestRefused
from plans.models import Bot
from plans.models.eligibility import known_params


def only_once(bot: Bot, person: Participant | None, params: Mapping[str, str]) -> None:
    """Raises RequestRefused: already_given, begun_elsewhere.

    One's own interview under way is no hindrance: beginning anew puts it aside.
    """
    for name, value in _naming(bot, params).items():
        same = _sessions(bot, name, value)
        if same.filter(status__in=ENDED).exists():
            raise RequestRefused(
                "already_given", _("You have given this interview already. Thank you.")
            )
        if same.filter(status__in=ACTIVE).exclude(participant=person).exists():
            raise RequestRefused(
                "begun_elsewhere", _("This interview was begun already, in another browser.")
            )


def given_by(bot: Bot, person: Participant | None, params: Mapping[str, str]) -> Session | None:
    """The ended interview that stands in the way, if it is the person's own."""
    for name, value in _naming(bot, params).items() if person else ():
        own = _sessions(bot, name, value).filter(participant=person, status__in=ENDED)
        if latest := own.order_by("-started_at").first():
            return latest
    return None


def counts_once(bot: Bot, params: Mapping[str, str]) -> bool:
    """Whether these parameters name somebody who gives but one interview."""
    return bool(_naming(bot, params))


def _naming(bot: Bot, params: Mapping[str, str]) -> dict[str, str]:
    return {
        param.name: params[param.name]
        for param in known_params(bot)
        if param.once and params.get(param.name)
    }


def _sessions(bot: Bot, name: str, value: str) -> QuerySet[Session]:
    """Those of who was named so; tries of the bot's own people don't count."""
    found = Session.objects.filter(bot=bot, preview=False)
    return found.annotate(named=KeyTransform(name, "params")).filter(named=value)
