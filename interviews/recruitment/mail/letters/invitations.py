"""Letters to invited people: who asks, what about, how long, the link, and how to decline.

Plain text with one link, made for this letter and without any tracking.
"""

from datetime import MAXYEAR, timedelta
from zoneinfo import ZoneInfo

from django.core.mail import EmailMessage
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from interviews.models import Invitation, Mail
from interviews.recruitment.invitations.letters import blocked_reason, reload
from interviews.recruitment.invitations.redeem import new_path
from interviews.recruitment.invitations.states import InvitationState, state_of
from interviews.security.links import absolute
from plans.jobs import Cancelled
from plans.models import Bot
from plans.text.languages import interface_language


def invitation(mail: Mail) -> EmailMessage:
    invited = _load(mail)
    with translation.override(_language(invited)):
        title = {"title": invited.bot.title_in(_current_language())}
        subject = _("Invitation: %(title)s") % title
        opening = _("You are invited to take part in an interview: “%(title)s”.") % title
        return EmailMessage(subject, _body(invited, opening))


def reminder(mail: Mail) -> EmailMessage:
    invited = _load(mail)
    with translation.override(_language(invited)):
        title = {"title": invited.bot.title_in(_current_language())}
        subject = _("Reminder: %(title)s") % title
        return EmailMessage(subject, _body(invited, _reminder_opening(invited) % title))


def _reminder_opening(invited: Invitation) -> str:
    if invited.sessions.exists():
        return _(
            "You have started an interview: “%(title)s”. It is saved just where you left it, and "
            "we would be glad if you continued."
        )
    return _(
        "You were invited to take part in an interview: “%(title)s”. It is still open, and we "
        "would be glad to hear from you."
    )


def _load(mail: Mail) -> Invitation:
    """Load the invitation anew, with the address that the letter goes to now.

    Raises Cancelled if no letter should be sent any more.
    """
    invited = reload(mail.invitation) if mail.invitation else None
    if invited is None or blocked_reason(invited, timezone.now()):
        raise Cancelled
    mail.to = invited.email
    return invited


def _body(invited: Invitation, opening: str) -> str:
    name = {"name": invited.name}
    text = invited.bot.text_in(_current_language())
    parts = [
        _("Hello %(name)s,") % name if invited.name else _("Hello,"),
        opening,
        text.summary.strip() if text else "",
        _facts(invited.bot),
        _("This is your personal link. It opens your interview, so please don’t share it:"),
        absolute(new_path(invited)),
        _last_day(invited),
        _how_to_decline() if _asks_consent(invited) else "",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _current_language() -> str:
    return translation.get_language() or ""


def _facts(bot: Bot) -> str:
    minutes = ngettext(
        "It takes about %(minutes)d minute.", "It takes about %(minutes)d minutes.", bot.minutes
    ) % {"minutes": bot.minutes}
    led = _(
        "An AI asks the questions. You can skip any of them, take a break, or stop at any time."
    )
    host = bot.host_in(_current_language())
    by = [_("The interview is run by %(host)s.") % {"host": host}] if host else []
    return " ".join([*by, minutes, led])


def _how_to_decline() -> str:
    return _(
        "Taking part is voluntary. If you don’t want to, you don’t have to do anything. If you "
        "open the link and decline there, we won’t write to you again."
    )


def _last_day(invited: Invitation) -> str:
    ends = [at for at in (invited.expires_at, invited.bot.closes_at) if at is not None]
    if not ends or state_of(invited) == InvitationState.BEGUN:  # can be finished at any time
        return ""
    last = min(ends) - timedelta.resolution  # at midnight the day before was the last
    if last.year == MAXYEAR:  # where it is later, the day may be after all dates
        return ""
    last = last.astimezone(ZoneInfo(invited.bot.time_zone))
    return _("The link works until %(day)s.") % {"day": date_format(last, "DATE_FORMAT")}


def _asks_consent(invited: Invitation) -> bool:
    """Whether the link's page asks for consent and so has a button to decline.

    It is shown in the invitation's language, else in any the browser prefers. People who have
    started were asked before.
    """
    if state_of(invited) == InvitationState.BEGUN:
        return False
    texts = list(invited.bot.texts.all())
    shown = [text for text in texts if text.language == invited.language] or texts
    return bool(shown) and all(text.consent.strip() for text in shown)


def _language(invited: Invitation) -> str:
    spoken = invited.bot.texts.order_by("pk").values_list("language", flat=True).first()
    return interface_language(invited.language or spoken or "")
