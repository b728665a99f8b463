"""The schema of files: scripts, bots, topics and backlogs."""

from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_serializer,
    model_validator,
)

from plans.documents.limits import NAME_CHARACTERS
from plans.models.eligibility import (
    LinkParams,
    Outcomes,
    QuotaCells,
    email_lines,
    hours_problem,
    zones,
)
from plans.models.knowledge import MADE_IN_INTERVIEWS, MOST_QUESTIONS, Priority
from plans.models.script import DEFAULT_BLOCK_SECONDS, LANGUAGE_TAG
from plans.text import UNFIT, tidy, tidy_lines

VERSION = 1
MOST_TEXT = 20_000
MOST_ITEMS = 500  # sections of a script, questions of a section
MOST_SUMMARY = 12_000  # as in the database
MOST_TOPICS = 60  # of a bot
SLUG = r"^[-a-zA-Z0-9_]+$"


def _tidy_text(text: str) -> str:
    if match := UNFIT.search(text):
        raise ValueError(f"the character U+{ord(match.group()):04X} does not belong in a text")
    return tidy(text)


def _not_empty(text: str) -> str:
    if not text:
        raise ValueError("may not be empty")
    return text


def _check_own_key(key: str) -> str:
    if key.startswith(MADE_IN_INTERVIEWS):
        raise ValueError("may not begin like the keys of questions that come up in interviews")
    return key


def _check_time_zone(name: str) -> str:
    if name not in zones():
        raise ValueError("must be a time zone such as UTC or Europe/Rome")
    return name


def _check_contact(address: str) -> str:
    return "\n".join(email_lines([address])) if address else ""


Tidied = Annotated[
    str, BeforeValidator(lambda value: "" if value is None else value), AfterValidator(_tidy_text)
]
Optional = Annotated[Tidied, Field(max_length=MOST_TEXT)]
Required = Annotated[Optional, AfterValidator(_not_empty)]
Lines = Annotated[Optional, AfterValidator(tidy_lines)]
OptionalName = Annotated[Tidied, Field(max_length=200)]
Name = Annotated[OptionalName, AfterValidator(_not_empty)]
Moment = Annotated[datetime, AfterValidator(lambda at: at if at.tzinfo else at.replace(tzinfo=UTC))]
FieldKind = Literal["name", "email", "phone", "company", "role", "free"]
Key = Annotated[str, Field(pattern=SLUG, max_length=60)]
Phrase = Annotated[Tidied, AfterValidator(_not_empty), Field(max_length=300)]
OwnKey = Annotated[Key, AfterValidator(_check_own_key)]
Line = Annotated[Tidied, AfterValidator(lambda text: " ".join(text.split()))]
Zone = Annotated[str, AfterValidator(_check_time_zone)]
Hour = Annotated[time, AfterValidator(lambda at: at.replace(tzinfo=None, microsecond=0))]
Dollars = Annotated[Decimal, Field(ge=0, max_digits=8, decimal_places=2)]
Addresses = Annotated[list[str], Field(max_length=MOST_ITEMS), AfterValidator(email_lines)]
Language = Annotated[str, Field(pattern=LANGUAGE_TAG, max_length=12)]


class DocumentModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class QuestionDocument(DocumentModel):
    key: Key
    text: Required
    objective: Optional = ""
    guidance: Optional = ""
    probes: Lines = ""
    block_seconds: int = Field(DEFAULT_BLOCK_SECONDS, ge=30, le=7200)


class SectionDocument(DocumentModel):
    key: Key
    title: Name
    questions: list[QuestionDocument] = Field([], max_length=MOST_ITEMS)


class ScriptDocument(DocumentModel):
    format: Literal["interviewsite/script"] = "interviewsite/script"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    name: Name
    language: Language
    intro: Required
    outro: Required
    sections: list[SectionDocument] = Field([], max_length=MOST_ITEMS)

    @property
    def questions(self) -> list[QuestionDocument]:
        return [question for section in self.sections for question in section.questions]


class TextsDocument(DocumentModel):
    title: OptionalName = ""
    host: OptionalName = ""
    summary: Optional = ""
    consent: Optional = ""
    about: Optional = ""
    care: Optional = ""


class SubGoalDocument(DocumentModel):
    """A sub-goal and its question. One without a question is written as a plain string."""

    text: Phrase
    question: Annotated[Line, Field(max_length=500)] = ""

    @model_validator(mode="before")
    @classmethod
    def _read_plain(cls, data: Any) -> Any:
        return data if isinstance(data, dict | SubGoalDocument) else {"text": data}

    @model_serializer
    def _write_plain(self) -> str | dict[str, str]:
        return {"text": self.text, "question": self.question} if self.question else self.text


class TopicDocument(DocumentModel):
    key: Key
    label: Name
    sub_goals: list[SubGoalDocument] = Field([], max_length=MOST_ITEMS)


class TopicsDocument(DocumentModel):
    topics: list[TopicDocument] = Field([], max_length=MOST_TOPICS)


class BacklogQuestionDocument(DocumentModel):
    """One question. `document` lists source documents, separated by semicolons."""

    key: OwnKey
    priority: Priority = "P1"
    question: Annotated[Line, AfterValidator(_not_empty), Field(max_length=500)]
    why: Annotated[Line, Field(max_length=500)] = ""
    document: Annotated[Line, Field(max_length=3 * NAME_CHARACTERS + 4)] = ""


class BacklogDocument(DocumentModel):
    format: Literal["interviewsite/backlog"] = "interviewsite/backlog"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    questions: list[BacklogQuestionDocument] = Field([], max_length=MOST_QUESTIONS)


class DataFieldDocument(DocumentModel):
    key: Key
    kind: FieldKind = "free"
    label: Name


Days = Annotated[int, Field(ge=1, le=36_500)]


class BotDocument(DocumentModel):
    """A bot with its texts, options and all the material that it uses.

    Uploaded documents are not part of it, only the summary and backlog made from them. Concept and
    methodology are whole files without their `format` and `version`.
    """

    format: Literal["interviewsite/bot"] = "interviewsite/bot"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    slug: Annotated[str, Field(pattern=SLUG, max_length=50)]
    title: Name
    protocol: str = "life_story"
    public: bool = True
    host: OptionalName = ""
    contact: Annotated[Tidied, AfterValidator(_check_contact), Field(max_length=254)] = ""
    demo: bool = False
    shows_consent: bool = False
    persona: Optional = ""
    minutes: int = Field(20, ge=1, le=10_000)
    opens_at: Moment | None = None
    closes_at: Moment | None = None
    hours_from: Hour | None = None
    hours_to: Hour | None = None
    time_zone: Zone = "UTC"
    quota: Annotated[int, Field(ge=1, le=2_147_483_647)] | None = None
    quota_cells: QuotaCells = ()
    cells_only: bool = False
    recruitment: Literal["link", "prolific", "panel", "invitations"] = "link"
    invited_only: bool = False
    invitation_reuse: Literal["resume", "refuse"] = "resume"
    link_params: LinkParams = ()
    outcomes: Outcomes = {}
    alert_to: Addresses = []
    session_budget: Dollars | None = None
    day_budget: Dollars | None = None
    keeps_paradata: bool = True
    keep_days: Days | None = None
    keep_contact_days: Days | None = None
    keep_calls_days: Days | None = None
    asks_rating: bool = True
    dictation: bool = True
    read_aloud: bool = True
    options: dict[str, Any] = {}
    expert_reflections: Literal["", "yes", "no"] = ""
    calibrates_replicas: bool = False
    models: dict[str, str] = {}
    texts: dict[Language, TextsDocument] = {}
    scripts: list[ScriptDocument] = Field([], max_length=MOST_ITEMS)
    topics: list[TopicDocument] = Field([], max_length=MOST_TOPICS)
    data_fields: list[DataFieldDocument] = Field([], max_length=MOST_ITEMS)
    summary: Annotated[Tidied, Field(max_length=MOST_SUMMARY)] = ""
    backlog: list[BacklogQuestionDocument] = Field([], max_length=MOST_QUESTIONS)
    concept: dict[str, Any] = {}
    methodology: dict[str, Any] = {}

    @model_validator(mode="after")
    def _check_hours(self) -> Self:
        if problem := hours_problem(self.hours_from, self.hours_to):
            raise ValueError(f"hours_from, hours_to: {problem}")
        return self
