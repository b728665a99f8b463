"""The words of an interview as products are made of them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from interviews.choices import SpeakerRole
from reflections.evidence.quotes import QuoteFinder


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One utterance."""

    position: int  # in the transcript
    role: str  # interviewer, participant
    text: str
    question: str = ""  # the key of the question or topic that was open
    section: str = ""  # the title of that question's section or topic


@dataclass(frozen=True)
class Transcript:
    """What was said, without what answers nothing and without cries for help."""

    language: str
    title: str  # of the bot
    lines: tuple[TranscriptLine, ...] = ()

    @cached_property
    def answers(self) -> Mapping[int, str]:
        """The participant's words by their positions."""
        return {one.position: one.text for one in self.lines if one.role == SpeakerRole.PARTICIPANT}

    @cached_property
    def said(self) -> QuoteFinder:
        """The same, to find quotes in."""
        return QuoteFinder(self.answers)

    @property
    def questions(self) -> tuple[str, ...]:
        """The keys of what was asked, in order, each once."""
        return tuple(dict.fromkeys(one.question for one in self.lines if one.question))

    def without(self, questions: Collection[str]) -> "Transcript":
        """The same as if these had never been asked."""
        kept = tuple(one for one in self.lines if one.question not in questions)
        return replace(self, lines=kept)

    def only(self, question: str) -> "Transcript":
        """All that was said while one question was open."""
        kept = tuple(one for one in self.lines if one.question == question)
        return replace(self, lines=kept)

    @property
    def numbered(self) -> str:
        """For a prompt: a line an utterance, “[position] Interviewer: …”."""
        return "\n".join(
            f"[{one.position}] {SpeakerRole(one.role).label}: {' '.join(one.text.split())}"
            for one in self.lines
        )
