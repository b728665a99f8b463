"""The site, and the Celery application, with places at which one session's work can be held.

For a file `<session>.<step>` in the folder HOLDS the work stops there until the process is killed
or the file is gone, and tells so by `<session>.<step>.reached`. Steps: recorded, asking, ready (to
commit), settling (in the transaction), committed, making-<name> (a reflection of that name).
HOLDS_ONLY names how those begin at which a process stops at all: who takes up a turn is not held
where the one before died.

JOB_LEASE and JOB_PAUSE, in seconds, let a job's claim run out and a failed one be tried again
sooner than on a site.
"""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any

from interviewsite.asgi import application as application
from interviewsite.celery import app as app

HOLDS = Path(os.environ["HOLDS"])
ONLY = os.environ.get("HOLDS_ONLY", "")
LOOK = 0.05  # seconds
SessionOf = Callable[..., Any]


def _wanted(session: Any, step: str) -> bool:
    place = HOLDS / f"{session}.{step}"
    if not step.startswith(ONLY) or not place.exists():
        return False
    place.with_name(f"{place.name}.reached").touch()
    return True


def _stop(session: Any, step: str) -> None:
    while _wanted(session, step):
        time.sleep(LOOK)


def _before(function: Callable[..., Any], step: str, session: SessionOf) -> Callable[..., Any]:
    @wraps(function)
    def held(*args: Any, **named: Any) -> Any:
        _stop(session(*args), step)
        return function(*args, **named)

    return held


def _after(function: Callable[..., Any], step: str, session: SessionOf) -> Callable[..., Any]:
    @wraps(function)
    def held(*args: Any, **named: Any) -> Any:
        result = function(*args, **named)
        _stop(session(*args), step)
        return result

    return held


def _asking(ask: Callable[..., Any]) -> Callable[..., Any]:
    async def held(task: Any, data: Any, subject: Any, on_partial: Any = None) -> Any:
        while _wanted(subject.session, "asking"):  # noqa: ASYNC110  a file of another process
            await asyncio.sleep(LOOK)
        return await ask(task, data, subject, on_partial)

    return held


def _hasten() -> None:
    from plans import jobs

    for name, variable in (("LEASE", "JOB_LEASE"), ("PAUSE", "JOB_PAUSE")):
        if seconds := os.environ.get(variable):
            setattr(jobs, name, timedelta(seconds=float(seconds)))


def _install() -> None:
    from interviews.turns import store
    from interviews.turns.store import commit_turn
    from llm import gateway
    from reflections import products

    store.record = _after(store.record, "recorded", lambda session, *_: session.pk)
    store.commit = _before(store.commit, "ready", lambda claimed, *_: claimed.session.pk)
    store.commit = _after(store.commit, "committed", lambda claimed, *_: claimed.session.pk)
    commit_turn._settle = _after(commit_turn._settle, "settling", lambda session, *_: session.pk)
    gateway.ask = _asking(gateway.ask)
    for name, product in products.PRODUCTS.items():
        make = _before(product.make, f"making-{name}", lambda session: session.pk)
        products.PRODUCTS[name] = replace(product, make=make)


_hasten()
_install()
