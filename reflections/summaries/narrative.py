"""What a model wrote of an interview, checked against it and put under its topics.

transcript -> readable -> RETELL or FACTS -> each topic checked -> sections in the topics' order
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from interviews.engine.texts import fixed
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.task import Task
from plans.jobs import JobFailed
from reflections.evidence.checks import checked, found_as
from reflections.evidence.condensation import readable
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import MADE_BY, Finding, Section, Statement, StatementsContent
from reflections.summaries.llm_tasks import InterviewIn, UnderTopic, Written

MOST = 60  # statements of one product
TEXTS = Path(__file__).parent / "texts"
UNANSWERED = "No model answered"


async def written(
    task: Task[InterviewIn, Written],
    transcript: Transcript,
    topics: Sequence[str],
    subject: CallContext,
) -> StatementsContent:
    """What the model wrote, as far as it stands; no sections where nothing of it does.

    `topics` are the topics' titles. Raises JobFailed where no model answered.
    """
    read = await readable(transcript, subject)
    listed = [f"{number}. {title}" for number, title in enumerate(topics, 1)]
    data = InterviewIn(language=transcript.language, topics=listed, interview=read.text)
    outcome = await ask(task, data, subject)
    if outcome.source is Source.FALLBACK:
        raise JobFailed(f"{UNANSWERED}: {outcome.reason}.")
    kept, findings = _standing(outcome.value.topics, len(topics), transcript, task.template)
    sections, left_out = at_most(_sections(kept, topics, transcript.language))
    return StatementsContent(
        sections=sections,
        language=transcript.language,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        findings=findings + left_out,
        condensed=read.condensed,
    )


def _standing(
    parts: Iterable[UnderTopic], topics: int, transcript: Transcript, prompt: Path
) -> tuple[dict[int, list[Statement]], tuple[Finding, ...]]:
    """The statements that may stand, by the numbers of their topics; 0 for none of them."""
    kept: dict[int, list[Statement]] = {}
    findings: list[Finding] = []
    for part in parts:
        number = part.topic if 0 < part.topic <= topics else 0
        standing, found = checked(part.statements, transcript, prompt)
        known = {one.text for one in kept.setdefault(number, [])}
        kept[number] += [one for one in standing if one.text not in known]
        findings += found
    return kept, tuple(findings)


def _sections(
    kept: Mapping[int, Sequence[Statement]], topics: Sequence[str], language: str
) -> tuple[Section, ...]:
    """Under their titles in the topics' order, what belongs to none of them last."""
    titled = [*enumerate(topics, 1), (0, elsewhere(language) if topics else "")]
    return tuple(
        Section(title=title, statements=tuple(kept[number]))
        for number, title in titled
        if kept.get(number)
    )


def elsewhere(language: str) -> str:
    """The title for what belongs to no topic."""
    return fixed(language, "elsewhere", folder=TEXTS)


def at_most(
    sections: Iterable[Section], most: int = MOST
) -> tuple[tuple[Section, ...], tuple[Finding, ...]]:
    """The first so many statements, and a finding where there were more."""
    kept, left_out = list[Section](), list[str]()
    for section in sections:
        room = most - sum(len(one.statements) for one in kept)
        left_out += [one.text for one in section.statements[room:]]
        if room > 0:
            kept.append(section.model_copy(update={"statements": section.statements[:room]}))
    if not left_out:
        return tuple(kept), ()
    said = f"There were {len(left_out)} more than the {most} that are kept."
    return tuple(kept), (found_as("too_many", "notable", said, "\n".join(left_out)),)
