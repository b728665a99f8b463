"""A whole technical assessment in the hand: no database, and a model that is a function."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from interviews.engine.result import TaskCall
from interviews.protocols.technical_assessment.protocol import PROTOCOL
from interviews.protocols.technical_assessment.state import TechnicalAssessmentState
from interviews.protocols.technical_assessment.tasks import ObserverAnalysis, QuestionResponse
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent, Texts
from plans.protocols.technical_assessment.content import (
    AssessedTopic,
    AssessmentScript,
    BaseQuestion,
    TechnicalAssessmentMaterial,
    TechnicalAssessmentOptions,
    level,
)
from tests.interviews.protocols.leading import Leading
from tests.readings import as_heard

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
    known = {"position": "Backend developer", "max_turns": 8, "questions_by": "model"} | options
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


def analysis(**changes: Any) -> ObserverAnalysis:
    """What an observer says of a fair answer."""
    fair = {
        "action": "same",
        "status": "confirmed",
        "scores": {"correctness": 0.7, "confidence": 0.6},
        "notes": "NOTE-MARK",
    }
    return ObserverAnalysis.model_validate(fair | as_heard(changes))


def model(
    *analyses: ObserverAnalysis, questions: Iterable[str] = (), aside: str = "", reworded: str = ""
) -> Callable[[TaskCall], Outcome[Any]]:
    """A model that judges so, in turn, then as fair; asks these, then numbered ones of its own."""
    judged, asked = list(analyses), list(questions)
    count = iter(range(1000))

    def answer(inquiry: TaskCall) -> Outcome[Any]:
        match inquiry.task.name.rsplit(".", 1)[1]:
            case "observer":
                return Outcome(judged.pop(0) if judged else analysis(), Source.MODEL)
            case "interviewer":
                text = asked.pop(0) if asked else OWN[next(count) % len(OWN)]
                response = QuestionResponse(question=text, reasoning="THOUGHT-MARK")
                return Outcome(response, Source.MODEL)
            case "clarification":
                return Outcome(reworded or f"In other words: {OWN[-1]}", Source.MODEL)
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
class Assessing(Leading[TechnicalAssessmentState, TechnicalAssessmentMaterial]):
    """One assessment."""

    protocol = PROTOCOL

    def planned(self) -> PlanContent[Any]:
        """The plan around the material."""
        return plan(self.made)

    @property
    def levels(self) -> list[int]:
        """How hard the questions were, the opening left out."""
        return [one.level for one in self.state.asked[1:]]
