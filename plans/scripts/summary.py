from collections.abc import Sequence
from dataclasses import dataclass

from plans.models import Bot, Question, Script
from plans.protocols import protocol_of
from plans.scripts.preview import minutes, spoken_time
from plans.similarity import similar_pairs


@dataclass(frozen=True)
class ScriptSummary:
    sections: int
    questions: int
    minutes: int
    bots: Sequence[Bot]
    alike: Sequence[tuple[Question, Question]]
    notes: Sequence[str]  # how the protocols of these bots interpret it

    @property
    def time(self) -> str:
        return spoken_time(self.minutes)


def script_summary(script: Script) -> ScriptSummary:
    sections = list(script.sections.prefetch_related("questions"))
    questions = [question for section in sections for question in section.questions.all()]
    return ScriptSummary(
        sections=len(sections),
        questions=len(questions),
        minutes=minutes(sum(question.block_seconds for question in questions)),
        bots=list(script.bots.all()),
        alike=similar_pairs(questions),
        notes=reading_notes(script),
    )


def reading_notes(script: Script) -> list[str]:
    notes = (protocol_of(bot).scripts_mean for bot in script.bots.all())
    return list(dict.fromkeys(note for note in notes if note))
