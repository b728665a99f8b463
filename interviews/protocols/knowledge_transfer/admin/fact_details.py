from collections.abc import Sequence
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Value
from django.http import HttpRequest

from interviews.admin import querysets
from interviews.admin.access_log import record_seen
from interviews.admin.base import session_url
from interviews.models import Fact, Session
from interviews.protocols.knowledge_transfer.backlog import state_of
from interviews.protocols.knowledge_transfer.state import KnowledgeTransferState

VIEW_NAMES = "interviews.view_participant"
VIEW_TRANSCRIPT = "interviews.view_session"
ACCESS_REASON = "Read a fact."
FOUND_BY = {
    "model": "a model",
    "fallback_model": "the stand-in model",
    "fallback": "rules, because no model gave a usable result",
    "rules": "rules",
}
LEVELS = ((0.75, "High", "success"), (0.45, "Medium", "info"), (0.0, "Low", "warning"))


def facts_listed(facts: QuerySet[Fact], request: HttpRequest) -> QuerySet[Fact]:
    sees_names = request.user.has_perm(VIEW_NAMES)
    name = F("session__participant__name") if sees_names else Value("", output_field=CharField())
    merged = Fact.objects.filter(merged_into=OuterRef("pk"))
    return (
        facts.select_related("session__bot", "entry")
        .defer("session__state", "session__params", "session__start_answers")
        .annotate(shown_name=name, stands_for_others=Exists(merged))
    )


def who(fact: Fact) -> str:
    return getattr(fact, "shown_name", "") or querysets.who(fact.session)


def confidence(value: float) -> str:
    word = next(word for least, word, _ in LEVELS if value >= least)
    return f"{word} ({value:g})"


def tone(value: float) -> str:
    return next(tone for least, _, tone in LEVELS if value >= least)


def marks(fact: Fact) -> dict[str, str]:
    candidates = (
        ("edited", "info", fact.edited_at is not None),
        ("merged", "info", getattr(fact, "stands_for_others", False)),
        ("merged", "", fact.merged_into_id is not None),
    )
    return {mark: tone for mark, tone, holds in candidates if holds}


def fact_views(request: HttpRequest, facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Return these facts with what they come from, and record that they were read."""
    may_read = request.user.has_perm(VIEW_TRANSCRIPT)
    sessions = {fact.session_id: fact.session for fact in facts}
    stored = Session.objects.filter(pk__in=sessions).only("plan_id", "state")
    states = {session.pk: state_of(session) for session in stored}
    for session in sessions.values():
        record_seen(request.user, session, ACCESS_REASON)
    return [_fact_view(fact, states.get(fact.session_id), may_read) for fact in facts]


def _fact_view(fact: Fact, state: KnowledgeTransferState | None, may_read: bool) -> dict[str, Any]:
    """Return one fact with what it comes from, as far as the user may see it."""
    items = state.items if state else ()
    item = next((one for one in items if one.id == fact.question), None)
    return {
        "fact": fact,
        "who": who(fact),
        "confidence": confidence(fact.confidence),
        "tone": tone(fact.confidence),
        "source": FOUND_BY.get(fact.source, fact.source),
        "question": item.text if item else "",
        "asked": item.asked if item and may_read else "",
        "answer": fact.entry if may_read else None,
        "standing": state.standing(fact.number) if state else "",
        "place": session_url(fact.session, f"#e{fact.entry.position}") if may_read else "",
    }
