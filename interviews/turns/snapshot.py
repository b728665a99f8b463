"""What a page, socket or API client may see of a session. The only way out."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone
from django.utils.translation import get_language_info, gettext
from django.utils.translation import override as language_override

from interviews.choices import ACTIVE, EntryKind, SessionStatus, SpeakerRole
from interviews.engine.care import contacts_of
from interviews.measures.ratings import asks_rating, rating_of
from interviews.measures.rewards import Reward, reward_of
from interviews.models import Rating, Session, TranscriptEntry
from interviews.turns.language_offer import LanguageOffer, other_language
from interviews.turns.participant_summary import gives_own_summary
from interviews.turns.store.load_turn import plan_content
from plans.text.languages import interface_language

PAGE = 40  # entries shown at first; earlier ones load on scrolling up


@dataclass(frozen=True, slots=True)
class EntryView:
    position: int
    at: datetime
    role: str
    kind: str
    text: str
    label: str  # "Overview", "Question 12", "Follow-up", or empty
    question: str = ""
    turn: int = 0

    @property
    def heading(self) -> str:
        who = gettext("You") if self.role == SpeakerRole.PARTICIPANT else gettext("Interviewer")
        return f"{who} · {self.label}" if self.label else who


@dataclass(frozen=True, slots=True)
class Progress:
    current: int
    total: int | None
    unit: str
    label: str
    remaining: int | None = None  # questions still to come, if known


@dataclass(frozen=True, slots=True)
class Help:
    contacts: str  # sentences of the care text
    plan: int  # the plan's id


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
    entries: tuple[EntryView, ...]  # in order
    earlier: bool  # whether there are entries before these
    length: int  # number of entries = position of the last one
    progress: Progress | None
    elapsed_seconds: int  # without time away
    ticking: bool  # whether the time is running
    pause_wanted: bool
    help: Help | None = None  # once there were signs of distress
    awaiting: str = ""  # "care" or "stop": the yes or no that the last words ask for
    reward: Reward | None = None  # once the interview has ended
    own_summary: bool = False  # whether the participant gets a summary
    asks_rating: bool = False
    rating: Rating | None = None
    other: LanguageOffer | None = None  # a language to start again in
    begun_anew: str = ""  # path of the newer interview that has replaced this one

    @property
    def over(self) -> bool:
        return self.status not in ACTIVE

    @property
    def asking(self) -> bool:
        return self.status in (SessionStatus.INTRO, SessionStatus.ASKING)

    @property
    def reply(self) -> tuple[EntryView, ...]:
        last = self.entries[-1].turn if self.entries else 0
        return tuple(
            e for e in self.entries if e.turn == last and e.role == SpeakerRole.INTERVIEWER
        )


def snapshot(
    session: Session, after: int | None = None, before: int | None = None, limit: int | None = PAGE
) -> Snapshot:
    """Return what may be seen of a session that was read just now.

    `after` and `before` bound the entries by position, both exclusive; `limit` keeps the latest
    ones (None: all).
    """
    entries, earlier = _entries(session, after, before, limit)
    with language_override(interface_language(session.language)):
        views = tuple(_view(entry) for entry in entries)
        progress = _progress(session.progress)
    return Snapshot(
        id=session.id,
        status=session.dialogue_status,
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
        help=help_for(session),
        awaiting=_awaiting(session, before),
        reward=None if session.is_active else reward_of(session),
        own_summary=gives_own_summary(session),
        asks_rating=asks_rating(session),
        rating=rating_of(session),
        other=other_language(session),
        begun_anew=_begun_anew(session),
    )


def help_for(session: Session) -> Help | None:
    return help_of(session.plan_id, session.language) if session.flagged else None


def help_of(plan_id: int, language: str) -> Help:
    return Help(contacts_of(plan_content(plan_id), language), plan_id)


def _begun_anew(session: Session) -> str:
    if session.status != SessionStatus.ARCHIVED or session.bot is None:
        return ""
    own = Session.objects.filter(participant=session.participant_id, bot=session.bot)
    newer = own.filter(started_at__gt=session.started_at)
    return session.bot.public_path if newer.exists() else ""


def _awaiting(session: Session, before: int | None) -> str:
    waits = session.dialogue_status in (SessionStatus.WAITING_ANSWER, SessionStatus.PAUSED)
    current = before is None or before > session.length
    return str(session.state.get("awaiting", "")) if waits and current else ""


def _entries(
    session: Session, after: int | None, before: int | None, limit: int | None
) -> tuple[list[TranscriptEntry], bool]:
    rows = TranscriptEntry.objects.filter(session=session).order_by("-position")
    if after is not None:
        rows = rows.filter(position__gt=after)
    if before is not None:
        rows = rows.filter(position__lt=before)
    entries = list(rows if limit is None else rows[:limit])[::-1]
    return entries, bool(entries) and entries[0].position > (after or 0) + 1


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
        case EntryKind.SKIP:
            return gettext("Skipped")
        case EntryKind.FOLLOW_UP if entry.number is None:
            return gettext("Follow-up")
        case EntryKind.LAST_QUESTION:
            return gettext("Last question")
    return _count("questions", entry.number) if entry.number else ""


def _progress(stored: dict[str, object]) -> Progress | None:
    if not stored:
        return None
    current = int(str(stored["current"]))
    total, remaining = (
        None if stored.get(key) is None else int(str(stored[key])) for key in ("total", "remaining")
    )
    unit = str(stored["unit"])
    return Progress(current, total, unit, _count(unit, current, total), remaining)


def _count(unit: str, number: int, total: int | None = None) -> str:
    if total is None:
        text = gettext("Question %(number)s")
    elif unit == "topics":
        text = gettext("Topic %(number)s of %(total)s")
    else:
        text = gettext("Question %(number)s of %(total)s")
    return text % {"number": max(1, number), "total": total}


def elapsed_seconds(session: Session) -> int:
    end = session.ended_at or session.paused_at or timezone.now()
    return max(0, int((end - session.started_at).total_seconds() - session.away_total))


def _rtl(language: str) -> bool:
    try:
        return bool(get_language_info(language)["bidi"])
    except KeyError:
        return False
