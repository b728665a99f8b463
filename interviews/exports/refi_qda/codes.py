"""Codes of answers, and where they come from."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import NamedTuple
from uuid import UUID, uuid5

from django.conf import settings
from django.utils.crypto import salted_hmac

from interviews.choices import NO_ANSWER, EntryKind, SpeakerRole
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession
from interviews.exports.utterances import (
    FinishedTurn,
    OpenQuestionTracker,
    TranscriptUtterance,
    reasons_of,
)
from plans.text import shorten

SALT = "interviews.exports.refi_qda"
LONGEST_NAME = 100


@dataclass(frozen=True)
class CodeDefinition:
    key: str  # unique on this site
    name: str
    description: str = ""
    parent: "CodeDefinition | None" = None
    codable: bool = True


class Coding(NamedTuple):
    """A passage of an utterance under a code; without an end it goes to the utterance's."""

    session: UUID
    position: int
    code: CodeDefinition
    start: int = 0
    end: int | None = None
    memo: str = ""
    by: str = ""  # user name; empty: the site
    at: datetime | None = None  # None: when it was said


class CodableAnswer(NamedTuple):
    said: TranscriptUtterance
    question: str  # key of the one that was open
    number: int | None
    asked: str  # what the interviewer had said last


@dataclass(frozen=True)
class CodableInterview:
    session: ExportedSession
    said: Sequence[TranscriptUtterance]
    turns: Sequence[FinishedTurn]

    @property
    def key(self) -> UUID:
        key: UUID = self.session.session.pk
        return key

    @cached_property
    def answers(self) -> list[CodableAnswer]:
        """What was answered to questions, without skips and words about stopping."""
        reasons = reasons_of(self.turns)
        tracker, asked, found = OpenQuestionTracker(), "", list[CodableAnswer]()
        for said in self.said:
            tracker.update(said.role, said.kind, said.question, said.number)
            if said.role != SpeakerRole.PARTICIPANT:
                asked = said.text
            elif said.kind == EntryKind.USER_ANSWER and reasons.get(said.turn, "") not in NO_ANSWER:
                found.append(CodableAnswer(said, tracker.question, tracker.number, asked))
        return found

    def root(self, name: str) -> CodeDefinition:
        """Return the code under which those of one kind stand, for each bot one."""
        bot = self.session.session.bot_id or self.session.bot
        return CodeDefinition(f"{name}:{bot}", f"{name} ({self.session.bot})", codable=False)


def below(parent: CodeDefinition, key: object, name: str, description: str = "") -> CodeDefinition:
    """Return a code below another one; a name that is cut is whole in the description."""
    plain = " ".join(name.split())
    short = shorten(plain, LONGEST_NAME)
    if short != plain:
        description = "\n".join(filter(None, (name, description)))
    return CodeDefinition(f"{parent.key}:{key}", short, description, parent)


CodeAnswers = Callable[[Sequence[CodableInterview]], Iterable[Coding]]
ListCodes = Callable[[Selection], Iterable[CodeDefinition]]


class CodeSource(NamedTuple):
    """`code` codes a batch of interviews; `codebook` lists codes that may be unused so far."""

    code: CodeAnswers
    codebook: ListCodes = lambda selection: ()


CODE_SOURCES: list[CodeSource] = []


def register_codes(code: CodeAnswers, codebook: ListCodes = lambda selection: ()) -> None:
    CODE_SOURCES.append(CodeSource(code, codebook))


def codings_of(interviews: Sequence[CodableInterview]) -> dict[UUID, list[Coding]]:
    found: dict[UUID, list[Coding]] = defaultdict(list)
    for source in CODE_SOURCES:
        for coding in source.code(interviews):
            found[coding.session].append(coding)
    return found


def planned_questions(interviews: Sequence[CodableInterview]) -> Iterator[Coding]:
    """Code answers with the question of the script that they belong to, or at least its section."""
    for one in interviews:
        planned = {(asked.number, asked.key): asked for asked in one.session.questions}
        first = one.session.questions_in_first_language
        names = {(asked.section, asked.key): asked.text for asked in first}
        by_key = {asked.key: asked for asked in planned.values()}
        sections = {asked.section for asked in planned.values()}
        for answer in one.answers:
            key, place = answer.question, (answer.number or 0, answer.question)
            put = (asked for asked in planned.values() if asked.text in answer.asked)
            asked = planned.get(place) or by_key.get(key) or next(put, None)
            if section := asked.section if asked else key if key in sections else "":
                code = below(one.root("Questions"), section, in_words(section))
            else:
                code = one.root("Questions")
            if asked:
                name = names.get((asked.section, asked.key), asked.text)
                code = below(code, asked.key, name)
            if code.parent:
                yield Coding(one.key, answer.said.position, code)


def in_words(key: str) -> str:
    return key.replace("_", " ").replace("-", " ").capitalize()


register_codes(planned_questions)


def guid(*parts: object) -> str:
    """Return the same GUID for the same thing in every export of this site."""
    namespace = _namespace(settings.PSEUDONYM_KEY or settings.SECRET_KEY)
    return str(uuid5(namespace, ":".join(map(str, parts))))


@lru_cache(maxsize=2)
def _namespace(secret: str) -> UUID:
    mac = salted_hmac(SALT, "guid", secret=secret, algorithm="sha256")
    return UUID(bytes=mac.digest()[:16])
