"""Check what a model wrote of an interview, and sort it under the interview's topics.

transcript -> readable_transcript -> RETELL or FACTS -> check each topic -> sections -> SUPPORT
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from interviews.engine.texts import fixed
from llm.tasks.call_context import CallContext
from llm.tasks.task import Task
from reflections.evidence.background_task import ask_or_fail
from reflections.evidence.checks import check_statements
from reflections.evidence.condensation import readable_transcript
from reflections.evidence.support import check_sections
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import (
    MADE_BY,
    Finding,
    Section,
    Statement,
    StatementsContent,
    finding,
)
from reflections.summaries.llm_tasks import InterviewIn, UnderTopic, Written

MOST = 60  # statements of one product
TEXTS = Path(__file__).parent / "texts"


async def write_statements(
    task: Task[InterviewIn, Written],
    transcript: Transcript,
    topics: Sequence[str],
    context: CallContext,
) -> StatementsContent:
    """Return what the model wrote, as far as it stands; there may be no sections.

    `topics` are the topics' titles. Raises JobFailed if no model answered.
    """
    read = await readable_transcript(transcript, context)
    listed = [f"{number}. {title}" for number, title in enumerate(topics, 1)]
    data = InterviewIn(language=transcript.language, topics=listed, interview=read.text)
    outcome = await ask_or_fail(task, data, context, "answered")
    kept, findings = _check_parts(outcome.value.topics, len(topics), transcript, task.template)
    limited, left_out = limit_statements(_titled_sections(kept, topics, transcript.language))
    sections, unsupported = await check_sections(limited, transcript, context)
    return StatementsContent(
        sections=sections,
        language=transcript.language,
        made_by=MADE_BY[outcome.source],
        reason=outcome.reason,
        findings=findings + left_out + unsupported,
        condensed=read.condensed,
    )


def _check_parts(
    parts: Iterable[UnderTopic], topics: int, transcript: Transcript, prompt: Path
) -> tuple[dict[int, list[Statement]], tuple[Finding, ...]]:
    kept: dict[int, list[Statement]] = {}
    findings: list[Finding] = []
    for part in parts:
        number = part.topic if 0 < part.topic <= topics else 0
        standing, found = check_statements(part.statements, transcript, prompt)
        known = {one.text for one in kept.setdefault(number, [])}
        kept[number] += [one for one in standing if one.text not in known]
        findings += found
    return kept, tuple(findings)


def _titled_sections(
    kept: Mapping[int, Sequence[Statement]], topics: Sequence[str], language: str
) -> tuple[Section, ...]:
    titled = [*enumerate(topics, 1), (0, elsewhere_title(language) if topics else "")]
    return tuple(
        Section(title=title, statements=tuple(kept[number]))
        for number, title in titled
        if kept.get(number)
    )


def elsewhere_title(language: str) -> str:
    return fixed(language, "elsewhere", folder=TEXTS)


def limit_statements(
    sections: Iterable[Section],
) -> tuple[tuple[Section, ...], tuple[Finding, ...]]:
    kept, left_out = list[Section](), list[str]()
    for section in sections:
        room = MOST - sum(len(one.statements) for one in kept)
        left_out += [one.text for one in section.statements[room:]]
        if room > 0:
            kept.append(section.model_copy(update={"statements": section.statements[:room]}))
    if not left_out:
        return tuple(kept), ()
    said = f"There were {len(left_out)} more than the {MOST} that are kept."
    before = "\n".join(left_out)
    return tuple(kept), (finding("too_many", said, before=before),)
