"""What people agree to before they begin, and what is kept of their choice.

A version of the words is known by their hash, so that it can be told later what exactly somebody
agreed to. Of who declines nothing is kept but that it was declined, and when.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.utils import translation
from django.utils.translation import gettext as _

from interviews.models import Consent, ConsentText, Session
from interviews.validation import RequestRefused
from plans.models import Bot, BotText
from plans.text.languages import interface_language


@dataclass(frozen=True)
class ConsentWording:
    """What is agreed to, in the language that it is written in. Without text: nothing."""

    text: str = ""
    language: str = ""

    @property
    def digest(self) -> str:
        """The version's hash (SHA-256, hex); empty where there is nothing to agree to."""
        whole = f"{self.language}\n{self.text}".encode()
        return hashlib.sha256(whole).hexdigest() if self.text else ""


@dataclass(frozen=True)
class ConsentChoice:
    """What somebody chose. `digest` is of the words that they saw; None: of those of now."""

    agreed: bool
    digest: str | None = None


def words_of(bot: Bot, text: BotText) -> ConsentWording:
    """Exactly what is shown: the bot's words, and how answers' writing is looked at, if it is."""
    said = text.consent.strip()
    if not said:
        return ConsentWording()
    measured = measured_of(bot, text.language)
    return ConsentWording(f"{said}\n\n{measured}" if measured else said, text.language)


def measured_of(bot: Bot, language: str) -> str:
    """What is measured while somebody writes, in one sentence; empty where nothing is."""
    if not bot.keeps_paradata:
        return ""
    with translation.override(interface_language(language)):
        return _(
            "With each answer it is noted how long it took, how much was changed or pasted, and "
            "whether you left the page meanwhile. Which keys you press is not."
        )


def refuse_outdated(choice: ConsentChoice, words: ConsentWording) -> None:
    """Raises RequestRefused: consent_changed, for words other than those that were shown."""
    if choice.digest is not None and choice.digest != words.digest:
        raise RequestRefused(
            "consent_changed",
            _("What you agree to has been changed meanwhile. Please read it once more."),
        )


def agree(session: Session, words: ConsentWording, at: datetime) -> None:
    """Keeps that the session's participant agreed. In the transaction that makes the session."""
    if words.text and session.bot:
        _store(session.bot, words, Consent.Decision.AGREED, at, session)


def decline(
    bot: Bot, choice: ConsentChoice, words: ConsentWording, at: datetime, preview: bool = False
) -> None:
    """Keeps that somebody declined: the words that they saw if these are known, else those of now.

    There is nothing to decline where nothing is asked.
    """
    shown = ConsentText.objects.filter(digest=choice.digest or "").first()
    if shown or words.text:
        text = shown or _version(words)
        decision = Consent.Decision.DECLINED
        Consent.objects.create(bot=bot, text=text, decision=decision, at=at, preview=preview)


def declined() -> RequestRefused:
    """What is said to who doesn't want to take part."""
    return RequestRefused(
        "declined", _("You have chosen not to take part. Nothing about you is kept.")
    )


def _store(bot: Bot, words: ConsentWording, decision: str, at: datetime, session: Session) -> None:
    Consent.objects.create(
        bot=bot,
        session=session,
        text=_version(words),
        decision=decision,
        at=at,
        preview=session.preview,
    )


def _version(words: ConsentWording) -> ConsentText:
    text = {"language": words.language, "text": words.text}
    return ConsentText.objects.get_or_create(digest=words.digest, defaults=text)[0]
