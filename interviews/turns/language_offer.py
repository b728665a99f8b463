"""Offer to start again in the language that a participant's first answers are in.

A session keeps its language for life, since script, state and replay depend on it.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language_info

from interviews.choices import SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.engine.language.writing_systems import (
    letters_of,
    likeliest_language,
    writing_of,
    writing_of_language,
)
from interviews.models import Session, TranscriptEntry
from interviews.turns.store import plan_content

FIRST = 2  # answers after which it is no longer offered: too much would have to be said twice
LEAST = 25  # letters needed to tell a language from others in the same script
FEW = 4  # letters needed where the script alone decides
SURE = 0.6  # probability among all known languages, not only the bot's


@dataclass(frozen=True, slots=True)
class LanguageOffer:
    code: str
    name: str  # in that language
    rtl: bool
    url: str  # starts the interview in it


def other_language(session: Session) -> LanguageOffer | None:
    """Return the bot's language that the first answers are clearly in, if it is another one.

    None if the participant, the link or the browser had chosen, and later in an interview.
    """
    if not _may_be_offered(session):
        return None
    spoken = plan_content(session.plan_id).languages
    found = written_in(_answers(session), session.language, spoken) if len(spoken) > 1 else ""
    return _offer(session, found) if found else None


def written_in(text: str, language: str, spoken: tuple[str, ...]) -> str:
    """Return the one of `spoken` that the text is clearly in; empty if unclear or `language`.

    It must be the likeliest of all known languages: Portuguese isn't Italian just because nothing
    else is closer.
    """
    letters, script = letters_of(text), writing_of(text)
    others = [tag for tag in spoken if _base(tag) != _base(language)]
    fitting = [tag for tag in others if script in (writing_of_language(tag), "")]
    if not fitting or letters < FEW:
        return ""
    if letters >= LEAST:
        likeliest, share = likeliest_language(text)
        return next((tag for tag in fitting if share >= SURE and _base(tag) == likeliest), "")
    by_script = script and writing_of_language(language) not in (script, "") and len(fitting) == 1
    return fitting[0] if by_script else ""


def _may_be_offered(session: Session) -> bool:
    waits = session.status in (SessionStatus.WAITING_ANSWER, SessionStatus.PAUSED)
    early = 0 < session.turn_count <= FIRST
    undecided = session.language_source == "bot" and not session.preview
    if not (waits and early and undecided and session.bot_id):
        return False
    return session.bot is not None and session.bot.is_open(timezone.now())


def _answers(session: Session) -> str:
    said = TranscriptEntry.objects.filter(session=session, role=SpeakerRole.PARTICIPANT)
    texts = said.exclude(text=HIDDEN).order_by("position").values_list("text", flat=True)
    return "\n".join(texts)


def _offer(session: Session, tag: str) -> LanguageOffer:
    params = {} if session.invitation_id else session.params  # an invitation adds its own
    query = urlencode({"language": tag, "chosen": "answers", **params})
    start = reverse("interviews:start", args=[session.bot.slug if session.bot else ""])
    if assignment := getattr(session, "assignment", None):  # they keep their arm
        start = reverse("interviews:experiment", args=[assignment.arm.experiment.slug])
    try:
        info = get_language_info(tag)
    except KeyError:
        return LanguageOffer(tag, tag, False, f"{start}?{query}")
    return LanguageOffer(tag, info["name_local"], info["bidi"], f"{start}?{query}")


def _base(tag: str) -> str:
    return tag.split("-")[0].lower()
