"""One interview with a simulated participant, led through the same actions as everybody's."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from interviews.choices import SpeakerRole
from interviews.models import Session, TranscriptEntry
from interviews.turns import actions
from interviews.turns.session_start import StartRequest
from llm.concurrency.threads import in_database
from reflections.evaluation.respondents import Answer, Heard, Respondent, typing_seconds

MOST = 120  # answers; then the interview is called endless


class NoReply(Exception):
    """The interviewer didn't reply in time."""


@dataclass(frozen=True)
class SimulatedTurn:
    """One answer; `turn` is the number of the turn that it began."""

    turn: int
    answer: Answer


async def simulate(
    bot: str, respondent: Respondent, started: Callable[[UUID], None]
) -> tuple[SimulatedTurn, ...]:
    """Lead an interview to its end. `started` is called in the database thread with its id.

    Time passes on a clock of its own, by what such a person takes to read and write. Raises
    NoReply, and RequestRefused where the bot isn't ready.
    """
    persona = respondent.persona
    given = {key: str(value) for key, value in persona.start.items()}
    begun = await actions.start(
        StartRequest(bot, persona.name, persona.language, start_answers=given, simulated=True)
    )
    await in_database(started, begun.session_id)
    session = await actions.fresh(begun.session_id)
    turns: list[SimulatedTurn] = []
    clock = session.started_at
    while session.is_active and len(turns) < MOST:
        heard = await in_database(_heard, session, len(turns) + 1)
        answer = await respondent.answer(heard)
        seconds = typing_seconds(persona, heard.text, answer.text)
        clock += timedelta(seconds=seconds)
        turn = await actions.receive(session, answer.text, f"simulated-{heard.turn}", at=clock)
        if not await actions.finished(turn):
            raise NoReply(f"The interviewer didn't reply to answer {heard.turn}.")
        session = await actions.fresh(session.pk)
        turns.append(SimulatedTurn(heard.turn, answer))
    return tuple(turns)


def _heard(session: Session, turn: int) -> Heard:
    said = TranscriptEntry.objects.filter(session=session, role=SpeakerRole.INTERVIEWER)
    return Heard(
        tuple(said.filter(turn__number=turn - 1).order_by("position")),
        turn,
        str(session.state.get("awaiting", "")),
    )
