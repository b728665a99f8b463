"""A script as the participant will meet it."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import count

from plans.models import Question, Script, Section

SAMPLE_NAME = "Alex"


@dataclass(frozen=True)
class PreviewQuestion:
    number: int
    question: Question

    @property
    def time(self) -> str:
        return spoken_time(minutes(self.question.block_seconds))


@dataclass(frozen=True)
class PreviewSection:
    section: Section
    asked: list[PreviewQuestion]

    @property
    def seconds(self) -> int:
        return sum(asked.question.block_seconds for asked in self.asked)

    @property
    def time(self) -> str:
        return spoken_time(minutes(self.seconds))


@dataclass(frozen=True)
class ScriptPreview:
    script: Script
    intro: str
    outro: str
    parts: list[PreviewSection]

    @property
    def questions(self) -> int:
        return sum(len(part.asked) for part in self.parts)

    @property
    def time(self) -> str:
        return spoken_time(minutes(sum(part.seconds for part in self.parts)))


def preview(
    script: Script, excluded: Collection[str] = (), name: str = SAMPLE_NAME
) -> ScriptPreview:
    numbers = count(1)
    sections = script.sections.exclude(key__in=excluded).prefetch_related("questions")
    parts = [
        PreviewSection(s, [PreviewQuestion(next(numbers), q) for q in s.questions.all()])
        for s in sections
    ]
    intro, outro = (t.replace("{participant_name}", name) for t in (script.intro, script.outro))
    return ScriptPreview(script, intro, outro, [part for part in parts if part.asked])


def minutes(seconds: int) -> int:
    return -(-seconds // 60)


def spoken_time(total: int) -> str:
    hours, rest = divmod(total, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"
