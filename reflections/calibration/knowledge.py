"""What a replica knows: notes and reflections made anew from a transcript, never stored ones."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from interviews.engine.language.statements import one_line
from plans.jobs import JobFailed
from reflections.calibration.llm_calls import ModelCaller, NoAnswer
from reflections.calibration.llm_tasks import NOTES, REFLECT, NotesInput, PersonInput
from reflections.calibration.types import StoredKnowledge
from reflections.evidence.checks import check_statements
from reflections.evidence.condensation import readable_transcript
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Finding, finding
from reflections.experts.llm_tasks import MOST, reflect_input
from reflections.models import Expert

MOST_NOTES, LONGEST_NOTE = 40, 400  # characters


@dataclass(frozen=True)
class Knowledge:
    """All that a replica has; `knowing` is the part that is stored."""

    language: str
    text: str
    knowing: StoredKnowledge
    findings: tuple[Finding, ...] = ()

    @property
    def whole(self) -> PersonInput:
        found = self.knowing.reflections.items()
        observations = [f"{name}: {text}" for name, texts in found for text in texts]
        return self.only_notes.model_copy(
            update={"transcript": self.text, "observations": observations}
        )

    @property
    def only_notes(self) -> PersonInput:
        return PersonInput(language=self.language, notes=list(self.knowing.notes))


async def gather_knowledge(
    transcript: Transcript, readers: Sequence[Expert], caller: ModelCaller
) -> Knowledge:
    """Make notes and reflections from this transcript alone.

    Raises JobFailed without notes; an expert who could not be asked is a finding.
    """
    read = await readable_transcript(transcript, caller.subject)
    reading = asyncio.gather(*(_reflect(read.text, transcript, one, caller) for one in readers))
    notes, reflected = await asyncio.gather(
        _make_notes(read.text, transcript.language, caller), reading
    )
    names = (reader.name for reader in readers)
    reflections = {name: texts for name, (texts, _) in zip(names, reflected, strict=True) if texts}
    findings = [one for _, found in reflected for one in found]
    if not reflections:
        findings.append(finding("no_reflections", "It had no reflections of experts to go by."))
    knowing = StoredKnowledge(notes=notes, reflections=reflections, condensed=read.condensed)
    return Knowledge(transcript.language, read.text, knowing, tuple(findings))


async def _make_notes(text: str, language: str, caller: ModelCaller) -> tuple[str, ...]:
    try:
        output = await caller.ask(NOTES, NotesInput(language=language, transcript=text))
    except NoAnswer as why:
        raise JobFailed(f"No notes could be made: {why}.") from why
    lines = (one_line(note)[:LONGEST_NOTE] for note in output.notes)
    kept = tuple(dict.fromkeys(line for line in lines if line))[:MOST_NOTES]
    if not kept:
        raise JobFailed("No notes could be made: the model wrote none.")
    return kept


async def _reflect(
    text: str, transcript: Transcript, reader: Expert, caller: ModelCaller
) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    try:
        output = await caller.ask(REFLECT, reflect_input(reader, transcript, text))
    except NoAnswer as why:
        missing = f"{reader.name} could not be heard ({why}), so the replica went without."
        return (), (finding("no_reflection", missing),)
    kept, _ = check_statements(
        output.observations, transcript, REFLECT.template, reader.instructions
    )
    return tuple(one.text for one in kept[:MOST]), ()
