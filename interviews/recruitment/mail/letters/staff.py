"""Letters to people who work with the site, in English like the admin.

Alerts about signs of distress contain nothing the participant said, nor who they are: it may have
been said in confidence, and a mailbox is outside the site's control. They link to the interview,
which only people with the permission can read.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.core.mail import EmailMessage
from django.urls import reverse

from interviews.models import Mail, Session
from interviews.models.exports import KEPT
from interviews.security.links import absolute
from llm.languages import language_name
from plans.jobs import Cancelled, Job

PREVIEW = "This is a preview: somebody is trying the bot."


def alert(mail: Mail) -> EmailMessage:
    session = mail.session
    if session is None:
        raise ValueError("an alert is about a session")
    lines = [
        f"Somebody may be in distress in an interview of “{session.title}”.",
        *([PREVIEW] if session.preview else []),
        f"When: {_local_time(mail.created_at, session)}\n"
        f"Language: {language_name(session.language)}\n"
        f"Signs so far in this interview: {mail.number}",
        "They have been shown the bot’s care text. The interviewer has stopped probing, and they "
        "choose whether to continue. Please read the interview and mark it as reviewed:",
        absolute(reverse("admin:interviews_session_change", args=[session.pk])),
        "This e-mail contains none of their words. If there are more signs in the same interview, "
        "you will be alerted again after half an hour at the earliest.",
    ]
    prefix = "Preview: " if session.preview else ""
    subject = f"{prefix}Signs of distress in “{session.title}”"
    return EmailMessage(subject=subject, body="\n\n".join(lines) + "\n")


def _local_time(at: datetime, session: Session) -> str:
    zone = session.bot.time_zone if session.bot else "UTC"
    return f"{at.astimezone(ZoneInfo(zone)):%-d %B %Y, %H:%M} ({zone})"


def export_ready(mail: Mail) -> EmailMessage:
    """Raises Cancelled if the file is gone."""
    export = mail.export
    if export is None or export.status != Job.Status.READY:
        raise Cancelled
    lines = [
        f"Your export is ready ({export}).",
        "Sign in to download it:",
        absolute(reverse("admin:interviews_session_export_file", args=[export.key])),
        f"The file is deleted {KEPT.days} days after you asked for it.",
    ]
    return EmailMessage(subject="Your export is ready", body="\n\n".join(lines) + "\n")
