"""What a replica knows: notes and reflections made anew from the words it is given, never stored
ones."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from plans.jobs import JobFailed
from plans.text import tidy
from reflections.calibration.llm_calls import ModelCaller, NoAnswer
from reflections.calibration.llm_tasks import NOTES, REFLECT, NotesInput, PersonInput
from reflections.calibration.types import StoredKnowledge
from reflections.evidence.checks import checked
from reflections.evidence.condensation import readable
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import ExpertSnapshot, Finding
from reflections.experts.llm_tasks import MOST, reflect_input

MOST_NOTES, LONGEST_NOTE = 40, 400  # characters


class ExpertReader(ExpertSnapshot):
    """An expert, with how they work."""

    instructions: str = ""


@dataclass(frozen=True)
class Knowledge:
    """All that a replica has; `knowing` is what is stored of it."""

    language: str
    text: str
    knowing: StoredKnowledge
    findings: tuple[Finding, ...] = ()

    @property
    def whole(self) -> PersonInput:
        return self.only_notes.model_copy(
            update={"transcript": self.text, "observations": self._observations}
        )

    @property
    def only_notes(self) -> PersonInput:
        """As the first baseline has it."""
        return PersonInput(language=self.language, notes=list(self.knowing.notes))

    @property
    def _observations(self) -> list[str]:
        found = self.knowing.reflections.items()
        return [f"{name}: {text}" for name, texts in found for text in texts]


async def known(
    words: Transcript, readers: Sequence[ExpertReader], asker: ModelCaller
) -> Knowledge:
    """Notes and reflections from these words alone.

    Raises JobFailed where there are no notes; an expert who could not be heard is a finding.
    """
    read = await readable(words, asker.subject)
    reading = asyncio.gather(*(_reflected(read.text, words, one, asker) for one in readers))
    notes, reflected = await asyncio.gather(_notes(read.text, words.language, asker), reading)
    names = (reader.name for reader in readers)
    reflections = {name: texts for name, (texts, _) in zip(names, reflected, strict=True) if texts}
    findings = [finding for _, found in reflected for finding in found]
    if not reflections:
        findings.append(_finding("no_reflections", "It had no reflections of experts to go by."))
    knowing = StoredKnowledge(notes=notes, reflections=reflections, condensed=read.condensed)
    return Knowledge(words.language, read.text, knowing, tuple(findings))


async def _notes(text: str, language: str, asker: ModelCaller) -> tuple[str, ...]:
    try:
        made = await asker.ask(NOTES, NotesInput(language=language, transcript=text))
    except NoAnswer as why:
        raise JobFailed(f"No notes could be made: {why}.") from why
    lines = (" ".join(tidy(note).split())[:LONGEST_NOTE] for note in made.notes)
    kept = tuple(dict.fromkeys(line for line in lines if line))[:MOST_NOTES]
    if not kept:
        raise JobFailed("No notes could be made: the model wrote none.")
    return kept


async def _reflected(
    text: str, words: Transcript, reader: ExpertReader, asker: ModelCaller
) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """What the expert observes in these words, as in a reflection of their own, and what was
    found."""
    try:
        made = await asker.ask(REFLECT, reflect_input(reader, words, text))
    except NoAnswer as why:
        missing = f"{reader.name} could not be heard ({why}), so the replica went without."
        return (), (_finding("no_reflection", missing),)
    kept, _ = checked(made.observations, words, REFLECT.template, reader.instructions)
    return tuple(one.text for one in kept[:MOST]), ()


def _finding(check: str, text: str) -> Finding:
    return Finding(check=check, weight="notable", text=text)
