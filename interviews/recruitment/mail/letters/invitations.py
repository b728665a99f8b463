"""To somebody who is invited: who asks, what about, how long, the link, and how to say no.

Plain text with one link, which is made for this letter. Nothing in it tells anybody that it was
opened.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.core.mail import EmailMessage
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from interviews.models import Invitation, Mail
from interviews.recruitment.invitations.keys import new_path
from interviews.recruitment.invitations.letters import as_it_stands, unwanted
from interviews.recruitment.invitations.states import InvitationState, state_of
from interviews.security.links import absolute
from plans.jobs import Cancelled
from plans.models import Bot
from plans.text.languages import interface_language


def invitation(mail: Mail) -> EmailMessage:
    """The first letter. Raises Cancelled."""
    found = _wanted(mail)
    with translation.override(_language(found)):
        title = {"title": found.bot.title_in(_here())}
        subject = _("An invitation: %(title)s") % title
        opening = _("You are invited to take part in an interview: “%(title)s”.") % title
        return EmailMessage(subject, _letter(found, opening))


def reminder(mail: Mail) -> EmailMessage:
    """A reminder, in other words for who has begun. Raises Cancelled."""
    found = _wanted(mail)
    with translation.override(_language(found)):
        title = {"title": found.bot.title_in(_here())}
        subject = _("A reminder: %(title)s") % title
        return EmailMessage(subject, _letter(found, _reminding(found) % title))


def _reminding(found: Invitation) -> str:
    if found.sessions.exists():
        return _(
            "You have begun an interview: “%(title)s”. It is kept just where you left it, and we "
            "would be glad if you went on with it."
        )
    return _(
        "You were invited to take part in an interview: “%(title)s”. It is still open, and we "
        "would be glad to hear from you."
    )


def _wanted(mail: Mail) -> Invitation:
    """The invitation as it stands. Raises Cancelled where no such letter should go out any more."""
    found = as_it_stands(mail.invitation) if mail.invitation else None
    if found is None or unwanted(found, timezone.now()):
        raise Cancelled
    return found


def _letter(found: Invitation, opening: str) -> str:
    """All paragraphs. The link is made last, so that there is none for a letter that fails."""
    parts = [_greeting(found), opening, *_about(found.bot), _facts(found.bot), _how()]
    return (
        "\n\n".join([*parts, absolute(new_path(found)), *_until(found), *_declining(found)]) + "\n"
    )


def _greeting(found: Invitation) -> str:
    return _("Hello %(name)s,") % {"name": found.name} if found.name else _("Hello,")


def _here() -> str:
    return translation.get_language() or ""


def _about(bot: Bot) -> list[str]:
    """What the bot says about itself, where it does so in the letter's language."""
    text = bot.text_in(_here())
    return [text.summary.strip()] if text and text.summary.strip() else []


def _facts(bot: Bot) -> str:
    """Who asks, who leads the interview, and how long it takes."""
    minutes = ngettext(
        "It takes about %(minutes)d minute.", "It takes about %(minutes)d minutes.", bot.minutes
    ) % {"minutes": bot.minutes}
    led = _(
        "The interview is led by an AI, in writing. You can skip any question, pause and stop at "
        "any time."
    )
    host = bot.host_in(_here())
    behind = [_("It is done by %(host)s.") % {"host": host}] if host else []
    return " ".join([*behind, minutes, led])


def _how() -> str:
    return _("This is your personal link. Please don’t pass it on; it opens your interview:")


def _until(found: Invitation) -> list[str]:
    """The last day, in the time of the bot's hours."""
    ends = [at for at in (found.expires_at, found.bot.closes_at) if at is not None]
    if not ends:
        return []
    return [_("It is open until %(day)s.") % {"day": _day(min(ends), found.bot)}]


def _day(at: datetime, bot: Bot) -> str:
    return date_format(at.astimezone(ZoneInfo(bot.time_zone)), "DATE_FORMAT")


def _declining(found: Invitation) -> list[str]:
    """How to say no, where the link's page has the button for it."""
    if not _is_asked(found):
        return []
    return [
        _(
            "Taking part is voluntary. If you would rather not, you need do nothing. If you open "
            "the link and say there that you don’t want to take part, we won’t write to you again."
        )
    ]


def _is_asked(found: Invitation) -> bool:
    """Whether the page asks for consent: in the invitation's language, else in whichever the
    browser wants. Who has begun was asked before."""
    if state_of(found) == InvitationState.BEGUN:
        return False
    texts = list(found.bot.texts.all())
    asked = [text for text in texts if text.language == found.language] or texts
    return bool(asked) and all(text.consent.strip() for text in asked)


def _language(found: Invitation) -> str:
    """The invitation's, else the first that the bot has words in, else the site's."""
    spoken = found.bot.texts.order_by("pk").values_list("language", flat=True).first()
    return interface_language(found.language or spoken or "")
