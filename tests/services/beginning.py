"""Run as a process: many people begin at once with a bot that has fewer places than that.

Prints what became of each, as JSON: "begun", or the code of the refusal.
"""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import django

PEOPLE, PLACES = 20, 7


def begin() -> list[str]:
    """All at the same moment, each with a connection of their own."""
    from plans.models import Bot

    Bot.objects.filter(slug="talk").update(quota=PLACES)
    together = threading.Barrier(PEOPLE)
    with ThreadPoolExecutor(PEOPLE) as threads:
        return list(threads.map(lambda number: _begin(number, together), range(PEOPLE)))


def _begin(number: int, together: threading.Barrier) -> str:
    from django.db import connection

    from interviews.turns.session_start import StartRequest, open_session
    from interviews.validation import RequestRefused

    connection.ensure_connection()  # opening one takes time, and not the same for all
    together.wait(60)
    try:
        open_session(StartRequest("talk", f"Person {number}", "", {}), None)
    except RequestRefused as refused:
        return refused.code
    finally:
        connection.close()
    return "begun"


if __name__ == "__main__":
    django.setup()
    print(json.dumps(begin()))
