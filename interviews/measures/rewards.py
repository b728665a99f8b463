"""What a participant gets at the end: the same code for all, one drawn from a pool, or a link.

Called in the transaction that ends an interview, so that a code is drawn exactly when it is given.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from django.utils import timezone

from interviews.models import Session
from plans.models import RewardCode
from plans.protocols import RewardOptions

log = logging.getLogger(__name__)
Kind = Literal["fixed", "pool", "redirect", "missing"]
SAMPLE = "SAMPLE"  # shown instead of a code of the pool where nobody is to be rewarded
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Reward:
    """What is given. `missing`: one is due, and the site has none to give."""

    kind: Kind
    code: str = ""
    url: str = ""

    def as_stored(self) -> dict[str, str]:
        """As JSON, for Session.reward."""
        return asdict(self)


def reward_of(session: Session) -> Reward | None:
    """What the session's participant was given; None where nothing was."""
    return Reward(**session.reward) if session.reward else None


def reward_for(session: Session, options: RewardOptions, early: bool) -> Reward | None:
    """The session's reward, or None where nothing is due. Draws a code; so once a session."""
    due = options.due(early)
    if due.kind == "none":
        return None
    reward = _given(session, due)
    if reward is None:
        log.error("no reward (%s) is left or set up for session %s", due.kind, session.pk)
    return reward or Reward("missing")


def _given(session: Session, due: RewardOptions) -> Reward | None:
    match due.kind:
        case "fixed":
            return Reward("fixed", code=due.code) if due.code else None
        case "pool":
            code = _code_of(session)
            return Reward("pool", code=code) if code else None
    url = address(due.url, session.params)
    return Reward("redirect", url=url) if url else None


def address(template: str, params: Mapping[str, str]) -> str:
    """The template with {NAME} filled from the params, encoded; unknown names become empty.

    However NAME is spelt, capitals or not, it is the same parameter. Empty where it would not be a
    plain web address, or where a param could choose the site.
    """
    plain = template.strip()
    try:
        parts = urlsplit(plain)
    except ValueError:
        return ""
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or "{" in parts.netloc:
        return ""
    told = {name.casefold(): str(value) for name, value in params.items()}
    return PLACEHOLDER.sub(lambda name: quote(told.get(name[1].casefold(), ""), safe=""), plain)


def _code_of(session: Session) -> str:
    """The session's code out of its bot's pool; empty when there is none left."""
    if session.preview or session.synthetic:
        return SAMPLE
    drawn = RewardCode.objects.filter(drawn_for=session.pk).first()
    return drawn.code if drawn else _draw(session)


def _draw(session: Session) -> str:
    """Those that others are just drawing are passed over, and waited for when no other is left."""
    free = RewardCode.objects.filter(bot=session.bot_id, drawn_for=None)
    while free.exists():
        for waits in (False, True):
            row = free.select_for_update(skip_locked=not waits).order_by("id").first()
            if row is not None and _take(row, session):
                return row.code
    return ""


def _take(row: RewardCode, session: Session) -> bool:
    mine = RewardCode.objects.filter(pk=row.pk, drawn_for=None)
    return bool(mine.update(drawn_for=session.pk, drawn_at=timezone.now()))
