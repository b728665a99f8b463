from collections.abc import Iterable, Mapping

from django.conf import settings

from llm.languages import language_name
from plans.bots.compile import NotReady, compile_bot, texts_of
from plans.models import Bot, SiteIdentity
from plans.models.eligibility import Outcome, Way, outcome_of, params_of
from plans.protocols import BotDraft, ChecklistItem, Texts, protocol_of
from plans.protocols.needs import advice
from plans.text.languages import match_language

TEXTS = {
    "summary": "what it's about",
    "consent": "what participants agree to",
    "about": "who runs it and how data is used",
    "care": "what to say to somebody in distress",
}

HOST_HINT = "Name the person or organisation under Words, or for all bots under System, Site."
CONTACT_HINT = "Give an e-mail address under Words, or for all bots under System, Site."
INVITED_HINT = "Anybody with the link can start. Switch on Invitation only under Participants."
PROLIFIC_HINT = (
    "Anybody with the link can start, and nobody without an ID can be paid. Name PROLIFIC_PID "
    "among the link parameters under Participants, and require it."
)
CODE_HINT = (
    "Under Ending, write “Code when {way}” or “Address when {way}”, so that the panel knows. If it "
    "has one address for everybody, write that."
)
RULES_HINT = (
    "There are no word lists in {name}. Without a model, few wishes and signs of distress are "
    "heard; what a model says is searched for praise, advice and the like in English only."
)
ALERT_HINT = "Say under Interview who is alerted when somebody seems to be in distress."


def checklist(bot: Bot) -> list[ChecklistItem]:
    draft = BotDraft(bot, list(bot.scripts.prefetch_related("sections__questions")))
    material = protocol_of(bot).needs(draft)
    return [
        *material,
        *_common_items(draft, texts_of(bot)),
        *([] if gaps(material) else [_compile_item(bot)]),
        *_rules_items(draft),
        advice("Persona", bool(bot.persona.strip()), "Describe the interviewer under Interview."),
        advice("Safety contact", bool(bot.alert_to.strip()), ALERT_HINT),
    ]


def draft_gaps(draft: BotDraft, texts: Mapping[str, Texts]) -> list[str]:
    """Return what a bot would lack, as far as its form knows."""
    return gaps([*protocol_of(draft.bot).needs(draft), *_common_items(draft, texts)])


def _common_items(draft: BotDraft, texts: Mapping[str, Texts]) -> list[ChecklistItem]:
    """Return what bots of all kinds need."""
    bot, languages = draft.bot, sorted(protocol_of(draft.bot).languages(draft))
    words = (_texts_item(language, texts.get(language, Texts())) for language in languages)
    return [*words, *_host_items(bot), *_time_items(bot), *_source_items(bot)]


def gaps(items: Iterable[ChecklistItem]) -> list[str]:
    return [item.hint for item in items if item.needed and not item.done]


def _texts_item(language: str, texts: Texts) -> ChecklistItem:
    missing = [what for name, what in TEXTS.items() if not getattr(texts, name).strip()]
    name = language_name(language)
    hint = f"Write the texts in {name} under Words: {', '.join(missing)}."
    return ChecklistItem(f"Texts in {name}", not missing, hint)


def _rules_items(draft: BotDraft) -> list[ChecklistItem]:
    """Return the languages that rules, and the guards on what a model says, have no words of."""
    known = dict(settings.LANGUAGES)
    spoken = protocol_of(draft.bot).languages(draft)
    names = sorted(language_name(tag) for tag in spoken if not match_language(tag, known))
    return [advice(f"Rules in {name}", False, RULES_HINT.format(name=name)) for name in names]


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
        return [advice("Invitation only", bot.invited_only, INVITED_HINT)]
    if bot.recruitment == Bot.Recruitment.PROLIFIC:
        known = (param for param in params_of(bot.link_params) if param.required)
        named = any("prolific_pid" in param.spellings for param in known)
        return [*_panel_items(bot), advice("PROLIFIC_PID is required", named, PROLIFIC_HINT)]
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


def _time_items(bot: Bot) -> list[ChecklistItem]:
    if not (bot.opens_at and bot.closes_at):
        return []
    hint = "It would close before it opens. Change one of the times under Participants."
    return [ChecklistItem("Opens before it closes", bot.opens_at < bot.closes_at, hint)]


def _compile_item(bot: Bot) -> ChecklistItem:
    label = "The parts fit together"
    try:
        compile_bot(bot)
    except NotReady as error:
        return ChecklistItem(label, False, f"The interview can't be prepared: {error}.")
    return ChecklistItem(label, True)


def check_opening(bot: Bot, just_opened: bool) -> list[str]:
    """Return what a live bot lacks after it was saved, as one message, or nothing.

    One that was just made live becomes a draft again.
    """
    if bot.status != Bot.Status.LIVE:
        return []
    stored = Bot.objects.get(pk=bot.pk)  # a form's bot has the old texts cached
    missing = gaps(checklist(stored))
    if missing and just_opened:
        set_status(bot, Bot.Status.DRAFT)
    how = "Not live yet." if just_opened else "The bot is live, but something is missing."
    return [" ".join([how, *missing])] if missing else []


def set_status(bot: Bot, status: Bot.Status) -> Bot:
    bot.status = status
    bot.save(update_fields=["status", "updated_at"])
    return bot
