"""Snapshot -> HTML: whole pages by context, and the fragments that an open page takes in.

A fragment is made of out-of-band parts. Each names the place in the page that it belongs to, so the
same fragment answers a form, a poll and a websocket alike.
"""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from interviews.choices import SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.models import Session
from interviews.turns.snapshot import Snapshot, snapshot
from plans.text.languages import interface_language

NEWS = 400  # entries sent at once; a page that lacks more loads itself again
PHASES = {  # what the page has to offer while a session stands so
    SessionStatus.INTRO: "asking",
    SessionStatus.ASKING: "asking",
    SessionStatus.WAITING_ANSWER: "yours",
    SessionStatus.PAUSED: "paused",
}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be told quietly, above the text box."""

    text: str
    code: str = ""


def newest(session: Session, after: int | None = None) -> Snapshot:
    """What a page shows of a session as it was read: at most so much, and nothing newer.

    A turn may be committed between reading the session and reading its entries; its words would
    then stand beside a state in which they are still awaited.
    """
    until = session.length + 1
    if after is None:
        return _without_hidden(snapshot(session, before=until))
    return _without_hidden(snapshot(session, after=after, before=until, limit=NEWS))


def _without_hidden(snap: Snapshot) -> Snapshot:
    """A confidential answer comes together with its reply, when it is known what may be shown."""
    last = snap.entries[-1] if snap.entries else None
    if not (snap.asking and last and last.role == SpeakerRole.PARTICIPANT and last.text == HIDDEN):
        return snap
    return replace(snap, entries=snap.entries[:-1], length=snap.length - 1)


def context(snap: Snapshot, notice: Notice | None = None) -> dict[str, Any]:
    """What the chat's templates know."""
    return {
        "snap": snap,
        "phase": PHASES.get(SessionStatus(snap.status), "over"),
        "minutes": snap.elapsed_seconds // 60,
        "notice": notice,
        "longest": settings.MAX_ANSWER,
    }


def news(snap: Snapshot, notice: Notice | None = None) -> str:
    """The entries of a snapshot and the state it leaves the page in, as out-of-band parts."""
    with translation.override(interface_language(snap.language)):
        return render_to_string("chat/news.html", context(snap, notice))


def draft(text: str) -> str:
    """The utterance being made, as far as it goes."""
    return render_to_string("chat/draft.html", {"text": text})
