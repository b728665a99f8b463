"""Tries a turn that was taken over, before it is run here: its words may freeze a process.

A pattern that doesn't end keeps the interpreter to itself, so it is tried in a copy of this
process, which the system kills.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial
from typing import Any

from interviews.engine import pipeline
from interviews.engine.contact_data.masking import scrub
from interviews.engine.context import AnyContext
from interviews.engine.pipeline import OnPartial
from interviews.engine.result import TaskCall
from interviews.measures.effort import fields_of_turn
from interviews.protocols import PROTOCOLS
from llm.tasks.outcome import OFFLINE, Outcome, Source

PROCESSOR = 2.0  # seconds that a rehearsal may compute
LONGEST = 10.0  # seconds that it may take on a busy machine


async def may_run(ctx: AnyContext) -> bool:
    """Return whether all that rules do with the words of the turn comes to an end."""
    return await asyncio.to_thread(_ends, partial(_decide_by_rules, ctx))


def _decide_by_rules(ctx: AnyContext) -> None:
    protocol = PROTOCOLS[ctx.plan.protocol]
    result, _ = asyncio.run(pipeline.run(protocol, ctx, _fall_back, lambda draft: None))
    fields_of_turn(ctx, result, None, 0)
    if ctx.state.sealed:
        scrub(ctx.answer)


async def _fall_back(call: TaskCall, on_partial: OnPartial) -> Outcome[Any]:
    return Outcome(call.task.fallback(call.data), Source.FALLBACK, OFFLINE)


def _ends(work: Callable[[], None]) -> bool:
    """Return whether the work ends in a copy of this process, be it with an error."""
    copy = os.fork()
    if copy:
        _pid, status = os.waitpid(copy, 0)
        return not os.WIFSIGNALED(status)
    try:
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # else a port would stay taken
        for timer, number, seconds in (
            (signal.ITIMER_PROF, signal.SIGPROF, PROCESSOR),
            (signal.ITIMER_REAL, signal.SIGALRM, LONGEST),
        ):
            signal.signal(number, signal.SIG_DFL)
            signal.setitimer(timer, seconds)
        work()
    finally:
        os._exit(0)
