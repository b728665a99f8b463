from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from django.db.models import Q, QuerySet

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection, changed
from interviews.models import Consent, Session
from interviews.turns.store import plan_content

CHUNK = 200
DECISIONS = {
    "agreed": "an interview began",
    "declined": "somebody chose not to take part; nothing else is known of them",
}


class ConsentRow(NamedTuple):
    bot: Annotated[str | None, "Address (slug) of the bot."]
    at: Annotated[datetime, "When it was decided."]
    decision: Annotated[str, "What was decided.", DECISIONS]
    version: Annotated[
        str, "Version of the words that were shown: the first 8 digits of their hash."
    ]
    language: Annotated[str, "Tag of the language of these words."]
    preview: Annotated[bool, "Tried out by the people who run the study, not a participant's."]
    text: Annotated[str, "The words that were shown."]
    session_id: Annotated[
        str | None, "The interview (UUID) that began; empty for those who declined."
    ]


def rows(selection: Selection) -> Iterator[ConsentRow]:
    for one in consents(selection).order_by("at", "id").iterator(chunk_size=CHUNK):
        text = one.text
        yield ConsentRow(
            _bot_slug(one),
            one.at,
            one.decision,
            text.version,
            text.language,
            one.preview,
            text.text,
            str(one.session_id) if one.session_id else None,
        )


def consents(selection: Selection) -> QuerySet[Consent]:
    """Those who declined have no interview, so filters on interviews leave them out."""
    filters: dict[str, Any] = {
        "bot": selection.bot,
        "at__gte": selection.since,
        "at__lt": selection.before,
        "session__in": selection.sessions,
        "session__status__in": selection.statuses,
    }
    used = {name: value for name, value in filters.items() if value}
    consents = selection.limit(Consent.objects.filter(**used))
    if tag := selection.language:  # of the interview; of those who declined that of the words
        declined = Q(session__isnull=True, text__language=tag)
        consents = consents.filter(declined | Q(session__language=tag))
    if since := selection.changed_since:
        sessions = Session.objects.filter(changed(since)).values("pk")
        consents = consents.filter(Q(at__gte=since) | Q(session__in=sessions))
    if not selection.synthetic:
        consents = consents.exclude(Q(session__isnull=False) & Q(session__synthetic=True))
    if not selection.previews:
        consents = consents.filter(preview=False)
    return consents.select_related("bot", "text", "session")


def _bot_slug(consent: Consent) -> str | None:
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
