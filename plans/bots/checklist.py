from collections.abc import Iterable, Mapping
from datetime import datetime

from llm.languages import language_name
from plans.bots.compile import NotReady, compile_bot
from plans.models import Bot
from plans.protocols import BotDraft, ChecklistItem, Texts, protocol_of

TEXTS = {
    "summary": "what it is about",
    "consent": "what participants agree to",
    "about": "who is behind it and how data is used",
    "care": "what is said to somebody in distress",
}

ALERT_HINT = "Say under While talking who is written to when a participant seems to be in distress."


def checklist(bot: Bot) -> list[ChecklistItem]:
    draft = BotDraft(bot, list(bot.scripts.prefetch_related("sections__questions")))
    texts = {text.language: _texts(text) for text in bot.texts.all()}
    material = protocol_of(bot).needs(draft)
    return [
        *material,
        *_text_items(protocol_of(bot).languages(draft), texts),
        *_time_items(bot.opens_at, bot.closes_at),
        *([] if gaps(material) else [_compile_item(bot)]),
        _advice("Who is behind it", bot.host, "Name the person or institution under Basics."),
        _advice("Persona", bot.persona, "Say under Interview who the interviewer is."),
        _advice("Somebody to turn to", bot.alert_to, ALERT_HINT),
    ]


def draft_gaps(draft: BotDraft, texts: Mapping[str, Texts]) -> list[str]:
    """Return what a bot would lack, as far as its form knows."""
    protocol, bot = protocol_of(draft.bot), draft.bot
    times = _time_items(bot.opens_at, bot.closes_at)
    return gaps([*protocol.needs(draft), *_text_items(protocol.languages(draft), texts), *times])


def gaps(items: Iterable[ChecklistItem]) -> list[str]:
    return [item.hint for item in items if item.needed and not item.done]


def _text_items(languages: Iterable[str], texts: Mapping[str, Texts]) -> list[ChecklistItem]:
    return [_texts_item(language, texts.get(language, Texts())) for language in sorted(languages)]


def _texts_item(language: str, texts: Texts) -> ChecklistItem:
    missing = [what for name, what in TEXTS.items() if not getattr(texts, name).strip()]
    name = language_name(language)
    hint = f"Write the texts in {name}: {', '.join(missing)}."
    return ChecklistItem(f"Texts in {name}", not missing, hint)


def _time_items(opens: datetime | None, closes: datetime | None) -> list[ChecklistItem]:
    if not (opens and closes):
        return []
    hint = "It would close before it opens; change one of the times under When."
    return [ChecklistItem("Opens before it closes", opens < closes, hint)]


def _compile_item(bot: Bot) -> ChecklistItem:
    label = "Everything fits together"
    try:
        compile_bot(bot)
    except NotReady as error:
        return ChecklistItem(label, False, f"The interview can't be made: {error}.")
    return ChecklistItem(label, True)


def _advice(label: str, value: str, hint: str) -> ChecklistItem:
    return ChecklistItem(label, bool(value.strip()), hint, needed=False)


def _texts(text: object) -> Texts:
    return Texts(**{name: getattr(text, name) for name in TEXTS})
