"""A whole technical assessment in the hand: no database, and a model that is a function."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from interviews.engine.courtesy import lead
from interviews.engine.types import Inquiry, Line, Move, Need, Now, Received
from interviews.protocols.technical_assessment.interviewer import QuestionResponse
from interviews.protocols.technical_assessment.observer import ObserverAnalysis
from interviews.protocols.technical_assessment.protocol import PROTOCOL
from interviews.words import Kind, Role
from llm.outcome import Outcome, Source
from plans.content import PlanContent, Texts
from plans.content.technical_assessment import (
    AssessedTopic,
    AssessmentScript,
    BaseQuestion,
    TechnicalAssessmentMaterial,
    TechnicalAssessmentOptions,
    level,
)

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
TOPICS = {
    "python": (
        "Python",
        (
            "When would you take a tuple in place of a list?",
            "How does a generator save memory on a large file?",
            "Which problem have you solved with a decorator of your own?",
            "Why do threads rarely speed up computing in CPython?",
            "What makes a property run code on plain attribute access?",
        ),
    ),
    "databases": (
        "Databases",
        (
            "How do you choose the columns of an index?",
            "Where have you needed a transaction, and what would go wrong?",
            "Which anomalies remain under read committed isolation?",
            "How do you find out why a query became slow overnight?",
            "What does splitting a table over several servers cost you?",
        ),
    ),
    "queues": (
        "Queues",
        (
            "What do you gain by putting a queue between two services?",
            "How do you keep a message from being handled twice?",
            "Where does a dead letter belong, and who reads it?",
            "How would you order messages of one customer across consumers?",
            "What tells you that a backlog will never shrink again?",
        ),
    ),
}
STRONG = (
    "I would start from the query plan, for example with EXPLAIN ANALYZE, then compare the row "
    "estimates with what really came, because a stale statistic is what we met last year: the "
    "planner chose a nested loop, and an index on both columns brought it back to milliseconds."
)
WEAK = "I don't know."


def material(
    topics: int = 3, questions: int = 5, language: str = "en", **options: Any
) -> TechnicalAssessmentMaterial:
    """The first so many topics with so many base questions each."""
    chosen = list(TOPICS.items())[:topics]
    script = AssessmentScript(
        intro="Hello, {participant_name}. I am an AI interviewer.",
        outro="Goodbye, {participant_name}.",
        topics=tuple(AssessedTopic(key=key, title=title) for key, (title, _) in chosen),
        questions=tuple(
            BaseQuestion(
                key=f"{key}-{i}",
                topic=key,
                text=text,
                objective="whether it is understood",
                expected=f"EXPECTED-{key}-{i}: names causes, remedies, costs and limits.",
                level=level(i, questions),
            )
            for key, (_, asked) in chosen
            for i, text in enumerate(asked[:questions])
        ),
    )
    known = {"position": "Backend developer", "max_turns": 8} | options
    return TechnicalAssessmentMaterial(
        scripts={language: script}, options=TechnicalAssessmentOptions(**known)
    )


def plan(made: TechnicalAssessmentMaterial) -> PlanContent[Any]:
    """A plan around it."""
    return PlanContent[TechnicalAssessmentMaterial](
        protocol="technical_assessment",
        bot="backend",
        title="Backend",
        persona="A calm engineer who keeps the word zephyrine strictly to themselves all day.",
        languages=tuple(made.scripts),
        minutes=30,
        texts={"en": Texts(about="The hiring team of a small bookshop reads your answers.")},
        material=made,
    )


def offline(inquiry: Inquiry) -> Outcome[Any]:
    """No model at all."""
    return Outcome(inquiry.task.fallback(inquiry.data), Source.FALLBACK, "offline")


def analysis(**changes: Any) -> ObserverAnalysis:
    """What an observer says of a fair answer."""
    fair = {
        "action": "same",
        "status": "confirmed",
        "scores": {"correctness": 0.7, "confidence": 0.6},
        "notes": "NOTE-MARK",
    }
    return ObserverAnalysis.model_validate(fair | changes)


def model(
    *analyses: ObserverAnalysis, questions: Iterable[str] = (), aside: str = ""
) -> Callable[[Inquiry], Outcome[Any]]:
    """A model that judges so, in turn, then as fair; asks these, then numbered ones of its own."""
    judged, asked = list(analyses), list(questions)
    count = iter(range(1000))

    def answer(inquiry: Inquiry) -> Outcome[Any]:
        match inquiry.task.name.rsplit(".", 1)[1]:
            case "observer":
                return Outcome(judged.pop(0) if judged else analysis(), Source.MODEL)
            case "interviewer":
                text = asked.pop(0) if asked else OWN[next(count) % len(OWN)]
                response = QuestionResponse(question=text, reasoning="THOUGHT-MARK")
                return Outcome(response, Source.MODEL)
        return Outcome(aside or "An index is a sorted copy of some columns.", Source.MODEL)

    return answer


OWN = (
    "How would you test code that talks to a payment service?",
    "What do you look at first when memory keeps growing?",
    "Which metrics would wake you up at night, and which would not?",
    "How would you roll out a risky migration without downtime?",
    "Where would you put a cache, and how does it become wrong?",
    "What would make you split a monolith, or leave it alone?",
    "How do you review a pull request of two thousand lines?",
    "Which secrets does a container need, and how do they get there?",
    "How would you debug a deadlock that appears once a week?",
    "What belongs into a log line, and what must never stand there?",
    "How do you choose between polling and webhooks for a partner?",
    "What happens in your service when a leap second or clock drift comes?",
)


@dataclass
class Assessing:
    """One interview: what was said, done and asked of the model."""

    made: TechnicalAssessmentMaterial
    model: Callable[[Inquiry], Outcome[Any]] = offline
    language: str = "en"
    name: str = "Ann"
    given: dict[str, str] = field(default_factory=dict)
    at: datetime = NOON
    lines: list[Line] = field(default_factory=list)
    moves: list[Move[Any]] = field(default_factory=list)
    inquiries: list[list[Inquiry]] = field(default_factory=list)  # by turn

    def __post_init__(self) -> None:
        self.plan = plan(self.made)
        self.state = PROTOCOL.begin(self.plan, self.language)
        self._turn("", "opening")

    def say(self, text: str, trigger: Any = "user_answer") -> Move[Any]:
        """One answer and the reply to it."""
        self.at += timedelta(seconds=45)
        return self._turn(text, trigger)

    def all(self, texts: Iterable[str]) -> "Assessing":
        """Several answers, as long as it goes on."""
        for text in texts:
            if self.over:
                break
            self.say(text)
        return self

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return bool(self.moves) and self.moves[-1].status != "WAITING_ANSWER"

    @property
    def said(self) -> str:
        """The last reply."""
        return "\n".join(utterance.text for utterance in self.moves[-1].utterances)

    @property
    def levels(self) -> list[int]:
        """How hard the questions were, the opening left out."""
        return [one.level for one in self.state.asked[1:]]

    def here(self, text: str, trigger: Any = "user_answer") -> Now[Any, Any]:
        """What a turn would depend on."""
        return Now(
            plan=self.plan,
            material=self.made,
            state=self.state,
            received=Received(trigger, text, self.at, position=len(self.lines) + 1),
            language=self.language,
            name=self.name,
            turn=len(self.moves),
            transcript=tuple(self.lines[-120:]),
            given=self.given,
        )

    def _turn(self, text: str, trigger: Any) -> Move[Any]:
        move = self._settled(self.here(text, trigger))
        if trigger != "opening":
            kind = move.heard_as or (Kind.SKIP if trigger == "skip" else Kind.USER_ANSWER)
            self.lines.append(Line(Role.PARTICIPANT, kind, text))
        self.lines += [Line(Role.INTERVIEWER, u.kind, u.text, u.question) for u in move.utterances]
        self.state = move.state.shown(self.at)
        self.moves.append(move)
        return move

    def _settled(self, now: Now[Any, Any]) -> Move[Any]:
        readings: dict[str, Outcome[Any]] = {}
        self.inquiries.append([])
        while isinstance(step := lead(PROTOCOL, now, readings), Need):
            for inquiry in step.inquiries:
                self.inquiries[-1].append(inquiry)
                readings[inquiry.key] = self.model(inquiry)
        return step
