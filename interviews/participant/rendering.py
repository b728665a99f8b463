"""Renders snapshots as HTML: contexts of whole pages, and fragments for an open page.

A fragment consists of out-of-band parts that name their place in the page, so the same fragment
answers a form, a poll and a websocket.
"""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import pgettext

from interviews.choices import SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.models import Session
from interviews.turns.snapshot import Help, Snapshot, snapshot
from plans.text.languages import interface_language

BUTTONS = {"care": ("continue", "stop"), "stop": ("end", "continue")}  # by what is awaited


def label(name: str) -> str:
    """Return a button's label in the active language, or "" for an unknown button.

    A button says its label, so that rules read it, replay repeats it, and the transcript shows it.
    """
    labels = {
        "continue": pgettext("reply to the interviewer", "Continue"),
        "stop": pgettext("reply to the interviewer", "Stop here"),
        "end": pgettext("reply to the interviewer", "End the interview"),
    }
    return labels.get(name, "")


NEWS = 400  # entries sent at once; a page that lacks more reloads itself
PHASES = {  # what the page offers in each status
    SessionStatus.INTRO: "asking",
    SessionStatus.ASKING: "asking",
    SessionStatus.WAITING_ANSWER: "yours",
    SessionStatus.PAUSED: "paused",
}


@dataclass(frozen=True, slots=True)
class Notice:
    text: str
    code: str = ""


def page_snapshot(session: Session, after: int | None = None) -> Snapshot:
    """Return the session's snapshot for a page, with nothing newer than `session` itself.

    A turn may be committed between reading the session and its entries; its words would then stand
    next to a status in which they are still awaited.
    """
    until = session.length + 1
    if after is None:
        return _without_hidden(snapshot(session, before=until))
    return _without_hidden(snapshot(session, after=after, before=until, limit=NEWS))


def _without_hidden(snap: Snapshot) -> Snapshot:
    """Hold a confidential answer back until its reply, when its masked text is known."""
    last = snap.entries[-1] if snap.entries else None
    if not (snap.asking and last and last.role == SpeakerRole.PARTICIPANT and last.text == HIDDEN):
        return snap
    return replace(snap, entries=snap.entries[:-1], length=snap.length - 1)


def context(snap: Snapshot, notice: Notice | None = None) -> dict[str, Any]:
    return {
        "snap": snap,
        "phase": PHASES.get(SessionStatus(snap.status), "over"),
        "minutes": snap.elapsed_seconds // 60,
        "notice": notice,
        "reply_buttons": [(name, label(name)) for name in BUTTONS.get(snap.awaiting, ())],
        "longest": settings.MAX_ANSWER,
        "withdrawn": withdrawn_url(snap.language, snap.help),
    }


def withdrawn_url(language: str, help: Help | None) -> str:
    query = {"language": language} | ({"help": str(help.plan)} if help else {})
    return f"{reverse('interviews:withdrawn')}?{urlencode(query)}"


def render_news(snap: Snapshot, notice: Notice | None = None) -> str:
    with translation.override(interface_language(snap.language)):
        return render_to_string("chat/news.html", context(snap, notice))


def render_draft(text: str) -> str:
    return render_to_string("chat/draft.html", {"text": text})
