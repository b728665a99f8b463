"""What this protocol asks models, filled from where the interview stands."""

from interviews.choices import SpeakerRole
from interviews.engine.guards import own_prompts
from interviews.engine.texts import wordings
from interviews.engine.types import TaskCall, TranscriptLine, TurnContext
from interviews.protocols.life_story import tasks
from interviews.protocols.life_story.guards import leaks
from interviews.protocols.life_story.script import questions_of
from interviews.protocols.life_story.state import LifeStoryState, seconds_left
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptQuestion

PLAN_KEY, NOTES_KEY, BRIDGE_KEY = "plan", "notes", "bridge"
TRANSCRIPT = 5_000  # characters of the conversation that the planner reads
TAIL = 1_500  # … and that a bridge is written from

Here = TurnContext[LifeStoryState, LifeStoryMaterial]


def plan(now: Here) -> TaskCall:
    """The planner: stay or move on."""
    question = _open_question(now)
    data = tasks.PlanInput(
        persona=now.plan.persona,
        language=now.language,
        transcript=tail(now.transcript, TRANSCRIPT),
        notes=now.state.known(),
        question=_last_asked(now) or question.text,
        objective=question.objective,
        guidance=question.guidance or "-",
        followups=now.state.followups_count,
        seconds_left=seconds_left(now.state, question.block_seconds, now.received.at),
        probes=list(_probes(now)),
        answer=now.answer,
    )
    return TaskCall(PLAN_KEY, tasks.PLAN, data)


def notes(now: Here) -> tuple[TaskCall, ...]:
    """The note-taker; nobody is asked when nothing was said."""
    if not now.answer:
        return ()
    asked = _last_asked(now) or _open_question(now).text
    data = tasks.NotesInput(
        language=now.language, notes=now.state.known(), question=asked, answer=now.answer
    )
    return (TaskCall(NOTES_KEY, tasks.NOTES, data),)


def candidate_key(index: int, may_skip: bool) -> str:
    """The reading of one question of the script."""
    return f"personalise.{index}" if may_skip else f"personalise.{index}.ask"


def candidate(now: Here, index: int, may_skip: bool) -> TaskCall:
    """The wording of one question of the script, or that it can be skipped."""
    question = questions_of(now)[index]
    data = tasks.PersonaliseInput(
        language=now.language,
        notes=now.state.known(),
        answer=now.answer,
        question=question.text,
        guidance=question.guidance or "-",
        may_skip=may_skip,
    )
    return TaskCall(candidate_key(index, may_skip), tasks.PERSONALISE, data)


def bridge(now: Here, cut_off: str) -> TaskCall:
    """A bridge after a moving answer."""
    data = tasks.BridgeInput(
        language=now.language,
        transcript=tail(now.transcript, TAIL),
        answer=now.answer,
        planned=cut_off,
    )
    return TaskCall(BRIDGE_KEY, tasks.BRIDGE, data)


def tail(lines: tuple[TranscriptLine, ...], characters: int) -> str:
    """The end of the conversation, in whole lines, at most so many characters."""
    kept: list[str] = []
    room = characters
    for line in reversed(lines):
        who = "Interviewer" if line.role == SpeakerRole.INTERVIEWER else "Participant"
        said = f"{who}: {line.text}"[:characters]
        room -= len(said) + 1
        if room < 0:
            break
        kept.insert(0, said)
    return "\n".join(kept)


def private(now: Here) -> tuple[str, ...]:
    """What may never be said aloud: the persona, the prompts, the open question's objective."""
    objective = _open_question(now).objective if now.state.current_question_index >= 0 else ""
    return (now.plan.persona, objective, *own_prompts(tasks.PROMPTS))


def said_in_private(now: Here, text: str) -> bool:
    """Whether a draft gives away something of that."""
    return leaks(text, private(now))


def _open_question(now: Here) -> ScriptQuestion:
    return questions_of(now)[now.state.current_question_index]


def _last_asked(now: Here) -> str:
    """What the interviewer said last, a follow-up included."""
    said = [line.text for line in now.transcript if line.role == SpeakerRole.INTERVIEWER]
    return said[-1] if said else ""


def _probes(now: Here) -> tuple[str, ...]:
    own = now.material.options.neutral_probes.get(now.language, ())
    return own or tuple(wordings(now.language, "probes"))
