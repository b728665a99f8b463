"""Respondents and judges played by models. Docstrings of outputs are sent in their schemas."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from interviews.choices import SpeakerRole
from interviews.models import Session
from llm.gateway import ask
from llm.routing.routes import fallback_route
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.task import LanguageTag, Result, Spoken, Tier
from reflections.evaluation.interview import PREFIX
from reflections.evaluation.personas import Persona
from reflections.evaluation.respondents import Act, Answer, Heard, given_away, touches, with_hint
from reflections.evaluation.simulation import NoReply
from reflections.evaluation.utterances import Pair
from reflections.evidence.background_task import JUDGES, background_task

PROMPTS = Path(__file__).parent / "prompts"
RECENT = 30  # lines of the conversation that a respondent is shown
Empathy = Literal["none_due", "shown", "missing"]


class RespondInput(BaseModel):
    language: LanguageTag
    background: str
    mood: str
    manner: str
    traits: list[str]
    facts: list[str]
    conversation: list[Spoken]
    question: Spoken


class Responded(Result):
    """What the person types, and what it is."""

    act: Act = "small"
    text: str


class JudgeInterviewInput(BaseModel):
    language: LanguageTag
    topics: list[str]
    transcript: list[Spoken]


class TurnVerdict(Result):
    """One turn as it was judged."""

    turn: int
    builds: bool
    leads: bool
    empathy: Empathy = "none_due"


class TopicVerdict(Result):
    """How far one topic was covered, from 1 to 5."""

    number: int
    score: Annotated[int, Field(ge=1, le=5)]


class InterviewVerdict(Result):
    """How the interview was led."""

    turns: tuple[TurnVerdict, ...]
    coverage: tuple[TopicVerdict, ...] = ()


RESPOND = background_task(
    f"{PREFIX}respond",
    PROMPTS / "respond.md",
    RespondInput,
    Responded(text=""),
    600,
    seconds=30.0,
    temperature=0.7,
)
JUDGE_INTERVIEW = background_task(
    f"{PREFIX}judge",
    PROMPTS / "judge.md",
    JudgeInterviewInput,
    InterviewVerdict(turns=()),
    6_000,
    temperature=JUDGES,
)


# -- respondents


@dataclass
class RespondentByModel:
    """Answers by its sheet, by another model than the interviewer's where one is configured.

    What it gave away is read from its answer, whatever it says itself.
    """

    persona: Persona
    context: CallContext
    _said: list[str] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)
    _hinted: set[str] = field(default_factory=set)

    async def answer(self, heard: Heard) -> Answer:
        """Return the model's answer. Raises NoReply if none gave any."""
        other = Source.FALLBACK_MODEL if fallback_route(Tier.MAIN) else None
        session = str(heard.entries[0].session_id) if heard.entries else ""
        outcome = await ask(
            RESPOND, self._sheet(heard), replace(self.context, session=session, only=other)
        )
        text = outcome.value.text.strip()
        if not outcome.by_model or not text:
            raise NoReply(f"No model answered as {self.persona.key}: {outcome.reason}")
        act, facts = outcome.value.act, given_away(self.persona.facts, text)
        self._told.update(facts)
        answer = Answer(act, text, facts, self._refused(act, heard))
        answer = with_hint(answer, self.persona.facts, self._hinted, heard.turn)
        self._said += [f"Interviewer: {heard.text}", f"You: {answer.text}"]
        return answer

    def _refused(self, act: Act, heard: Heard) -> tuple[str, ...]:
        closed = (one for one in self.persona.facts if one.told == "never" and act == "refuse")
        return tuple(one.key for one in closed if touches(one, heard.question, heard.key))

    def _sheet(self, heard: Heard) -> RespondInput:
        persona = self.persona
        left = (
            one
            for one in persona.facts
            if one.key not in self._told and (not one.hint or one.key in self._hinted)
        )
        return RespondInput(
            language=persona.language,
            background=persona.background,
            mood=persona.mood,
            manner=persona.manner.replace("_", " "),
            traits=[f"{name}: {level}" for name, level in persona.traits],
            facts=[f"- {one.told}: {one.text}" for one in left],
            conversation=self._said[-RECENT:],
            question=heard.text,
        )


# -- judges


async def judge(
    session: Session,
    transcript: Sequence[str],
    answered: Collection[int],
    topics: Sequence[str],
    context: CallContext,
) -> dict[str, Pair]:
    """Return the counts of one or two judges; a judge who failed is counted apart.

    Each of the turns `answered` and of the topics counts once; what isn't among them doesn't.
    """
    data = JudgeInterviewInput(
        language=session.language,
        topics=[f"{number}. {label}" for number, label in enumerate(topics, 1)],
        transcript=list(transcript),
    )
    seats = [Source.MODEL, *([Source.FALLBACK_MODEL] if fallback_route(Tier.MAIN) else [])]
    outcomes = [await ask(JUDGE_INTERVIEW, data, replace(context, only=seat)) for seat in seats]
    given = (one.value for one in outcomes if one.by_model)
    verdicts = [_on_what_there_is(one, answered, len(topics)) for one in given]
    turns = [turn for verdict in verdicts for turn in verdict.turns]
    due = [turn for turn in turns if turn.empathy != "none_due"]
    scores = [topic.score for verdict in verdicts for topic in verdict.coverage]
    pairs = [pair for one, other in combinations(verdicts, 2) for pair in _same(one, other)]
    return {
        "judged_coverage": (sum(scores), len(scores)),
        "judged_contingent": (sum(turn.builds for turn in turns), len(turns)),
        "judged_leading": (sum(turn.leads for turn in turns), len(turns)),
        "judged_empathy": (sum(turn.empathy == "shown" for turn in due), len(due)),
        "judges_agree": (sum(pairs), len(pairs)),
        "judges_failed": (len(seats) - len(verdicts), len(seats)),
    }


def _on_what_there_is(
    verdict: InterviewVerdict, answered: Collection[int], topics: int
) -> InterviewVerdict:
    turns = {one.turn: one for one in verdict.turns if one.turn in answered}
    scores = {one.number: one for one in verdict.coverage if 0 < one.number <= topics}
    return InterviewVerdict(turns=tuple(turns.values()), coverage=tuple(scores.values()))


def _same(one: InterviewVerdict, other: InterviewVerdict) -> Iterator[bool]:
    """Yield whether two judges agree, on each point that both have judged; scores within 1."""
    turns = {turn.turn: turn for turn in other.turns}
    for turn in one.turns:
        if second := turns.get(turn.turn):
            yield turn.builds == second.builds
            yield turn.leads == second.leads
            yield turn.empathy == second.empathy
    scores = {topic.number: topic.score for topic in other.coverage}
    for topic in one.coverage:
        if topic.number in scores:
            yield abs(topic.score - scores[topic.number]) <= 1


def numbered(session: Session) -> list[str]:
    """Return the transcript, each line with its turn and who spoke."""
    lines = session.entries.order_by("position").values_list("turn__number", "role", "text")
    return [f"[{turn}] {SpeakerRole(role).label}: {text}" for turn, role, text in lines]
