"""A bot's way from draft to live to closed."""

from plans.bots.checklist import checklist, gaps
from plans.models import Bot


def go_live(bot: Bot) -> list[str]:
    """Opens the bot, or changes nothing and gives what is missing."""
    missing = gaps(checklist(bot))
    if not missing:
        _set(bot, Bot.Status.LIVE)
    return missing


def check_opening(bot: Bot, just_opened: bool) -> list[str]:
    """What a live bot lacks after it was saved, in one message, if anything.

    One that was just opened becomes a draft again.
    """
    if bot.status != Bot.Status.LIVE:
        return []
    stored = Bot.objects.get(pk=bot.pk)  # a form's bot remembers the texts from before
    missing = gaps(checklist(stored))
    if missing and just_opened:
        reopen_as_draft(bot)
    how = "Not live yet." if just_opened else "It is live, but something is missing now."
    return [" ".join([how, *missing])] if missing else []


def close(bot: Bot) -> Bot:
    """No new interviews; those under way go on."""
    return _set(bot, Bot.Status.CLOSED)


def reopen_as_draft(bot: Bot) -> Bot:
    """Back to where it can be rebuilt."""
    return _set(bot, Bot.Status.DRAFT)


def _set(bot: Bot, status: Bot.Status) -> Bot:
    bot.status = status
    bot.save(update_fields=["status", "updated_at"])
    return bot
