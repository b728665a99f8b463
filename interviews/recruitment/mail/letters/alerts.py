"""To the people behind a bot: somebody in an interview seems to be in distress.

There is no word of the participant in it, nor who they are: what they said may have been given in
confidence, and a mailbox is a place that the site knows nothing of. It leads to the interview,
where the right to read it is asked for. Whoever works here reads the admin, which is in English.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.core.mail import EmailMessage
from django.urls import reverse

from interviews.models import Mail, Session
from interviews.security.links import absolute
from plans.text.languages import language_name

PREVIEW = "This is a preview: somebody tries the bot out."


def alert(mail: Mail) -> EmailMessage:
    session = mail.session
    if session is None:
        raise ValueError("an alert is about a session")
    lines = [
        f"In an interview of “{session.title}”, somebody may be in distress.",
        *([PREVIEW] if session.preview else []),
        _facts(mail, session),
        "They have been shown the bot’s care text, nothing probes any further, and they choose "
        "whether to go on. Please look at the interview, and mark it as looked at:",
        absolute(reverse("admin:interviews_session_change", args=[session.pk])),
        "This letter holds none of their words. If there are further signs in the same interview, "
        "you are written to again after half an hour at the earliest.",
    ]
    return EmailMessage(subject=_subject(session), body="\n\n".join(lines) + "\n")


def _subject(session: Session) -> str:
    return f"{'Preview: ' if session.preview else ''}Signs of distress in “{session.title}”"


def _facts(mail: Mail, session: Session) -> str:
    return "\n".join(
        (
            f"When: {_moment(mail.created_at, session)}",
            f"Language: {language_name(session.language)}",
            f"Signs so far in this interview: {mail.number}",
        )
    )


def _moment(at: datetime, session: Session) -> str:
    """In the time of the bot's hours, or else in the site's."""
    zone = session.bot.time_zone if session.bot else "UTC"
    return f"{at.astimezone(ZoneInfo(zone)):%-d %B %Y, %H:%M} ({zone})"
