"""One row a decision: who agreed to which words, and how many declined them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from django.db.models import Q, QuerySet

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.models import Consent
from interviews.turns.store import plan_content

CHUNK = 200
DECISIONS = {
    "agreed": "an interview began",
    "declined": "somebody chose not to take part; nothing else is known of them",
}


class ConsentRow(NamedTuple):
    """One decision about taking part."""

    bot: Annotated[str | None, "Address (slug) of the bot."]
    at: Annotated[datetime, "When it was decided."]
    decision: Annotated[str, "What was decided.", DECISIONS]
    version: Annotated[
        str, "Version of the words that were shown: the first 8 digits of their hash."
    ]
    language: Annotated[str, "Tag of the language of these words."]
    preview: Annotated[bool, "Tried out by the people who run the study, not a participant's."]
    text: Annotated[str, "The words that were shown."]


def rows(chosen: Selection) -> Iterator[ConsentRow]:
    """The decisions about the chosen interviews, and about those that somebody didn't begin."""
    for one in _chosen(chosen).order_by("at", "id").iterator(chunk_size=CHUNK):
        text = one.text
        yield ConsentRow(
            _bot(one), one.at, one.decision, text.version, text.language, one.preview, text.text
        )


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


def _bot(consent: Consent) -> str | None:
    if consent.bot:
        return consent.bot.slug
    return plan_content(consent.session.plan_id).bot if consent.session else None


CONSENTS = Table(
    "consents",
    "One row a decision about taking part, those of people who declined included. Decisions of "
    "who has withdrawn since are deleted.",
    columns_of(ConsentRow),
    rows,
)
