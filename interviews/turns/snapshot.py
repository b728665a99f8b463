"""Session -> what a page, a socket or an API client may see. The only way out."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone
from django.utils.translation import get_language_info, gettext
from django.utils.translation import override as language_override

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.measures.ratings import RatingAnswers, asks_rating, rating_of
from interviews.measures.rewards import Reward, reward_of
from interviews.models import Session, TranscriptEntry
from interviews.turns.language_offer import LanguageOffer, other_language
from interviews.turns.participant_summary import gives_own_summary
from plans.text.languages import interface_language

PAGE = 40  # entries shown at first; earlier ones come on scrolling up


@dataclass(frozen=True, slots=True)
class EntryView:
    """One utterance as shown."""

    position: int
    at: datetime
    role: str
    kind: str
    text: str
    label: str  # "Overview", "Question 12", "Follow-up", or nothing
    question: str = ""
    turn: int = 0  # which turn it belongs to

    @property
    def heading(self) -> str:
        """Who speaks, with the label where there is one."""
        who = gettext("You") if self.role == SpeakerRole.PARTICIPANT else gettext("Interviewer")
        return f"{who} · {self.label}" if self.label else who


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the interview has come, in the protocol's own unit."""

    current: int
    total: int | None
    unit: str
    label: str
    remaining: int | None = None  # questions still to come, where that is known


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A session as of one sequence number."""

    id: UUID
    status: str
    sequence: int
    language: str
    rtl: bool
    title: str
    host: str
    entries: tuple[EntryView, ...]  # in order; at most PAGE unless asked for more
    earlier: bool  # whether there are entries before the first of these
    length: int  # entries in all = position of the last one
    progress: Progress | None
    elapsed_seconds: int  # time away left out
    ticking: bool  # whether that time runs on
    pause_wanted: bool
    reward: Reward | None = None  # once the interview has ended
    own_summary: bool = False  # whether one is made for the participant
    asks_rating: bool = False  # whether they are asked how the interview was
    rating: RatingAnswers | None = None  # what they have answered to that
    other: LanguageOffer | None = (
        None  # a language that the participant writes in, and may begin anew in
    )
    begun_anew: str = ""  # where the newer interview is, once this one was put aside

    @property
    def over(self) -> bool:
        """Whether the interview has ended, however it did."""
        return self.status not in (
            SessionStatus.INTRO,
            SessionStatus.WAITING_ANSWER,
            SessionStatus.ASKING,
            SessionStatus.PAUSED,
        )

    @property
    def may_answer(self) -> bool:
        """Whether it is the participant's turn."""
        return self.status in (SessionStatus.WAITING_ANSWER, SessionStatus.PAUSED)

    @property
    def asking(self) -> bool:
        """Whether the interviewer's turn is being made."""
        return self.status in (SessionStatus.INTRO, SessionStatus.ASKING)

    @property
    def reply(self) -> tuple[EntryView, ...]:
        """What the interviewer said in the last turn."""
        last = self.entries[-1].turn if self.entries else 0
        return tuple(
            e for e in self.entries if e.turn == last and e.role == SpeakerRole.INTERVIEWER
        )


def snapshot(
    session: Session, after: int | None = None, before: int | None = None, limit: int | None = PAGE
) -> Snapshot:
    """What may be seen of a session.

    In: the session as read just now; `after` leaves out entries up to that position, `before`
    those from it on; `limit` keeps the last so many (None: all).
    """
    entries, earlier = _entries(session, after, before, limit)
    with language_override(interface_language(session.language)):
        views = tuple(_view(entry) for entry in entries)
        progress = _progress(session.progress)
    return Snapshot(
        id=session.id,
        status=session.status,
        sequence=session.sequence,
        language=session.language,
        rtl=_rtl(session.language),
        title=session.title,
        host=session.host,
        entries=views,
        earlier=earlier,
        length=session.length,
        progress=progress,
        elapsed_seconds=elapsed_seconds(session),
        ticking=session.status
        in (SessionStatus.INTRO, SessionStatus.WAITING_ANSWER, SessionStatus.ASKING),
        pause_wanted=session.pause_wanted,
        reward=reward_of(session),
        own_summary=gives_own_summary(session),
        asks_rating=asks_rating(session),
        rating=rating_of(session),
        other=other_language(session),
        begun_anew=_begun_anew(session),
    )


def _begun_anew(session: Session) -> str:
    if session.status != SessionStatus.ARCHIVED or session.bot is None:
        return ""
    return session.bot.public_path


def _entries(
    session: Session, after: int | None, before: int | None, limit: int | None
) -> tuple[list[TranscriptEntry], bool]:
    """The newest entries of the range, in order, and whether older ones stand before them."""
    rows = TranscriptEntry.objects.filter(session=session).order_by("-position")
    if after is not None:
        rows = rows.filter(position__gt=after)
    if before is not None:
        rows = rows.filter(position__lt=before)
    found = list(rows if limit is None else rows[:limit])
    found.reverse()
    return found, bool(found) and found[0].position > (after or 0) + 1


def _view(entry: TranscriptEntry) -> EntryView:
    return EntryView(
        position=entry.position,
        at=entry.at,
        role=entry.role,
        kind=entry.kind,
        text=entry.text,
        label=_label(entry),
        question=entry.question,
        turn=entry.turn_id,
    )


def _label(entry: TranscriptEntry) -> str:
    match entry.kind:
        case EntryKind.INTRO:
            return gettext("Overview")
        case EntryKind.SCRIPTED_QUESTION | EntryKind.TOPIC_QUESTION | EntryKind.QUESTION:
            if entry.number is None:
                return ""
            return gettext("Question %(number)s") % {"number": entry.number}
        case EntryKind.FOLLOW_UP:
            return gettext("Follow-up")
        case EntryKind.SKIP:
            return gettext("Skipped")
    return ""


def _progress(kept: dict[str, object]) -> Progress | None:
    """Session.progress is {current, total, unit, remaining?} as the protocol gave it."""
    if not kept:
        return None
    current, total = int(str(kept["current"])), kept.get("total")
    of = int(str(total)) if total is not None else None
    left = kept.get("remaining")
    remaining = int(str(left)) if left is not None else None
    text = gettext("%(current)s of %(total)s") if of is not None else "%(current)s"
    label = text % {"current": current, "total": of}
    return Progress(current, of, str(kept["unit"]), label, remaining)


def elapsed_seconds(session: Session) -> int:
    """Seconds from start to end (or now) without the pauses, by the server's clock."""
    end = session.ended_at or session.paused_at or timezone.now()
    return max(0, int((end - session.started_at).total_seconds() - session.away_total))


def _rtl(language: str) -> bool:
    try:
        return bool(get_language_info(language)["bidi"])
    except KeyError:
        return False
