from interviews.choices import SpeakerRole
from interviews.engine.conversation import conversation
from interviews.engine.guards import Limits, names_closed, prompts_of
from interviews.engine.result import TaskCall
from interviews.protocols.life_story import tasks
from interviews.protocols.life_story.state import LifeStoryContext, questions_of, seconds_left
from plans.protocols.life_story.content import ScriptQuestion

PLAN_KEY, NOTES_KEY = "plan", "notes"
COMING = 3  # questions that it is told not to ask yet


def plan(ctx: LifeStoryContext) -> TaskCall:
    question = _open_question(ctx)
    after = questions_of(ctx)[ctx.state.current_question_index + 1 :]
    data = tasks.PlanInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        dialogue=conversation(ctx),
        notes=ctx.state.note_texts(),
        question=question.text,
        objective=question.objective,
        guidance=question.guidance or "-",
        followups=ctx.state.followups_count,
        ceiling=_ceiling(ctx),
        minutes_left=seconds_left(ctx) // 60,
        closed=list(ctx.state.closed),
        coming=[one.text for one in after[:COMING]],
        probes=open_probes(ctx),
        answer=ctx.answer,
    )
    return TaskCall(PLAN_KEY, tasks.PLAN, data)


def notes(ctx: LifeStoryContext) -> tuple[TaskCall, ...]:
    if not ctx.answer:
        return ()
    asked = _last_asked(ctx) or _open_question(ctx).text
    data = tasks.NotesInput(
        language=ctx.language, notes=ctx.state.note_texts(), question=asked, answer=ctx.answer
    )
    return (TaskCall(NOTES_KEY, tasks.NOTES, data),)


def candidate_key(index: int, may_skip: bool) -> str:
    return f"personalise.{index}" if may_skip else f"personalise.{index}.ask"


def candidate(ctx: LifeStoryContext, index: int, may_skip: bool) -> TaskCall:
    question = questions_of(ctx)[index]
    is_last = index == len(questions_of(ctx)) - 1
    data = tasks.PersonaliseInput(
        language=ctx.language,
        notes=ctx.state.note_texts(),
        closed=list(ctx.state.closed),
        answer=ctx.answer,
        question=question.text,
        guidance=question.guidance or "-",
        may_skip=may_skip and not is_last,
    )
    return TaskCall(candidate_key(index, may_skip), tasks.PERSONALISE, data)


def limits(ctx: LifeStoryContext, asked: tuple[str, ...] = ()) -> Limits:
    return Limits(ctx.language, private(ctx), ctx.state.closed, asked)


def private(ctx: LifeStoryContext) -> tuple[str, ...]:
    # none of this may ever be said
    question = _open_question(ctx)
    own = (question.objective, question.guidance)
    return (ctx.plan.persona, *own, *prompts_of(tasks.PROMPTS))


def _open_question(ctx: LifeStoryContext) -> ScriptQuestion:
    return questions_of(ctx)[ctx.state.current_question_index]


def _ceiling(ctx: LifeStoryContext) -> int:
    if ctx.state.at_own_pace:  # something hard was said: no more follow-ups
        return ctx.state.followups_count
    return ctx.material.options.followup_ceiling


def open_probes(ctx: LifeStoryContext) -> list[str]:
    """Return the open question's probes that weren't asked and name no closed subject."""
    spoken = [line.text for line in ctx.transcript if line.role == SpeakerRole.INTERVIEWER]
    return [
        probe
        for probe in _open_question(ctx).probes
        if not any(probe in line for line in spoken)
        and not names_closed(probe, ctx.state.closed, ctx.language)
    ]


def _last_asked(ctx: LifeStoryContext) -> str:
    lines = [line.text for line in ctx.transcript if line.role == SpeakerRole.INTERVIEWER]
    return lines[-1] if lines else ""
