"""As a process: an interview is withdrawn while something else is made of it.

Prints as JSON what came of it.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import django

WORDS = "Zanzibarquail kept the bakery"
Came = dict[str, Any]


def a_product_that_is_stored() -> Came:
    """Its row is locked already, and the interview is next."""
    from interviews.turns import withdrawal
    from plans.jobs import JobType
    from reflections import jobs
    from reflections.models import Reflection

    session = interview()
    row = Reflection.objects.create(session=session, name="summary")
    lock, withdrawing = jobs.lock_unless_gone, aside(lambda: withdrawal.withdraw(session))

    def meanwhile(key: Any) -> bool:
        if withdrawing.ident is None:
            withdrawing.start()
            withdrawing.join(1)  # it waits for the row by then
        return lock(key)

    made = {"content": {"words": WORDS}}
    with (
        patch.object(jobs, "lock_unless_gone", meanwhile),
        patch.object(JobType, "_make", lambda self, row: made),
    ):
        jobs.make(row.pk)
    withdrawing.join()
    session.refresh_from_db()
    return {"status": session.status, "products": Reflection.objects.count()}


def an_export_that_begins() -> Came:
    """It still reads the interview, whose withdrawal isn't committed."""
    from django.contrib.auth.models import User

    from interviews.exports import files
    from interviews.models import ExportFile
    from interviews.turns import withdrawal

    session = interview()
    ann = User.objects.create_superuser("ann", "", "x")
    row = ExportFile.objects.create(user=ann, table="transcripts", format="csv")
    erase, exporting = withdrawal.erase_deleted, aside(lambda: files.make(row.pk))

    def meanwhile() -> None:
        erase()
        exporting.start()
        exporting.join()

    with patch.object(withdrawal, "erase_deleted", meanwhile):
        withdrawal.withdraw(session)
    files.sweep()
    row.refresh_from_db()
    left = [path.read_text() for path in files.folder().iterdir()]
    return {"status": row.status, "holding": sum(WORDS in text for text in left)}


def interview() -> Any:
    from tests.factories import SessionFactory, talk

    return talk(SessionFactory(), [WORDS])


def aside(work: Callable[[], object]) -> threading.Thread:
    """A thread that does it, and leaves no connection behind."""
    from django.db import connections

    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    return threading.Thread(target=run)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    told = {"product": a_product_that_is_stored, "export": an_export_that_begins}
    print(json.dumps(told[sys.argv[1]]()))
