"""The platform's wiring: settings, URLs, processes. The other apps import nothing from here."""

from interviewsite.celery import app as celery_app

__all__ = ["celery_app"]
