"""The platform's wiring: settings, URLs, processes. The other apps import nothing from here."""

import gc

gc.disable()  # until all is loaded (apps.py): it stays, so looking for what may go is in vain

from interviewsite.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
