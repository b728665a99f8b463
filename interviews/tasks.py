from celery import shared_task

from interviews.recruitment.mail import jobs


@shared_task(name=jobs.SEND_LETTER)
def send_letter(mail_id: int) -> None:
    jobs.make(mail_id)


@shared_task(name=jobs.SEND_ALERT)
def send_alert(mail_id: int) -> None:
    jobs.make_alert(mail_id)
