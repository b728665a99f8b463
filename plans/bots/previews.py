"""Links to try a bot: they open its start page whatever its status, and nothing is counted."""

from collections.abc import Mapping
from datetime import timedelta

from django.core import signing
from django.utils.http import urlencode

from plans.models import Bot
from plans.models.eligibility import TRY_IT

SALT = "plans.bots.previews"
VALID = timedelta(days=1)


def preview_path(bot: Bot) -> str:
    return f"{bot.public_path}?{urlencode({TRY_IT: signing.dumps(bot.pk, salt=SALT)})}"


def is_preview(bot: Bot, params: Mapping[str, str]) -> bool:
    """Return whether a link's parameters come from the bot's `preview_path`, of the last day."""
    try:
        key = signing.loads(params.get(TRY_IT, ""), salt=SALT, max_age=VALID)
    except signing.BadSignature:
        return False
    return bool(key == bot.pk)
