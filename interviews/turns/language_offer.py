"""Which language somebody writes in, where nothing but the bot's first one had decided.

A session keeps its language for life: script, state and replay rest on it. So nothing is switched;
whoever writes their first answers in another language of the bot is offered to begin anew in it.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language_info

from interviews.choices import SessionStatus, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.engine.language.writing_systems import letters_of, writing_of, writing_of_language
from interviews.models import Session, TranscriptEntry
from interviews.turns.store import plan_content

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier  # type: ignore[import-untyped]

FIRST = 2  # answers after which it is not offered any more: too much would be told twice
LEAST = 25  # letters by which a language can be told from others of the same script
FEW = 4  # letters that are enough where the script says it
SURE = 0.6  # of all languages that are known, not only of those of the bot
VARIETIES = {"ary": "ar", "arz": "ar", "pcm": "en", "nn": "no"}  # told apart, read alike


@dataclass(frozen=True, slots=True)
class LanguageOffer:
    """A language that the interview can be had in, too."""

    code: str
    name: str  # its own
    rtl: bool
    url: str  # where one begins in it


def other_language(session: Session) -> LanguageOffer | None:
    """The language that the first answers are clearly written in, if the bot speaks it.

    None where the participant, the link or the browser had decided, and later in an interview.
    """
    if not _may_be_offered(session):
        return None
    spoken = plan_content(session.plan_id).languages
    found = written_in(_answers(session), session.language, spoken) if len(spoken) > 1 else ""
    return _offered(session, found) if found else None


def written_in(text: str, language: str, spoken: tuple[str, ...]) -> str:
    """Which of the spoken languages the text is clearly in; empty if in `language`, or not clear.

    It must be the likeliest of all the languages there are: Portuguese is no Italian only because
    nothing else is nearer.
    """
    letters, script = letters_of(text), writing_of(text)
    others = [tag for tag in spoken if _base(tag) != _base(language)]
    fitting = [tag for tag in others if script in (writing_of_language(tag), "")]
    if not fitting or letters < FEW:
        return ""
    if letters >= LEAST:
        likeliest = _likeliest(text)
        return next((tag for tag in fitting if _base(tag) == likeliest), "")
    by_script = script and writing_of_language(language) not in (script, "") and len(fitting) == 1
    return fitting[0] if by_script else ""


def _may_be_offered(session: Session) -> bool:
    waits = session.status in (SessionStatus.WAITING_ANSWER, SessionStatus.PAUSED)
    early = 0 < session.turn_count <= FIRST
    undecided = session.language_source == "bot"
    if not (waits and early and undecided and session.bot_id):
        return False
    return session.bot is not None and session.bot.is_open(timezone.now())


def _answers(session: Session) -> str:
    said = TranscriptEntry.objects.filter(session=session, role=SpeakerRole.PARTICIPANT)
    texts = said.exclude(text=HIDDEN).order_by("position").values_list("text", flat=True)
    return "\n".join(texts)


def _offered(session: Session, tag: str) -> LanguageOffer:
    came = {} if session.invitation_id else session.params  # what an invitation knows, it adds
    query = {"language": tag, "chosen": "answers", **came}
    start = reverse("interviews:start", args=[session.bot.slug if session.bot else ""])
    try:
        told = get_language_info(tag)
    except KeyError:
        return LanguageOffer(tag, tag, False, f"{start}?{urlencode(query)}")
    return LanguageOffer(tag, told["name_local"], told["bidi"], f"{start}?{urlencode(query)}")


def _likeliest(text: str) -> str:
    """The likeliest language of all, its varieties counted together; empty if none is sure."""
    shares: dict[str, float] = {}
    for tag, share in _identifier().rank(text):
        one = VARIETIES.get(tag, tag)
        shares[one] = shares.get(one, 0.0) + share
    best = max(shares, key=lambda tag: shares[tag])
    return best if shares[best] >= SURE else ""


@cache
def _identifier() -> "LanguageIdentifier":
    """Read once, and only where it is needed: it takes about a second and some memory."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _base(tag: str) -> str:
    return tag.split("-")[0].lower()
