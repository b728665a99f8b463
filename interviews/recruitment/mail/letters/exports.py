from django.core.mail import EmailMessage
from django.urls import reverse

from interviews.models import Mail
from interviews.models.exports import KEPT
from interviews.security.links import absolute
from plans.jobs import Cancelled, Job


def export_ready(mail: Mail) -> EmailMessage:
    """In English, like the admin; raises Cancelled if the file is gone."""
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
