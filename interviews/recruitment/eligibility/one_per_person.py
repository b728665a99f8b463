"""One interview per person named by a panel's link parameters, whichever browser they use."""

from collections.abc import Mapping

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.utils.translation import gettext as _

from interviews.choices import ACTIVE, ENDED
from interviews.models import Participant, Session
from interviews.recruitment.panel_parameters import is_unusable
from interviews.validation import RequestRefused
from plans.models import Bot
from plans.models.eligibility import LinkParam, known_params
from plans.models.experiment import study_of


def check_first_interview(bot: Bot, person: Participant | None, params: Mapping[str, str]) -> None:
    """Raise RequestRefused: already_given, begun_elsewhere.

    The person's own active interview doesn't count: starting anew archives it.
    """
    for param, value in identifying_params(bot, params):
        same = _sessions(bot, param, value)
        if same.filter(status__in=ENDED).exists():
            message = _("You’ve already taken part in this interview. Thank you.")
            raise RequestRefused("already_given", message)
        if same.filter(status__in=ACTIVE).exclude(participant=person).exists():
            message = _("You’ve already started this interview in another browser.")
            raise RequestRefused("begun_elsewhere", message)


def ended_interview(bot: Bot, params: Mapping[str, str]) -> Session | None:
    """Return the ended interview that prevents another one, or None.

    It may be one that the same panel ID gave in another browser.
    """
    for param, value in identifying_params(bot, params):
        ended = _sessions(bot, param, value).filter(status__in=ENDED)
        if latest := ended.order_by("-started_at").first():
            return latest
    return None


def interview_of_another(
    bot: Bot, person: Participant | None, params: Mapping[str, str]
) -> Session | None:
    """Return an interview of the person, with any bot, if the link names somebody else.

    Open ones say who that is, or else the latest.
    On a shared computer the person is whoever used the browser before.
    """
    named = identifying_params(bot, params) if person else []
    if not named:
        return None
    sessions = Session.objects.filter(participant=person).order_by("-started_at")
    sessions = sessions.select_related("participant", "bot")
    for session in sessions.filter(status__in=ACTIVE) or sessions[:1]:
        if any(param.stored_in(session.params) not in (None, value) for param, value in named):
            return session
    return None


def identifying_params(bot: Bot, params: Mapping[str, str]) -> list[tuple[LinkParam, str]]:
    return [
        (param, value)
        for param in known_params(bot)
        if param.once and (value := params.get(param.name, "")) and not is_unusable(param, value)
    ]


def _sessions(bot: Bot, param: LinkParam, value: str) -> QuerySet[Session]:
    sessions = Session.objects.filter(bot__in=study_of(bot), preview=False)
    names = {f"named_{n}": KeyTransform(x, "params") for n, x in enumerate(param.stored_names)}
    same = Q(*((name, value) for name in names), _connector=Q.OR)
    return sessions.alias(**names).filter(same)
