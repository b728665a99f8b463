"""Celery tasks that send letters and events, make exports and vacuum; and what requests them."""

from celery import shared_task

from interviews.exports import files
from interviews.overview import days
from interviews.recruitment.invitations import reminders
from interviews.recruitment.mail import jobs
from interviews.turns import vacuum
from interviews.webhooks import delivery

send_letter = shared_task(jobs.make, name=jobs.SEND_LETTER)
send_alert = shared_task(jobs.make_alert, name=jobs.SEND_ALERT)
make_export = shared_task(files.make, name=files.TASK)
deliver_webhook = shared_task(delivery.deliver_apart, name=delivery.TASK)
vacuum_deleted = shared_task(vacuum.vacuum_deleted, name=vacuum.TASK)
SWEEPS = [reminders.sweep, jobs.sweep, delivery.sweep, files.sweep, days.sweep, vacuum.sweep]
