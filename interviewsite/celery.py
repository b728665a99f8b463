"""The Celery application: `celery -A interviewsite worker` and `celery -A interviewsite beat`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
app = Celery("interviewsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["interviewsite.processes"])
