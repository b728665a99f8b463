"""The next question: by the interviewer, asked again where a guard refuses, else from the list."""

from dataclasses import dataclass, replace

from interviews.engine.guards import GuardRefusal
from interviews.engine.language.sentences import single_spaced
from interviews.engine.types import CallResults, GuardFiring, PartialResults, TaskCall
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.context import (
    Here,
    experience_of,
    has_words,
    options_of,
    pairs,
    past,
    position_in,
    say,
    script_of,
    title_of,
)
from interviews.protocols.technical_assessment.difficulty import QuestionAim, nearest
from interviews.protocols.technical_assessment.interviewer import (
    AssessmentQuestionInput,
    BareQuestion,
    QuestionAndAnswer,
    QuestionResponse,
    question_task,
)
from interviews.protocols.technical_assessment.state import AskedQuestion
from llm.tasks.outcome import Source


@dataclass(frozen=True)
class WordedNextQuestion:
    """The question as it is said, or that nothing is left to ask (`asked` is None)."""

    asked: AskedQuestion | None
    text: str = ""
    used: tuple[str, ...] = ()  # the reading whose words these are
    firings: tuple[GuardFiring, ...] = ()
    attempts: int = 0


def worded(now: Here, readings: CallResults, aim: QuestionAim) -> WordedNextQuestion | TaskCall:
    """The question for an aim, or the inquiry that it takes."""
    if options_of(now).questions_by == "list":
        return _without_model(now, aim)
    firings: tuple[GuardFiring, ...] = ()
    refused: list[str] = []
    for attempt in range(1, _attempts(now, aim) + 1):
        key = f"{aim.key}.{attempt}"
        reading = readings.get(key)
        if reading is None:
            return _inquiry(now, aim, key, refused)
        if reading.source is Source.FALLBACK:
            break
        text, fired = guards.cut(reading.value.question)
        echo = GuardRefusal("repeat", "asked before, in other words") if reading.echoes else None
        why = echo or guards.refused(text, now.language, _private(now), _past(now, aim))
        firings += fired
        if not why:
            asked = _asked(now, aim, text, reading.value)
            return WordedNextQuestion(asked, text, (key,), firings, attempt)
        firings += (GuardFiring(why.guard, why.reason, text),)
        refused.append(f"{text} ({why.reason})")
    return replace(_without_model(now, aim), firings=firings, attempts=len(refused))


def certain(now: Here, readings: CallResults, partials: PartialResults, aim: QuestionAim) -> str:
    """As much of the question as can be shown while it is being written."""
    found = worded(now, readings, aim)
    if isinstance(found, WordedNextQuestion):
        return found.text
    text = single_spaced(str(partials.get(found.key, {}).get("question") or ""))
    return guards.certain(text, now.language, _private(now), _past(now, aim))


# -- by the interviewer


def _attempts(now: Here, aim: QuestionAim) -> int:
    return 1 if aim.manner == "rephrase" else options_of(now).attempts


def _past(now: Here, aim: QuestionAim) -> tuple[str, ...]:
    """What the question may not repeat; other words for the open one are wanted alike."""
    return () if aim.manner == "rephrase" else past(now)


def _asked(now: Here, aim: QuestionAim, text: str, said: BareQuestion) -> AskedQuestion:
    if aim.manner == "rephrase":
        return now.state.open.model_copy(update={"again": text})
    reasoning = single_spaced(said.reasoning) if isinstance(said, QuestionResponse) else ""
    return AskedQuestion(text=text, topic=aim.topic, level=aim.level, reasoning=reasoning)


def _inquiry(now: Here, aim: QuestionAim, key: str, refused: list[str]) -> TaskCall:
    return TaskCall(key, question_task(options_of(now)), _data(now, aim, refused))


def _data(now: Here, aim: QuestionAim, refused: list[str]) -> AssessmentQuestionInput:
    options = options_of(now)
    return AssessmentQuestionInput(
        persona=now.plan.persona,
        language=now.language,
        position=position_in(now.plan),
        grade=options.grade,
        experience=experience_of(now),
        topic=title_of(now, aim.topic),
        focus=aim.focus,
        level=aim.level,
        action=aim.action,
        manner=aim.manner,
        question=now.state.open.wording,
        history=_history(now),
        asked=list(past(now)),
        refused=refused,
        reasoning=options.reasoning,
    )


def _history(now: Here) -> list[QuestionAndAnswer]:
    count = options_of(now).history
    return pairs(now)[-count:] if count else []


def _private(now: Here) -> tuple[str, ...]:
    return (now.plan.persona, *guards.prompts())


# -- without a model


def _without_model(now: Here, aim: QuestionAim) -> WordedNextQuestion:
    if aim.manner == "rephrase":
        return _put_plainly(now)
    fresh = unused(now)
    if not fresh:
        return WordedNextQuestion(None)
    asked = nearest(now, aim, fresh)
    return WordedNextQuestion(asked, f"{_lead(now, aim, asked)} {asked.text}".strip())


def _put_plainly(now: Here) -> WordedNextQuestion:
    """The same words once more, with leave to answer by an example."""
    asked = now.state.open
    return WordedNextQuestion(asked, say(now.language, "rephrased", question=asked.wording))


def unused(now: Here) -> list[AskedQuestion]:
    """The base questions that nothing like them was asked of yet."""
    return [
        AskedQuestion(text=q.text, topic=q.topic, level=q.level, key=q.key)
        for q in script_of(now).questions
        if not guards.repeats(q.text, past(now))
    ]


def _lead(now: Here, aim: QuestionAim, asked: AskedQuestion) -> str:
    """A few words where the topic changes, or has to be found again."""
    if not has_words(now.language):
        return ""
    topic = title_of(now, asked.topic)
    if asked.topic != now.state.topic or now.state.open.opening:
        return say(now.language, "next_topic", topic=topic)
    return say(now.language, "steer_back", topic=topic) if aim.manner == "steer_back" else ""
