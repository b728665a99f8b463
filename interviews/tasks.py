"""Celery's door to the letters."""

from celery import shared_task

from interviews.mail import work


@shared_task
def send_letter(mail_id: int) -> None:
    """Sends one letter."""
    work.make(mail_id)


@shared_task
def send_alert(mail_id: int) -> None:
    """Sends one alert."""
    work.make_alert(mail_id)
