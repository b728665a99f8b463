from plans.bots.checklist import checklist, gaps
from plans.models import Bot


def go_live(bot: Bot) -> list[str]:
    missing = gaps(checklist(bot))
    if not missing:
        _set_status(bot, Bot.Status.LIVE)
    return missing


def check_opening(bot: Bot, just_opened: bool) -> list[str]:
    """Return what a live bot lacks after it was saved, as one message, or nothing.

    One that was just made live becomes a draft again.
    """
    if bot.status != Bot.Status.LIVE:
        return []
    stored = Bot.objects.get(pk=bot.pk)  # a form's bot has the old texts cached
    missing = gaps(checklist(stored))
    if missing and just_opened:
        reopen_as_draft(bot)
    how = "Not live yet." if just_opened else "It is live, but something is missing now."
    return [" ".join([how, *missing])] if missing else []


def close(bot: Bot) -> Bot:
    return _set_status(bot, Bot.Status.CLOSED)


def reopen_as_draft(bot: Bot) -> Bot:
    return _set_status(bot, Bot.Status.DRAFT)


def _set_status(bot: Bot, status: Bot.Status) -> Bot:
    bot.status = status
    bot.save(update_fields=["status", "updated_at"])
    return bot
