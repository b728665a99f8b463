"""A life-story interview in the hand: no database, no model."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.common_rules import decide, rules_reading
from interviews.engine.context import Received, TranscriptLine, TurnContext
from interviews.engine.result import NeedsCalls, TurnResult
from interviews.engine.texts import wordings
from interviews.protocols.life_story.protocol import PROTOCOL
from interviews.protocols.life_story.state import KeptNote, LifeStoryState
from interviews.protocols.life_story.tasks import NotePair, Notes, Personalised, Plan
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent, Texts
from plans.protocols.life_story.content import (
    LifeStoryMaterial,
    LifeStoryOptions,
    ScriptMaterial,
    ScriptQuestion,
)
from tests.readings import as_heard

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
WORDS = (
    "the house",
    "school",
    "first work",
    "a friend",
    "a journey",
    "money",
    "a loss",
    "faith",
    "a town",
    "the future",
)


def plan(
    questions: int = 10, ceiling: int = 3, block_seconds: int = 300, probes: tuple[str, ...] = ()
) -> PlanContent[Any]:
    """A plan with so many questions."""
    asked = tuple(
        ScriptQuestion(
            key=f"q{i}",
            section="s",
            text=f"What comes to mind about {WORDS[i % len(WORDS)]}?",
            objective=f"what {WORDS[i % len(WORDS)]} meant",
            probes=probes,
            block_seconds=block_seconds,
        )
        for i in range(questions)
    )
    script = ScriptMaterial(
        name="Test", intro="Hello, {participant_name}.", outro="Goodbye.", questions=asked
    )
    material = LifeStoryMaterial(
        scripts={"en": script}, options=LifeStoryOptions(followup_ceiling=ceiling)
    )
    return PlanContent[LifeStoryMaterial](
        protocol="life_story",
        bot="test",
        title="Test",
        persona="A calm person who listens and keeps the canary word zephyrine to itself always.",
        languages=("en",),
        minutes=10,
        texts={"en": Texts(care="Please look after yourself. Shall we go on?")},
        material=material,
    )


def here(answer: str = "", trigger: Any = "user_answer", **changes: Any) -> TurnContext[Any, Any]:
    """The second question is open; the answer came half a minute after it."""
    content = changes.pop("plan", None) or plan()
    known = changes.pop("notes", {"born_in": "Riga"})
    state = LifeStoryState(
        asked_at=NOON,
        current_question_index=1,
        block_started_at=NOON,
        notes={key: KeptNote(text=text, position=3) for key, text in known.items()},
    )
    state = state.model_copy(update=changes.pop("state", {}))
    seconds = changes.pop("seconds", 30)
    received = Received(
        trigger,
        answer,
        NOON + timedelta(seconds=seconds),
        away_seconds=changes.pop("away", 0.0),
        position=5,
    )
    now = TurnContext(
        plan=content,
        material=content.material,
        state=state.after_time_away(received),
        received=received,
        language="en",
        turn=2,
        transcript=(
            TranscriptLine(
                SpeakerRole.INTERVIEWER,
                EntryKind.SCRIPTED_QUESTION,
                "What comes to mind about school?",
            ),
        ),
    )
    return replace(now, **changes)


def stay(words: str = "Who sat beside you?", **read: str) -> Outcome[Plan]:
    """A planner that wants a follow-up."""
    return model(Plan(action="FOLLOW_UP", next_utterance=words, **as_heard(read)))


def move_on(transition: str = "", **read: str) -> Outcome[Plan]:
    """A planner that moves on; `read` are the reading's fields."""
    return model(Plan(action="NEXT_QUESTION", transition=transition, **as_heard(read)))


def asks(text: str) -> Outcome[Personalised]:
    """A question that is adapted."""
    return model(Personalised(action="ask", question=text))


SKIPS = Outcome(Personalised(action="skip", reason="known"), Source.MODEL)


def noted(denied: tuple[str, ...] = (), **pairs: str) -> Outcome[Notes]:
    """Notes learned from an answer."""
    learned = [NotePair(key=key, value=value) for key, value in pairs.items()]
    return model(Notes(learned=learned, denied=list(denied)))


def model(value: Any) -> Outcome[Any]:
    """What a model said."""
    return Outcome(value, Source.MODEL)


def step(now: TurnContext[Any, Any], **readings: Any) -> TurnResult[Any] | NeedsCalls:
    """One look at the turn, by the common rules first; p_3 stands for personalise.3."""
    return decide(PROTOCOL, now, keyed(readings), rules_reading(PROTOCOL, now))


def keyed(readings: Mapping[str, Any]) -> dict[str, Any]:
    """Readings under their keys."""
    return {
        key.replace("p_", "personalise.").replace("_ask", ".ask"): value
        for key, value in readings.items()
    }


def needs(now: TurnContext[Any, Any], **readings: Any) -> set[str]:
    """The keys that are asked for; fails when the turn is settled."""
    found = step(now, **readings)
    assert isinstance(found, NeedsCalls), found
    return {inquiry.key for inquiry in found.inquiries}


def moved(now: TurnContext[Any, Any], **readings: Any) -> TurnResult[Any]:
    """The move; fails when more is needed."""
    found = step(now, **readings)
    assert isinstance(found, TurnResult), {i.key for i in found.inquiries}
    return found


def said(move: TurnResult[Any]) -> list[tuple[str, str]]:
    """(kind, text) of everything that is said."""
    return [(str(u.kind), u.text) for u in move.utterances]


def takes_in(text: str, asks: bool) -> bool:
    """Whether it is what takes in something hard, before a question or not."""
    gently = [f" {one}" for one in wordings("en", "gently")] if asks else [""]
    return text in [a + b for a in wordings("en", "acknowledgements") for b in gently]
