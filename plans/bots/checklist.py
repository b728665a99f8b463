from collections.abc import Iterable, Mapping
from datetime import datetime

from llm.languages import language_name
from plans.bots.compile import NotReady, compile_bot
from plans.models import Bot, SiteIdentity
from plans.models.eligibility import Outcome, Way, outcome_of
from plans.protocols import BotDraft, ChecklistItem, Texts, protocol_of

TEXTS = {
    "summary": "what it's about",
    "consent": "what participants agree to",
    "about": "who runs it and how data is used",
    "care": "what to say to somebody in distress",
}

HOST_HINT = "Name the person or organisation under Words, or for all bots under System, Site."
CONTACT_HINT = "Give an e-mail address under Words, or for all bots under System, Site."
INVITED_HINT = "Anybody with the link can start. Switch on Invitation only under Participants."
CODE_HINT = (
    "Under Ending, write “Code when {way}” or “Address when {way}”, so that the panel knows. If it "
    "has one address for everybody, write that."
)
ALERT_HINT = "Say under Interview who is alerted when somebody seems to be in distress."


def checklist(bot: Bot) -> list[ChecklistItem]:
    draft = BotDraft(bot, list(bot.scripts.prefetch_related("sections__questions")))
    texts = {text.language: _texts(text) for text in bot.texts.all()}
    material = protocol_of(bot).needs(draft)
    return [
        *material,
        *_text_items(protocol_of(bot).languages(draft), texts),
        *_host_items(bot),
        *_time_items(bot.opens_at, bot.closes_at),
        *_source_items(bot),
        *([] if gaps(material) else [_compile_item(bot)]),
        _advice("Persona", bot.persona, "Describe the interviewer under Interview."),
        _advice("Safety contact", bot.alert_to, ALERT_HINT),
    ]


def draft_gaps(draft: BotDraft, texts: Mapping[str, Texts]) -> list[str]:
    """Return what a bot would lack, as far as its form knows."""
    protocol, bot = protocol_of(draft.bot), draft.bot
    times = _time_items(bot.opens_at, bot.closes_at)
    languages = _text_items(protocol.languages(draft), texts)
    source = _source_items(bot)
    return gaps([*protocol.needs(draft), *languages, *_host_items(bot), *times, *source])


def gaps(items: Iterable[ChecklistItem]) -> list[str]:
    return [item.hint for item in items if item.needed and not item.done]


def _text_items(languages: Iterable[str], texts: Mapping[str, Texts]) -> list[ChecklistItem]:
    return [_texts_item(language, texts.get(language, Texts())) for language in sorted(languages)]


def _texts_item(language: str, texts: Texts) -> ChecklistItem:
    missing = [what for name, what in TEXTS.items() if not getattr(texts, name).strip()]
    name = language_name(language)
    hint = f"Write the texts in {name} under Words: {', '.join(missing)}."
    return ChecklistItem(f"Texts in {name}", not missing, hint)


def _host_items(bot: Bot) -> list[ChecklistItem]:
    """Return who is asking and whom to ask, which everybody is told but those who try a demo."""
    site = SiteIdentity.objects.first() or SiteIdentity()
    named, reached = bot.host or site.organisation, bot.contact or site.contact
    return [
        ChecklistItem("Who runs it", bool(named or bot.demo), HOST_HINT),
        ChecklistItem("Contact", bool(reached or bot.demo), CONTACT_HINT),
    ]


def _source_items(bot: Bot) -> list[ChecklistItem]:
    """Return what follows from where participants come from."""
    if bot.recruitment == Bot.Recruitment.INVITATIONS:
        return [ChecklistItem("Invitation only", bot.invited_only, INVITED_HINT, needed=False)]
    return _panel_items(bot)


def _panel_items(bot: Bot) -> list[ChecklistItem]:
    """Return how people of a panel can leave without an interview: each way needs a code."""
    if not bot.is_for_panel:
        return []
    ways: dict[Way, bool] = {
        "full": bool(bot.quota or bot.quota_cells),
        "screened": bot.cells_only,
        "closed": bot.closes_at is not None,
    }
    declined = code_item(bot, "declined", needed=bot.recruitment == Bot.Recruitment.PROLIFIC)
    return [code_item(bot, way) for way, possible in ways.items() if possible] + [declined]


def code_item(bot: Bot, way: Way, needed: bool = True) -> ChecklistItem:
    hint = CODE_HINT.format(way=way)
    return ChecklistItem(f"Code when {way}", outcome_of(bot, way) != Outcome(), hint, needed)


def _time_items(opens: datetime | None, closes: datetime | None) -> list[ChecklistItem]:
    if not (opens and closes):
        return []
    hint = "It would close before it opens. Change one of the times under Participants."
    return [ChecklistItem("Opens before it closes", opens < closes, hint)]


def _compile_item(bot: Bot) -> ChecklistItem:
    label = "The parts fit together"
    try:
        compile_bot(bot)
    except NotReady as error:
        return ChecklistItem(label, False, f"The interview can't be prepared: {error}.")
    return ChecklistItem(label, True)


def _advice(label: str, value: str, hint: str) -> ChecklistItem:
    return ChecklistItem(label, bool(value.strip()), hint, needed=False)


def _texts(text: object) -> Texts:
    return Texts(**{name: getattr(text, name) for name in TEXTS})


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
    how = "Not live yet." if just_opened else "It is live, but something is missing."
    return [" ".join([how, *missing])] if missing else []


def close(bot: Bot) -> Bot:
    return _set_status(bot, Bot.Status.CLOSED)


def reopen_as_draft(bot: Bot) -> Bot:
    return _set_status(bot, Bot.Status.DRAFT)


def _set_status(bot: Bot, status: Bot.Status) -> Bot:
    bot.status = status
    bot.save(update_fields=["status", "updated_at"])
    return bot
