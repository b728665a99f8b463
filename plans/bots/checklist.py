"""What is missing before a bot can go live."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from plans.bots.compile import NotReady, compile_bot
from plans.models import Bot
from plans.protocols import BotDraft, ChecklistItem, Texts, protocol_of
from plans.text.languages import language_name

TEXTS = {
    "summary": "what it is about",
    "consent": "what participants agree to",
    "about": "who is behind it and how data is used",
    "care": "what is said to somebody in distress",
}

ALERT_HINT = "Say under While talking who is written to when a participant seems to be in distress."


def checklist(bot: Bot) -> list[ChecklistItem]:
    """Everything a saved bot needs, done or not."""
    draft = BotDraft(bot, list(bot.scripts.prefetch_related("sections__questions")))
    texts = {text.language: _plain(text) for text in bot.texts.all()}
    material = protocol_of(bot).needs(draft)
    return [
        *material,
        *text_items(protocol_of(bot).languages(draft), texts),
        *time_items(bot.opens_at, bot.closes_at),
        *([] if gaps(material) else [_compiles(bot)]),
        _advice("Who is behind it", bot.host, "Name the person or institution under Basics."),
        _advice("Persona", bot.persona, "Say under Interview who the interviewer is."),
        _advice("Somebody to turn to", bot.alert_to, ALERT_HINT),
    ]


def typed_gaps(draft: BotDraft, texts: Mapping[str, Texts]) -> list[str]:
    """What a bot would lack, as far as its form knows."""
    kind, bot = protocol_of(draft.bot), draft.bot
    spoken = kind.languages(draft)
    times = time_items(bot.opens_at, bot.closes_at)
    return gaps([*kind.needs(draft), *text_items(spoken, texts), *times])


def gaps(items: Iterable[ChecklistItem]) -> list[str]:
    """The hints of what is needed and not done."""
    return [item.hint for item in items if item.needed and not item.done]


def text_items(languages: Iterable[str], texts: Mapping[str, Texts]) -> list[ChecklistItem]:
    """All four texts in every language that it can be held in."""
    return [_texts_in(language, texts.get(language, Texts())) for language in sorted(languages)]


def _texts_in(language: str, texts: Texts) -> ChecklistItem:
    missing = [what for name, what in TEXTS.items() if not getattr(texts, name).strip()]
    name = language_name(language)
    return ChecklistItem(
        f"Texts in {name}", not missing, f"Write the texts in {name}: {', '.join(missing)}."
    )


def time_items(opens: datetime | None, closes: datetime | None) -> list[ChecklistItem]:
    """An end that comes after the beginning."""
    if not (opens and closes):
        return []
    hint = "It would close before it opens; change one of the times under When."
    return [ChecklistItem("Opens before it closes", opens < closes, hint)]


def _compiles(bot: Bot) -> ChecklistItem:
    """The last word is that of the compiler, which every interview goes through."""
    try:
        compile_bot(bot)
    except NotReady as error:
        return ChecklistItem(
            "Everything fits together", False, f"The interview can't be made: {error}."
        )
    return ChecklistItem("Everything fits together", True)


def _advice(label: str, value: str, hint: str) -> ChecklistItem:
    return ChecklistItem(label, bool(value.strip()), hint, needed=False)


def _plain(text: object) -> Texts:
    return Texts(**{name: getattr(text, name) for name in TEXTS})
