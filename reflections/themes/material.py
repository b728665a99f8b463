"""Themes as a model reads them: their excerpts, numbered, each behind the question it answers."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import BaseModel

from interviews.choices import SpeakerRole
from interviews.models import TranscriptEntry
from llm.tasks.task import LanguageTag, Spoken
from reflections.evidence.transcript import Transcript, TranscriptLine
from reflections.themes.findings import Findings, Theme, ThemeQuote, spread
from reflections.themes.report_content import ReportExcerpt

MOST = 5  # statements on a theme
MOST_READ = 80  # excerpts of a theme, for it and against it each
ASKED = 200  # characters of a question
Questions = Mapping[tuple[UUID, int], str]  # by interview and position of the answer


class WriteInput(BaseModel):
    language: LanguageTag
    theme: Spoken
    about: Spoken
    codes: list[Spoken]  # “name: description” of those below
    supporting: list[Spoken]  # “[number] Participant 1, under “code”, asked “question”: “words””
    opposing: list[Spoken]
    most: int = MOST


@dataclass(frozen=True)
class ThemeMaterial:
    theme: Theme
    excerpts: Mapping[int, ThemeQuote]  # by number
    questions: Questions
    data: WriteInput

    @property
    def transcript(self) -> Transcript:
        """The excerpts as a transcript that statements quote, numbers in place of positions."""
        lines = list[TranscriptLine]()
        for number, one in self.excerpts.items():
            question = self.questions.get((one.session, one.position), "")
            lines.append(TranscriptLine(0, SpeakerRole.INTERVIEWER, question))
            lines.append(TranscriptLine(number, SpeakerRole.PARTICIPANT, one.text))
        return Transcript(self.data.language, self.data.theme, tuple(lines))

    @property
    def unread(self) -> int:
        """How many excerpts there was no room for."""
        return len(self.theme.quotes) - len(self.excerpts)


def theme_materials(found: Findings, language: str) -> Iterator[ThemeMaterial]:
    """Yield the themes at the top with their excerpts, which are numbered through all themes."""
    number = 0
    questions = _questions(one for theme in found.themes for one in theme.quotes)
    for index, theme in enumerate(found.themes):
        if theme.depth or not theme.quotes:
            continue
        below = [*_below(found.themes[index + 1 :])]
        names = {one: sub.code.name for sub in (theme, *below) for one in sub.quotes}
        people = {who: n for n, who in enumerate(dict.fromkeys(q.person for q in theme.quotes), 1)}
        numbered, sides = dict[int, ThemeQuote](), list[list[str]]()
        for against in (False, True):
            lines = list[str]()
            for one in spread((q for q in theme.quotes if q.against is against), MOST_READ):
                number += 1
                numbered[number] = one
                asked = questions.get((one.session, one.position), "")
                lines.append(
                    f"[{number}] Participant {people[one.person]}, under “{names[one]}”, "
                    f"asked “{asked}”: “{' '.join(one.text.split())}”"
                )
            sides.append(lines)
        data = WriteInput(
            language=language,
            theme=theme.code.name,
            about=theme.code.description,
            codes=[f"{one.code.name}: {one.code.description}" for one in below],
            supporting=sides[0],
            opposing=sides[1],
        )
        yield ThemeMaterial(theme, numbered, questions, data)


def report_excerpts(material: ThemeMaterial) -> Iterator[ReportExcerpt]:
    for number, one in material.excerpts.items():
        yield ReportExcerpt(
            number=number,
            session=one.session,
            position=one.position,
            start=one.start,
            end=one.start + len(one.text),
            code=material.theme.code.pk,
            against=one.against,
        )


def _below(themes: Sequence[Theme]) -> Iterator[Theme]:
    for theme in themes:
        if not theme.depth:
            return
        yield theme


def _questions(quotes: Iterable[ThemeQuote]) -> Questions:
    """Return the end of what the interviewer said last before each quoted answer."""
    places = {(one.session, one.position) for one in quotes}
    said = TranscriptEntry.objects.filter(
        session__in={session for session, _ in places}, role=SpeakerRole.INTERVIEWER
    )
    asked = defaultdict[UUID, list[tuple[int, str]]](list)
    for session, position, text in said.exclude(text="").values_list("session", "position", "text"):
        asked[session].append((position, " ".join(text.split())[-ASKED:]))
    questions = {}
    for session, position in places:
        before = sorted(asked[session])
        place = bisect_left(before, (position, ""))
        questions[session, position] = before[place - 1][1] if place else ""
    return questions
