"""What the JSON API accepts and returns. The docstrings are descriptions in OpenAPI."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import BeforeValidator, Field

from interviews.choices import EntryKind
from interviews.measures.paradata import ParadataInput, clean_measures
from interviews.turns.snapshot import Snapshot


class Problem(Schema):
    """Why a request was refused: a short code for programs, a sentence for people."""

    error: str
    message: str
    details: list[dict[str, Any]] = []


class StartFieldOut(Schema):
    """Something that is asked before the interview; given with the start."""

    key: str
    label: str


class BotOut(Schema):
    """A public bot that is open now."""

    slug: str
    title: str
    protocol: str
    languages: list[str]
    questions: int | None = None
    minutes: int
    asks: list[StartFieldOut]


class StartIn(Schema):
    """Who wants to be interviewed. No bot: the site's default one."""

    participant_name: str = ""
    bot: str | None = None
    language: str = ""
    params: dict[str, str | int | float | bool] = Field(
        {},
        description="What came with the participant's link. The names that the bot knows may be "
        "spelled in any case or by their aliases.",
    )
    consent: bool | None = Field(
        None,
        description="Whether the participant agrees to the bot's consent text as it is now. True: "
        "that version is kept with the interview. False: it is kept that somebody declined, "
        "nothing of whom, and the start is refused as `declined`. Null: you have asked for consent "
        "yourself, and nothing is kept of it here.",
    )
    given: dict[str, str] = Field({}, description="What the bot asks before it begins, by key")


ANSWERING = Field(
    None,
    description="The `position` of the reply that this answers. If the interview has moved on "
    "meanwhile, in another window say, it is refused as `outdated`.",
)


class ParadataIn(Schema):
    """How an answer was written, as far as the client knows. Never keys or words."""

    first_key_ms: int | None = Field(
        default=None, description="Milliseconds from the question to the first thing written to it"
    )
    edits: int | None = Field(default=None, description="Deletions and replacements")
    pastes: int | None = None
    pasted_characters: int | None = None
    focus_losses: int | None = Field(default=None, description="How often the page was left")
    away_ms: int | None = Field(default=None, description="Milliseconds for which it was left")
    dictated: bool | None = Field(default=None, description="Some of it came by voice")


class AnswerIn(Schema):
    """An answer. The same message id again gives the same reply."""

    session_id: UUID
    answer: str
    message_id: str | None = Field(None, description="Made by the client, 1 to 64 characters")
    answering: int | None = ANSWERING
    paradata: Annotated[ParadataIn, BeforeValidator(clean_measures)] = Field(
        ParadataIn(),
        description="Kept where the bot keeps such things. A measure that makes no sense is left "
        "empty; no answer is refused for it.",
    )

    @property
    def measures(self) -> ParadataInput:
        return self.paradata.model_dump(exclude_unset=True)


class ButtonIn(Schema):
    """A button's press."""

    message_id: str | None = None
    answering: int | None = ANSWERING


class ProgressOut(Schema):
    """How far the interview has come."""

    current: int
    total: int | None
    unit: str
    label: str
    remaining: int | None = Field(None, description="Questions still to come, where known")


class RewardOut(Schema):
    """What the participant gets; `missing` says that one is due and the site has none to give."""

    kind: Literal["fixed", "pool", "redirect", "missing"]
    code: str
    url: str


MARK = "From 1 (not at all) to 5 (very much); null: not answered"


class RatingIn(Schema):
    """How the interview was; what is left out stays as it was, null takes an answer back."""

    heard: int | None = Field(None, ge=1, le=5, description=f"Felt listened to. {MARK}")
    ease: int | None = Field(None, ge=1, le=5, description=f"Could say what mattered. {MARK}")


class RatingOut(Schema):
    """What the participant answered about the interview itself."""

    heard: int | None = Field(description=f"Felt listened to. {MARK}")
    ease: int | None = Field(description=f"Could say what mattered. {MARK}")


class ReplyOut(Schema):
    """What the participant sees next; `message` is whole, a transition included."""

    status: str
    kind: str | None
    message: str
    question: str = Field("", description="Key of the question that waits for an answer")
    position: int = Field(description="Of the last utterance so far")
    transition: str | None = None
    awaiting: Literal["", "care", "stop"] = Field(
        "",
        description="A yes or no that is awaited before the interview continues; show two buttons. "
        '`care`: the message is words of care for somebody in distress; the answer "yes" '
        'continues, "no" ends the interview. `stop`: the message asks whether to end the '
        'interview; "yes" ends it, "no" continues. Empty: an ordinary answer is awaited, or '
        "none.",
    )
    progress: ProgressOut | None
    reward: RewardOut | None = None  # when the interview has ended


class StartOut(ReplyOut):
    """A new session, and the token that opens it."""

    session_id: UUID
    token: str
    intro: str


class SessionOut(ReplyOut):
    """A session as it stands."""

    session_id: UUID
    bot_title: str
    language: str
    elapsed_seconds: int
    asks_rating: bool = Field(description="Whether they may say now how the interview was")
    rating: RatingOut | None = Field(None, description="What they have said of it so far")


class WithdrawnOut(Schema):
    """What is left of an interview that was withdrawn.

    `erased` is false where a copy is still on the disk; it goes by itself within moments.
    """

    session_id: UUID
    status: str
    erased: bool


class EntryOut(Schema):
    """One utterance."""

    position: int
    at: datetime
    role: str
    kind: str
    text: str
    question: str = ""
    label: str = ""


class TranscriptOut(Schema):
    """Everything that was said, in order."""

    session_id: UUID
    status: str
    entries: list[EntryOut]


class ResumeOut(SessionOut):
    """A session as it stands, with everything that was said."""

    entries: list[EntryOut]


def reply(snap: Snapshot) -> dict[str, Any]:
    """Return ReplyOut's fields: what the interviewer has said since the participant last did."""
    said = [entry for entry in snap.reply if entry.kind != EntryKind.INTRO]
    transitions = [entry.text for entry in said if entry.kind == EntryKind.TRANSITION]
    waits = not snap.asking and said
    return {
        "status": snap.status,
        "kind": said[-1].kind if waits else None,
        "message": "\n\n".join(entry.text for entry in said) if waits else "",
        "question": said[-1].question if waits else "",
        "position": snap.entries[-1].position if snap.entries else 0,
        "transition": transitions[0] if waits and transitions else None,
        "awaiting": snap.awaiting,
        "progress": snap.progress,
        "reward": snap.reward,
    }


def state(snap: Snapshot) -> dict[str, Any]:
    """Return SessionOut's fields."""
    return {
        **reply(snap),
        "session_id": snap.id,
        "bot_title": snap.title,
        "language": snap.language,
        "elapsed_seconds": snap.elapsed_seconds,
        "asks_rating": snap.asks_rating,
        "rating": snap.rating,
    }


def intro_of(snap: Snapshot) -> str:
    return next((entry.text for entry in snap.entries if entry.kind == EntryKind.INTRO), "")
