"""What a participant gets at the end: one code for all, a code drawn from a pool, or a link.

Called in the transaction that ends an interview, so that a code is drawn exactly when it is
given.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from django.db import transaction
from django.utils import timezone

from interviews.models import Session
from plans.models import Bot, RewardCode
from plans.models.eligibility import prolific_url, under_all_names
from plans.protocols import RewardOptions

log = logging.getLogger(__name__)
Kind = Literal["fixed", "pool", "redirect", "missing"]
SAMPLE = "SAMPLE"  # instead of a pool code for previews and synthetic interviews
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Reward:
    """What is given. `missing` means that one is due but none is left or set up."""

    kind: Kind
    code: str = ""
    url: str = ""


def reward_of(session: Session) -> Reward | None:
    return Reward(**session.reward) if session.reward else None


def repeatable_reward(session: Session) -> Reward | None:
    """Return what anybody may be shown again: a code that all get, or a link; never one's own."""
    reward = reward_of(session)
    return reward if reward and reward.kind in ("fixed", "redirect") else None


def reward_for(session: Session, options: RewardOptions, early: bool) -> Reward | None:
    """Return the reward, or None if none is due. Draws a code, so call it once a session."""
    due = options.due(early)
    if due.kind == "none":
        return None
    reward = _make_reward(session, due)
    if reward is None:
        log.error("no reward (%s) is left or set up for session %s", due.kind, session.pk)
    return reward or Reward("missing")


def _make_reward(session: Session, due: RewardOptions) -> Reward | None:
    match due.kind:
        case "fixed":
            prolific = session.bot and session.bot.recruitment == Bot.Recruitment.PROLIFIC
            url = prolific_url(due.code) if prolific else ""
            return Reward("fixed", due.code, url) if due.code else None
        case "pool":
            code = _pool_code(session)
            return Reward("pool", code=code) if code else None
    url = fill_url(due.url, under_all_names(session.bot, session.params))
    return Reward("redirect", url=url) if url else None


def fill_url(template: str, params: Mapping[str, str]) -> str:
    """Fill {NAME}s from the params, URL-encoded and ignoring case; unknown names become empty.

    Empty if the result isn't a plain web address, or if a param could choose the site.
    """
    plain = template.strip()
    try:
        parts = urlsplit(plain)
    except ValueError:
        return ""
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or "{" in parts.netloc:
        return ""
    values = {name.casefold(): str(value) for name, value in params.items()}
    return PLACEHOLDER.sub(lambda name: quote(values.get(name[1].casefold(), ""), safe=""), plain)


def _pool_code(session: Session) -> str:
    if session.preview or session.synthetic:
        return SAMPLE
    drawn = RewardCode.objects.filter(drawn_for=session.pk).first()
    return drawn.code if drawn else _draw_code(session)


def _draw_code(session: Session) -> str:
    """Skip codes that others are drawing, but wait for them if none else is left.

    An attempt that draws none releases its locks: PostgreSQL locks a row before it sees that the
    code was drawn meanwhile, and two attempts that wait for each other's rows are a deadlock.
    """
    free = RewardCode.objects.filter(bot=session.bot_id, drawn_for=None).order_by("id")
    while free.exists():
        for waits in (False, True):
            with transaction.atomic():
                row = free.select_for_update(skip_locked=not waits).first()
                drawn = {"drawn_for": session.pk, "drawn_at": timezone.now()}
                if row and free.filter(pk=row.pk).update(**drawn):
                    return row.code
                transaction.set_rollback(True)
    return ""
