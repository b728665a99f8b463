"""What is in an answer, read by a model; by rules only what is unmistakable.

It comes first in the result of the call by which a protocol reads an answer, so that it is known
before a word of the reply is shown. An answer that answers is an answer, whatever it asks or wishes
beside that.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator

from interviews.choices import RULES
from interviews.engine.language.distress import in_distress, is_heavy
from interviews.engine.language.intents import left_out, may_be_a_name, meaning, passed_over
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.language.wishes import (
    clauses,
    may_ask_for_more,
    only,
    refused_subject,
    wish_of,
    wishes,
)
from interviews.engine.signal import concrete
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier

PROMPTS = Path(__file__).parent / "prompts"
RULES_TEXT = (PROMPTS / "reading_rules.txt").read_text(encoding="utf-8").strip()
MOST_SUBJECT = 80  # characters of closed subjects
GUESS = 3  # words; so few may be an answer that isn't sure of itself ("My aunt, maybe?")
BRIEF = 3  # words; so few tell nothing beside a yes or no
KEY = "reading"  # of the stored reading of an answer

# what may be wished for beside, or instead of, an answer
Wish = Literal[
    "skip",
    "refuse",
    "clarify",
    "ask_back",
    "pause",
    "stop",
    "last_one",  # to end after one more question
    "withdraw",
    "complaint",  # about being asked again, or in the same way
    "strike",  # something they said is not to be kept
    "renamed",  # they say how they are called
    "manipulate",
    "off_topic",
]
# what one answer comes to where only one thing can follow
Intent = Literal["answer", "dont_know", Wish]
Answers = Literal["no", "partly", "fully", "unknown"]  # what it does for the open question
Care = Literal["none", "heavy", "acute"]
Reply = Literal["", "yes", "no", "go_on"]
REPLIES: tuple[Literal["yes", "no", "go_on"], ...] = ("yes", "no", "go_on")
# of several wishes in words that don't answer, the first of these is met
FIRST: tuple[Wish, ...] = (
    *("withdraw", "stop", "pause", "refuse", "skip", "complaint"),
    *("clarify", "ask_back", "last_one", "strike", "renamed", "manipulate", "off_topic"),
)
SAYS = re.compile(r"[a-z_]+")
NAMED = re.compile(r"\b(refuse|strike|renamed)\s*:", re.IGNORECASE)  # a subject follows


KNOWN = {*get_args(Wish), *get_args(Answers), *get_args(Care)}


def lowercase(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _as_text(value: Any) -> str:
    """Return a list's words as a text, and what isn't a text as an answer."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, str) and value else "fully"


HeardText = Annotated[str, BeforeValidator(_as_text)]


class Heard(Result):
    """What an answer is: the first field of every reading call.

    `heard` is written as reading_rules.txt says: "fully", "partly ask_back", "no refuse: my
    brother; renamed: Kimmo". It costs five tokens in an ordinary turn.
    """

    heard: HeardText = "fully"


class ReadsAnswer(BaseModel):
    """Input of a call that reads an answer; its template shows how to with $reading."""

    reading: str = RULES_TEXT


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """An answer as it was read: what it does for the open question, and what else is in it.

    `closed` are subjects they don't want to talk about, separated by "; ", `struck` words of theirs
    that are not to be kept, and so are never stored, and `renamed` is their name. `reply` is a yes,
    a no or a "go on" to a question of the common rules, which only rules read; `tells` says that
    there is more in the words than that. `whole` is false while the call that reads the answer is
    still running.
    """

    answers: Answers = "fully"
    wishes: tuple[Wish, ...] = ()
    care: Care = "none"
    closed: str = ""
    struck: str = field(default="", compare=False, repr=False)
    renamed: str = ""
    reply: Reply = ""
    by: str = RULES
    whole: bool = True
    tells: bool = False

    @property
    def told(self) -> bool:
        """Whether the words answer, whatever else they ask or wish."""
        return self.answers in ("partly", "fully")

    @property
    def intent(self) -> Intent:
        """The one thing that follows: an answer is an answer, else a wish, or not knowing."""
        if self.told:
            return "answer"
        wish = next((one for one in FIRST if one in self.wishes), None)
        return wish or ("dont_know" if self.answers == "unknown" else "answer")

    @property
    def may_tell(self) -> bool:
        """Whether something may be told in the words, though they leave the question open."""
        return self.told or self.wants("stop", "pause", "ask_back")

    def wants(self, *wishes: Wish) -> bool:
        return any(wish in self.wishes for wish in wishes)

    def but(self, intent: Intent, **changes: Any) -> "AnswerReading":
        """Return the reading of words that are that and nothing else."""
        return replace(self, **as_read(intent), **changes)

    def as_stored(self) -> dict[str, Any]:
        return {k: value for k, value in asdict(self).items() if k not in ("whole", "struck")}


AS_ANSWER = AnswerReading()


def as_read(intent: Intent) -> dict[str, Any]:
    """Return the fields of a reading that is one intent and nothing else."""
    if intent == "answer":
        return {"answers": "fully", "wishes": ()}
    if intent == "dont_know":
        return {"answers": "unknown", "wishes": ()}
    return {"answers": "no", "wishes": (intent,)}


def parse(heard: str) -> AnswerReading:
    """Return what a model heard. Words that mean nothing here are passed over.

    In doubt it is an answer. A subject that is named without its wish is closed.
    """
    head, *named = NAMED.split(heard)
    said, _, unnamed = head.partition(":")
    words, subjects = _words(said), {"refuse": [unnamed], "strike": [], "renamed": []}
    for wish, text in zip(map(str.lower, named[::2]), named[1::2], strict=True):
        about, _, care = text.strip(" ;").rpartition(" ")
        if about and care.lower() in ("heavy", "acute"):  # behind the subject
            text, words = about, [*words, care.lower()]
        subject, _, last = text.strip(" ;").rpartition(";")
        more = _words(last) if subject else []
        if not more or not set(more) <= KNOWN:
            subject, more = text, []
        words += [wish, *more]
        subjects[wish].append(subject)
    about = {
        wish: "; ".join(filter(None, map(_subject, texts))) for wish, texts in subjects.items()
    }
    wishes = tuple(dict.fromkeys(word for word in words if word in get_args(Wish)))
    closed = about["refuse"][:MOST_SUBJECT]
    in_doubt: Answers = "no" if wishes else "fully"
    return AnswerReading(
        answers=next((word for word in words if word in get_args(Answers)), in_doubt),
        wishes=(*wishes, "refuse") if closed and "refuse" not in wishes else wishes,
        care=next((word for word in words if word in ("heavy", "acute")), "none"),
        closed=closed,
        struck=about["strike"],
        renamed=_subject(subjects["renamed"][-1])[:MOST_SUBJECT] if subjects["renamed"] else "",
    )


def _words(said: str) -> list[Any]:
    return SAYS.findall(said.lower().replace("-", "_"))


def _subject(text: str) -> str:
    return " ".join(text.split()).strip(' ;"')


@dataclass(frozen=True, slots=True)
class RulesReading:
    """What rules read: `settled` is unmistakable, `floor` holds where no model has read."""

    settled: AnswerReading | None
    floor: AnswerReading


def read_by_rules(answer: str, language: str, question: str, guesses: bool = False) -> RulesReading:
    """Read an answer; `guesses` where one may be put as a question ("Is it the cache?")."""
    care, reply = _care(answer, language), _reply(answer)
    settled = _settled(answer, language, question)
    passed = passed_over(answer, language, question)
    intent: Intent = (
        wish_of(answer) or settled or passed or meaning(answer, language, question) or "answer"
    )
    if intent == "answer" and not guesses and _only_asks(answer, language):
        intent = "ask_back"
    subject = refused_subject(answer) if intent in ("answer", "refuse") else ""
    read = AnswerReading(care=care, reply=reply)
    floor = read.but("refuse" if subject else intent, closed=subject[:MOST_SUBJECT])
    return RulesReading(read.but(settled) if settled else None, floor)


def by_model(outcome: Outcome[Any], rules: RulesReading) -> AnswerReading:
    """Return what a model read, or the floor where none did."""
    if not outcome.by_model:
        return rules.floor
    return _joined(outcome.value, str(outcome.source), rules, whole=True)


def so_far(partial: Mapping[str, Any], rules: RulesReading) -> AnswerReading | None:
    """Return the reading from a reply still being written; None until its fields are complete."""
    if "heard" not in list(partial)[:-1]:  # the last one may still grow
        return None
    return _joined(Heard.model_validate(partial), Source.MODEL, rules, whole=False)


def _joined(read: Heard, by: str, rules: RulesReading, whole: bool) -> AnswerReading:
    floor, found = rules.floor, parse(read.heard)
    return replace(found, reply=floor.reply, by=by, whole=whole, tells=floor.tells)


def _settled(answer: str, language: str, question: str) -> Intent | None:
    """Return what a whole answer unmistakably is, whether or not there is a model."""
    if may_be_a_name(answer, language, question):
        return None
    if only(answer, "withdraw"):
        return "withdraw"
    if only(answer, "pause"):
        return "pause"
    if only(answer, "stop"):
        return None if may_ask_for_more(answer) else "stop"
    if not left_out(answer, language, question):
        return None
    return "refuse" if only(answer, "privacy") else "skip"


def _only_asks(answer: str, language: str) -> bool:
    """Return whether it asks from beginning to end, and names nothing that could be the answer."""
    asks = all(map(ends_asking, spaced_sentences(answer)))
    return asks and len(answer.split()) > GUESS and not concrete(answer, language)


def _reply(answer: str) -> Reply:
    """Return the yes, no or "go on" that the answer is or begins with."""
    for text in (answer, *clauses(answer)[:1]):
        if found := next((reply for reply in REPLIES if wishes(text, reply)), None):
            return found
    return ""


def choice_of(answer: str) -> Reply:
    """Return the choice after the care text: a bare yes or no, or a wish to go on.

    It comes first or last, in a sentence of its own. "No, I have nobody to talk to" ends nothing,
    and "Yes, help me" asks for no question.
    """
    first = [clause for clause in clauses(answer)[:2] if not only(clause, "yes", "no")][:1]
    last = spaced_sentences(answer)[-1:]
    if any(only(one, "go_on") for one in (*first, *last)):
        return "go_on"
    return next((reply for reply in REPLIES if only(answer, reply)), "")


def tells_more(answer: str, awaiting: str) -> bool:
    """Return whether there is more in the words than the yes or no that is awaited.

    Few words and a clear wish hold no more, unless they ask something after the care text.
    """
    if not awaiting or wish_of(answer) or choice_of(answer):
        return False
    asks = awaiting == "care" and ends_asking(answer.rstrip())
    return asks or len(answer.split()) > BRIEF


def stored_reading(remembered: Mapping[str, Any]) -> AnswerReading | None:
    if KEY not in remembered:
        return None
    stored = remembered[KEY]
    return AnswerReading(**{**stored, "wishes": tuple(stored["wishes"])})


def _care(answer: str, language: str) -> Care:
    if in_distress(answer):
        return "acute"
    return "heavy" if is_heavy(answer, language) else "none"


# -- the reading alone, for measuring


class ReadingInput(ReadsAnswer):
    language: LanguageTag
    question: Spoken
    answer: Spoken


def _floor(data: ReadingInput) -> Heard:
    floor = read_by_rules(data.answer, data.language, data.question).floor
    said = " ".join((floor.answers, *floor.wishes, floor.care))
    return Heard(heard=f"{said}: {floor.closed}" if floor.closed else said)


READING = Task(
    name="interviews.reading",
    tier=Tier.FAST,
    template=PROMPTS / "reading.md",
    input=ReadingInput,
    output=Heard,
    fallback=_floor,
    timeout=8.0,
    max_tokens=80,
    temperature=0.0,
)
