"""One row a decision: who agreed to which words, and how many declined them."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from django.db.models import Q, QuerySet

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.models import Consent
from interviews.store import plan_content

CHUNK = 200
DECISIONS = {
    "agreed": "an interview began",
    "declined": "somebody chose not to take part; nothing else is known of them",
}


def rows(chosen: Selection) -> Iterator[Consent]:
    """The decisions about the chosen interviews, and about those that somebody didn't begin."""
    yield from _chosen(chosen).order_by("at", "id").iterator(chunk_size=CHUNK)


def _chosen(chosen: Selection) -> QuerySet[Consent]:
    """Those who declined have no interview: filters of interviews alone leave them out."""
    wanted: dict[str, Any] = {
        "bot": chosen.bot,
        "at__gte": chosen.since,
        "at__lt": chosen.before,
        "text__language": chosen.language,
        "session__in": chosen.sessions,
        "session__status__in": chosen.statuses,
    }
    found = Consent.objects.filter(**{name: value for name, value in wanted.items() if value})
    if not chosen.synthetic:
        found = found.exclude(Q(session__isnull=False) & Q(session__synthetic=True))
    if not chosen.previews:
        found = found.filter(preview=False)
    return found.select_related("bot", "text", "session")


def _bot(row: Consent) -> str | None:
    if row.bot:
        return row.bot.slug
    return plan_content(row.session.plan_id).bot if row.session else None


CONSENTS: Table[Consent] = Table(
    "consents",
    "One row a decision about taking part, those of people who declined included. Decisions of "
    "who has withdrawn since are deleted.",
    (
        Column("bot", Type.STRING, "Address (slug) of the bot.", _bot),
        Column("at", Type.DATETIME, "When it was decided.", attrgetter("at")),
        Column("decision", Type.STRING, "What was decided.", attrgetter("decision"), DECISIONS),
        Column(
            "version",
            Type.STRING,
            "Version of the words that were shown: the first 8 digits of their hash.",
            attrgetter("text.version"),
        ),
        Column(
            "language",
            Type.STRING,
            "Tag of the language of these words.",
            attrgetter("text.language"),
        ),
        Column(
            "preview",
            Type.BOOLEAN,
            "Tried out by the people who run the study, not a participant's.",
            attrgetter("preview"),
        ),
        Column("text", Type.STRING, "The words that were shown.", attrgetter("text.text")),
    ),
    rows,
)
