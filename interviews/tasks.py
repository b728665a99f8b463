"""Celery tasks that send letters and events, and make exports; and what takes up their jobs."""

from celery import shared_task

from interviews.exports import files
from interviews.overview import days
from interviews.recruitment.invitations import reminders
from interviews.recruitment.mail import jobs
from interviews.webhooks import delivery

send_letter = shared_task(jobs.make, name=jobs.SEND_LETTER)
send_alert = shared_task(jobs.make_alert, name=jobs.SEND_ALERT)
make_export = shared_task(files.make, name=files.TASK)
deliver_webhook = shared_task(delivery.deliver_apart, name=delivery.TASK)
SWEEPS = [reminders.sweep, jobs.sweep, delivery.sweep, files.sweep, days.sweep]
