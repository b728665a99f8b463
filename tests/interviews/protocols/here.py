"""A life-story interview in the hand: no database, no model."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.common_rules import decide, preview, rules_reading
from interviews.engine.context import Received, TranscriptLine, TurnContext
from interviews.engine.leading import KEY, SAME, LeadInput, SameQuestion
from interviews.engine.result import NeedsCalls, TurnResult
from interviews.engine.texts import wordings
from interviews.protocols.life_story.protocol import PROTOCOL
from interviews.protocols.life_story.state import KeptNote, LifeStoryState
from interviews.protocols.life_story.tasks import LEAD, LifeStoryLed, NotePair
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent, Texts
from plans.protocols.life_story.content import (
    LifeStoryMaterial,
    LifeStoryOptions,
    ScriptMaterial,
    ScriptQuestion,
)

Led = Outcome[Any]
Answer = Literal["yes", "no"]
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SCHOOL = "What comes to mind about school?"  # the open question
WORDS = (  # what the questions are about
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
        done=frozenset({0, 1}),
        clock_started_at=NOON,
        block_began=60.0 * content.minutes,
        open_question=SCHOOL,
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
    ctx = TurnContext(
        plan=content,
        material=content.material,
        state=state.after_time_away(received),
        received=received,
        language="en",
        turn=2,
        transcript=(spoken(SCHOOL, EntryKind.SCRIPTED_QUESTION),),
    )
    return replace(ctx, **changes)


def spoken(text: str, kind: EntryKind = EntryKind.FOLLOW_UP) -> TranscriptLine:
    return TranscriptLine(SpeakerRole.INTERVIEWER, kind, text)


def leads(heard: str, say: str = "", notes: dict[str, str] | None = None, **more: Any) -> Led:
    """What a model hears, chooses and says; `more` are further fields."""
    pairs = [NotePair(key=key, value=value) for key, value in (notes or {}).items()]
    return Outcome(LifeStoryLed(heard=heard, say=say, notes=pairs, **more), Source.MODEL)


OFFLINE: Led = Outcome(LEAD.fallback(None), Source.FALLBACK, "offline")


def step(
    ctx: TurnContext[Any, Any], led: Led | None = None, same: Answer = "yes"
) -> TurnResult[Any] | NeedsCalls:
    """Decide the turn, by the common rules first.

    `same` is whether the fast model finds that an adapted question asks what was planned.
    """
    compared = Outcome(SameQuestion(same=same), Source.MODEL)
    results = {KEY: led, SAME: compared} if led else {}
    return decide(PROTOCOL, ctx, results, rules_reading(PROTOCOL, ctx))


def called(ctx: TurnContext[Any, Any]) -> LeadInput:
    """Return what the one call of the turn is given; fail if the turn is settled without it."""
    found = step(ctx)
    assert isinstance(found, NeedsCalls), found
    (call,) = found.inquiries
    assert isinstance(call.data, LeadInput)
    return call.data


def led(ctx: TurnContext[Any, Any], *reply: Any, **more: Any) -> TurnResult[Any]:
    """Return the turn as a model leads it, which replies as `leads` says."""
    return settled(ctx, leads(*reply, **more))


def settled(
    ctx: TurnContext[Any, Any], led: Led | None = None, same: Answer = "yes"
) -> TurnResult[Any]:
    """Return the turn; fail if more is needed."""
    found = step(ctx, led, same)
    assert isinstance(found, TurnResult), found
    return found


def unled(ctx: TurnContext[Any, Any]) -> TurnResult[Any]:
    """Return the turn as it is without a model."""
    return settled(ctx, OFFLINE)


def shown(ctx: TurnContext[Any, Any], **written: Any) -> str:
    """Return what is shown of a reply of which so much is written."""
    return preview(PROTOCOL, ctx, rules_reading(PROTOCOL, ctx), {}, {KEY: written})


def said(move: TurnResult[Any]) -> list[tuple[str, str]]:
    """Return (kind, text) of everything that is said."""
    return [(str(u.kind), u.text) for u in move.utterances]


def takes_in(text: str, asks: bool) -> bool:
    """Whether it is what takes in something hard, before a question or not."""
    gently = [f" {one}" for one in wordings("en", "gently")] if asks else [""]
    return text in [a + b for a in wordings("en", "acknowledgements") for b in gently]
