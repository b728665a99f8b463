"""Celery tasks that send letters."""

from celery import shared_task

from interviews.recruitment.mail import jobs

send_letter = shared_task(jobs.make, name=jobs.SEND_LETTER)
send_alert = shared_task(jobs.make_alert, name=jobs.SEND_ALERT)
