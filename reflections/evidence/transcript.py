from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from interviews.choices import SpeakerRole
from reflections.evidence.quotes import QuoteFinder


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    position: int  # in the transcript
    role: str  # interviewer, participant
    text: str
    question: str = ""  # the key of the question or topic that was open
    section: str = ""  # the title of that question's section or topic


@dataclass(frozen=True)
class Transcript:
    """What was said, without what answers nothing and without expressions of distress."""

    language: str
    title: str  # of the bot
    lines: tuple[TranscriptLine, ...] = ()

    @cached_property
    def answers(self) -> Mapping[int, str]:
        return {one.position: one.text for one in self.lines if one.role == SpeakerRole.PARTICIPANT}

    @cached_property
    def quotes(self) -> QuoteFinder:
        return QuoteFinder(self.answers)

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.question for line in self.lines if line.question))

    def without(self, questions: Collection[str]) -> "Transcript":
        return replace(self, lines=tuple(x for x in self.lines if x.question not in questions))

    def only(self, question: str) -> "Transcript":
        return replace(self, lines=tuple(line for line in self.lines if line.question == question))

    @property
    def numbered(self) -> str:
        """The transcript for a prompt, one “[position] Interviewer: …” line per utterance."""
        return "\n".join(
            f"[{line.position}] {SpeakerRole(line.role).label}: {' '.join(line.text.split())}"
            for line in self.lines
        )
