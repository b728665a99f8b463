"""The consent text shown before an interview, and the record of each decision.

Each version of the text is identified by its hash, so that a decision can be traced to the exact
text. A refusal is stored with the time and nothing about the person.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from interviews.models import Consent, ConsentText, Session
from interviews.validation import RequestRefused
from plans.models import Bot, BotText
from plans.text.languages import interface_language


@dataclass(frozen=True)
class ConsentWording:
    """A consent text and its language. Without text there is nothing to agree to."""

    text: str = ""
    language: str = ""

    @property
    def digest(self) -> str:
        content = f"{self.language}\n{self.text}".encode()
        return hashlib.sha256(content).hexdigest() if self.text else ""


@dataclass(frozen=True)
class ConsentChoice:
    """A decision. `digest` names the text that was shown; None: the current one."""

    agreed: bool
    digest: str | None = None


def consent_wording(bot: Bot, text: BotText) -> ConsentWording:
    """Return the bot's consent text, followed by who reads, what is recorded and how long."""
    notices = (
        reader_notice(text.language),
        paradata_notice(bot, text.language),
        retention_notice(bot, text.language),
    )
    paragraphs = [text.consent.strip(), *notices]
    if not paragraphs[0]:
        return ConsentWording()
    return ConsentWording("\n\n".join(filter(None, paragraphs)), text.language)


def reader_notice(language: str) -> str:
    with translation.override(interface_language(language)):
        return _("The people who run the interview can read it while it is under way.")


def paradata_notice(bot: Bot, language: str) -> str:
    if not bot.keeps_paradata:
        return ""
    with translation.override(interface_language(language)):
        return _(
            "We record how long each answer takes, edits, pastes and whether you switch away. "
            "We never record your keystrokes."
        )


def retention_notice(bot: Bot, language: str) -> str:
    """Return how long the interview and contact details are kept, where the bot says."""
    told = []
    with translation.override(interface_language(language)):
        if days := bot.keep_days:
            told.append(
                ngettext(
                    "We delete your interview %(days)d day after it ends.",
                    "We delete your interview %(days)d days after it ends.",
                    days,
                )
                % {"days": days}
            )
        if days := bot.keep_contact_days:
            told.append(
                ngettext(
                    "We delete contact details %(days)d day after the interview.",
                    "We delete contact details %(days)d days after the interview.",
                    days,
                )
                % {"days": days}
            )
    return " ".join(told)


def refuse_outdated(choice: ConsentChoice, wording: ConsentWording) -> None:
    """Raise RequestRefused (consent_changed) if another text was shown."""
    if choice.digest is not None and choice.digest != wording.digest:
        message = _("What you’re agreeing to has changed. Read the details again before you start.")
        raise RequestRefused("consent_changed", message)


def record_agreement(session: Session, wording: ConsentWording, at: datetime) -> None:
    """Store the agreement. Call it in the transaction that creates the session."""
    if wording.text and session.bot:
        Consent.objects.create(
            bot=session.bot,
            session=session,
            text=_stored_text(wording),
            decision=Consent.Decision.AGREED,
            at=at,
            preview=session.preview,
        )


def record_refusal(
    bot: Bot, choice: ConsentChoice, wording: ConsentWording, at: datetime, preview: bool
) -> None:
    """Store a refusal of the text that was shown, or of the current one.

    Nothing is stored if the bot asks for no consent.
    """
    text = ConsentText.objects.filter(digest=choice.digest or "").first()
    if text or wording.text:
        text = text or _stored_text(wording)
        decision = Consent.Decision.DECLINED
        Consent.objects.create(bot=bot, text=text, decision=decision, at=at, preview=preview)


def declined_error() -> RequestRefused:
    message = _("You’ve chosen not to take part. We’ve kept nothing about you.")
    return RequestRefused("declined", message)


def _stored_text(wording: ConsentWording) -> ConsentText:
    fields = {"language": wording.language, "text": wording.text}
    return ConsentText.objects.get_or_create(digest=wording.digest, defaults=fields)[0]
