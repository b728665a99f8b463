"""Reports on technical assessments, and what candidates get: from rows to pure functions."""

import asyncio
from typing import Any

from interviews.models import Session, Turn
from interviews.observations import observed_in
from interviews.own import gives_own_summary
from interviews.protocols.technical_assessment.here import EXPERIENCE
from interviews.protocols.technical_assessment.report import (
    FinalReport,
    Held,
    asking,
    own_summary,
    reported,
)
from interviews.protocols.technical_assessment.report.asking import LAST_TURNS
from interviews.store import plan_content
from interviews.words import Status
from llm.gateway import ask
from llm.outcome import Outcome
from llm.task import Utterance
from reflections.subjects import subject_of

OWN_SUMMARY = "own_summary"


def report(session: Session) -> dict[str, Any]:
    """The report, by a model if one answers in time, else computed from the observations."""
    held = held_of(session)
    return reported(held, asyncio.run(_asked(held, session))).model_dump(mode="json")


def summary_for_candidate(session: Session) -> dict[str, Any]:
    """What the candidate may see."""
    held = held_of(session)
    return own_summary(held.observed, held.titles).model_dump(mode="json")


def own_products(session: Session) -> tuple[str, ...]:
    """What is made for the participant besides what the protocol names."""
    return (OWN_SUMMARY,) if gives_own_summary(session) else ()


def held_of(session: Session) -> Held:
    """The interview as the report needs it."""
    return Held(
        material=plan_content(session.plan_id).material,
        language=session.language,
        observed=observed_in(session),
        dialogue=_last_turns(session),
        experience=session.given.get(EXPERIENCE, ""),
        stopped=session.status == Status.STOPPED,
    )


async def _asked(held: Held, session: Session) -> Outcome[FinalReport]:
    task, data = asking(held)
    return await ask(task, data, subject_of(session))


def _last_turns(session: Session) -> tuple[Utterance, ...]:
    """What was said in them."""
    done = Turn.objects.filter(session=session, status=Turn.Status.DONE).order_by("-number")
    last = list(done.values_list("pk", flat=True)[:LAST_TURNS])
    said = session.entries.filter(turn__in=last).exclude(text="").order_by("position")
    return tuple(Utterance(role=entry.role, text=entry.text) for entry in said)
