"""The wiring of the platform: settings, addresses, processes. Nothing imports from here."""

from interviewsite.celery import app as celery_app

__all__ = ["celery_app"]
