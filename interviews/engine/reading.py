"""What an answer is, read by a model; by rules only what is unmistakable.

The fields come first in the result of the call by which a protocol reads an answer, so that they
are known before a word of the reply is shown.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator

from interviews.choices import RULES
from interviews.engine.language.distress import in_distress, is_heavy
from interviews.engine.language.intents import left_out, may_be_a_name, meaning, passed_over
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.language.wishes import clauses, only, refused_subject, wish_of, wishes
from interviews.engine.signal import concrete
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier

PROMPTS = Path(__file__).parent / "prompts"
RULES_TEXT = (PROMPTS / "reading_rules.txt").read_text(encoding="utf-8").strip()
MOST_SUBJECT = 80  # characters of a closed subject
GUESS = 3  # words; so few may be an answer that isn't sure of itself ("My aunt, maybe?")
BRIEF = 3  # words; so few tell nothing beside a yes or no
KEY = "reading"  # of the stored reading of an answer
FORMER_KEY = "courtesy"  # of the rule that was stored with a confidential answer before
FORMER: dict[str, dict[str, Any]] = {
    "distress": {"care": "acute"},
    "end": {"intent": "stop"},
    "go_on": {"reply": "go_on"},
}

Intent = Literal[
    "answer",
    "dont_know",
    "skip",
    "refuse",
    "clarify",
    "ask_back",
    "off_topic",
    "pause",
    "stop",
    "withdraw",
    "manipulate",
]
TELLING: tuple[Intent, ...] = ("stop", "pause", "ask_back")  # beside which something may be told
Care = Literal["none", "heavy", "acute"]
Reply = Literal["", "yes", "no", "go_on"]
REPLIES: tuple[Literal["yes", "no", "go_on"], ...] = ("yes", "no", "go_on")


def lowercase(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _as_intent(value: Any) -> Any:
    name = str(value).strip().lower().replace(" ", "_").replace("-", "_")
    name = name.replace("'", "").replace("’", "")
    return name if name in get_args(Intent) else "answer"


def _as_care(value: Any) -> Any:
    """Return the level; any that isn't known counts as heavy, so that nothing is probed."""
    name = str(value or "none").strip().lower()
    return name if name in get_args(Care) else "heavy"


class IntentReading(Result):
    """What an answer is, and what it calls for: the first fields of every reading call."""

    intent: Annotated[Intent, BeforeValidator(_as_intent)] = "answer"
    care: Annotated[Care, BeforeValidator(_as_care)] = "none"
    closed_subject: Annotated[
        str, BeforeValidator(lambda value: value if isinstance(value, str) else "")
    ] = ""


class ReadsAnswer(BaseModel):
    """Input of a call that reads an answer; its template shows how to with $reading."""

    reading: str = RULES_TEXT


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """An answer as it was read.

    `reply` is a yes, a no or a "go on" to a question of the common rules, which only rules read;
    `tells` says that there is more in the words than that. `whole` is false while the call that
    reads the answer is still running.
    """

    intent: Intent = "answer"
    care: Care = "none"
    closed_subject: str = ""
    reply: Reply = ""
    by: str = RULES
    whole: bool = True
    tells: bool = False

    def as_stored(self) -> dict[str, str | bool]:
        return {name: value for name, value in asdict(self).items() if name != "whole"}


AS_ANSWER = AnswerReading()


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
    return RulesReading(
        AnswerReading(settled, care, reply=reply) if settled else None,
        AnswerReading("refuse" if subject else intent, care, subject[:MOST_SUBJECT], reply),
    )


def by_model(outcome: Outcome[Any], rules: RulesReading) -> AnswerReading:
    """Return what a model read, or the floor where none did.

    Clear words of danger count even if the model has missed them.
    """
    if not outcome.by_model:
        return rules.floor
    return _joined(outcome.value, str(outcome.source), rules, whole=True)


def so_far(partial: Mapping[str, Any], rules: RulesReading) -> AnswerReading | None:
    """Return the reading from a reply still being written; None until its fields are complete."""
    known = list(partial)[:-1]  # the last one may still grow
    if "intent" not in known or "care" not in known:
        return None
    read = IntentReading.model_validate(partial)
    if read.intent == "refuse" and "closed_subject" not in known:
        return None
    return _joined(read, Source.MODEL, rules, whole=False)


def _joined(read: IntentReading, by: str, rules: RulesReading, whole: bool) -> AnswerReading:
    floor = rules.floor
    care: Care = "acute" if floor.care == "acute" else read.care
    subject = " ".join(read.closed_subject.split())[:MOST_SUBJECT]
    return AnswerReading(read.intent, care, subject, floor.reply, by, whole, floor.tells)


def _settled(answer: str, language: str, question: str) -> Intent | None:
    """Return what a whole answer unmistakably is, whether or not there is a model."""
    if may_be_a_name(answer, language, question):
        return None
    if only(answer, "withdraw"):
        return "withdraw"
    if only(answer, "pause"):
        return "pause"
    if only(answer, "stop"):
        return "stop"
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
    """Return the choice after the care text: a bare yes or no, or a wish to go on at the beginning.

    "No, I have nobody to talk to" ends nothing, and "Yes, help me" asks for no question.
    """
    first = [clause for clause in clauses(answer)[:2] if not only(clause, "yes", "no")]
    if first and only(first[0], "go_on"):
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
    if KEY in remembered:
        return AnswerReading(**remembered[KEY])
    rule = remembered.get(FORMER_KEY, "")
    if rule in ("stop", "pause", "withdraw"):
        return AnswerReading(rule)
    return AnswerReading(**FORMER[rule]) if rule in FORMER else None


def _care(answer: str, language: str) -> Care:
    if in_distress(answer):
        return "acute"
    return "heavy" if is_heavy(answer, language) else "none"


# -- the reading alone, for measuring


class ReadingInput(ReadsAnswer):
    language: LanguageTag
    question: Spoken
    answer: Spoken


def _floor(data: ReadingInput) -> IntentReading:
    floor = read_by_rules(data.answer, data.language, data.question).floor
    return IntentReading(intent=floor.intent, care=floor.care)


READING = Task(
    name="interviews.reading",
    tier=Tier.FAST,
    template=PROMPTS / "reading.md",
    input=ReadingInput,
    output=IntentReading,
    fallback=_floor,
    timeout=8.0,
    max_tokens=80,
    temperature=0.0,
)
