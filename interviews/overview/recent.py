"""How the interviewer is doing, from a bot's latest interviews. Kept for a minute."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median, quantiles
from uuid import UUID

from django.core.cache import cache

from interviews.choices import ENDED, EntryKind, SessionStatus
from interviews.engine.protocol import TopicCoverage
from interviews.exports.tables.coverage import topics_covered
from interviews.measures.effort import efforts_of
from interviews.models import Session, TranscriptEntry, Turn
from plans.models import Bot

INTERVIEWS = 50  # whose turns are looked at
RATED = 10  # whose answers are rated
KEPT = timedelta(minutes=1)


@dataclass(frozen=True)
class TopicSignal:
    label: str
    covered: float  # share of its sub-goals, 0 to 1
    signal: float  # mean of its answers, 0 to 1
    interviews: tuple[UUID, ...]  # in which it was talked about


@dataclass(frozen=True)
class RecentTurns:
    """Shares are from 0 to 1, waits in milliseconds; None where nothing was measured."""

    turns: int = 0
    by_source: tuple[tuple[str, float], ...] = ()  # who spoke, the most frequent first
    first_word: tuple[float, float] | None = None  # median and 95th percentile
    guarded: float | None = None
    asked_back: int = 0
    rated: int = 0  # answers
    low_effort: float | None = None
    length: float | None = None  # median of the turns of completed interviews
    topics: tuple[TopicSignal, ...] = ()


def recent_turns(bot: Bot) -> RecentTurns:
    key = f"overview:{bot.pk}"
    found: RecentTurns | None = cache.get(key)
    if found is None:
        found = _recent(bot)
        cache.set(key, found, KEPT.total_seconds())
    return found


def _recent(bot: Bot) -> RecentTurns:
    latest = Session.objects.filter(bot=bot, preview=False, synthetic=False)
    sessions = list(latest.order_by("-started_at").defer("params", "start_answers")[:INTERVIEWS])
    ended = [session for session in sessions if session.status in ENDED]
    turns = list(
        Turn.objects.filter(session__in=sessions, status=Turn.Status.DONE)
        .order_by()
        .values_list("source", "first_word_ms", "decision__firings")
    )
    sources: dict[str, int] = defaultdict(int)
    for source, _, _ in turns:
        sources[source] += 1
    waits = sorted(wait for _, wait, _ in turns if wait is not None)
    rated, low = _low_effort(ended[:RATED])
    lengths = [one.turn_count for one in ended if one.status == SessionStatus.COMPLETED]
    return RecentTurns(
        turns=len(turns),
        by_source=tuple(
            (source, times / len(turns))
            for source, times in sorted(sources.items(), key=lambda one: -one[1])
        ),
        first_word=_median_and_95(waits),
        guarded=sum(bool(firings) for *_, firings in turns) / len(turns) if turns else None,
        asked_back=TranscriptEntry.objects.filter(
            session__in=sessions, kind=EntryKind.INTERVIEWER_ANSWER
        ).count(),
        rated=rated,
        low_effort=low / rated if rated else None,
        length=median(lengths) if lengths else None,
        topics=_topics(ended),
    )


def _median_and_95(waits: Sequence[int]) -> tuple[float, float] | None:
    if len(waits) < 2:
        return (waits[0], waits[0]) if waits else None
    cuts = quantiles(waits, n=20, method="inclusive")
    return cuts[9], cuts[18]


def _low_effort(sessions: Sequence[Session]) -> tuple[int, int]:
    """Return how many answers were rated, and how many of them seem to lack effort."""
    found = efforts_of([session.pk for session in sessions]).values()
    ratings = [effort for of_session in found for effort in of_session.values()]
    return len(ratings), sum(rating.hurried for rating in ratings)


def _topics(sessions: Iterable[Session]) -> tuple[TopicSignal, ...]:
    found: dict[str, list[tuple[UUID, TopicCoverage]]] = defaultdict(list)
    for session in sessions:
        for topic in topics_covered(session.plan_id, session.state):
            found[topic.label].append((session.pk, topic))
    return tuple(_signal(label, topics) for label, topics in found.items())


def _signal(label: str, rows: Sequence[tuple[UUID, TopicCoverage]]) -> TopicSignal:
    goals = sum(topic.sub_goals for _, topic in rows)
    begun = {pk: topic for pk, topic in rows if topic.turns}
    covered = sum(topic.covered for _, topic in rows) / goals if goals else len(begun) / len(rows)
    signal = sum(topic.engagement for topic in begun.values()) / len(begun) if begun else 0.0
    return TopicSignal(label, covered, signal, tuple(begun))
