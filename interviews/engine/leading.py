"""How an interview is led by moves: one call a turn hears, chooses and words.

The code offers moves, checks the choice and the words, and keeps what was told. Words that can't be
said give way to the move's written ones, and a choice that wasn't offered to the first move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, TypeVar

from pydantic import ConfigDict

from interviews.choices import EntryKind
from interviews.engine import guards
from interviews.engine.context import M, TurnContext
from interviews.engine.conversation import conversation
from interviews.engine.guards import Limits, prompts_of
from interviews.engine.language.sentences import asks, ends_asking, single_spaced, spaced_sentences
from interviews.engine.language.wishes import only
from interviews.engine.leads import lately, taking_in
from interviews.engine.moves import (
    MOST_SHAPES,
    LedState,
    Move,
    accepted,
    named,
    opens_door,
    with_threads,
)
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import PROMPTS, Heard, ReadsAnswer, Wish
from interviews.engine.replies import about
from interviews.engine.result import (
    CallResults,
    GuardFiring,
    NeedsCalls,
    NewNote,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from interviews.engine.texts import fixed, time_left
from llm.tasks.outcome import Outcome
from llm.tasks.task import LanguageTag, Spoken, Task
from llm.tasks.task import Utterance as Line

KEY = "lead"
TEMPLATE = PROMPTS / "lead.md"
EXCHANGE = 75  # seconds that a question with its answer takes, roughly
QUESTIONS = frozenset(
    {
        EntryKind.SCRIPTED_QUESTION,
        EntryKind.TOPIC_QUESTION,
        EntryKind.FOLLOW_UP,
        EntryKind.DEEP_OFFER,
    }
)
LEAVING = ("offer", "end")  # moves whose own words are fixed
UNSPOKEN: tuple[Wish, ...] = ("stop", "pause", "withdraw")  # met in words of their own
ONLY = {
    "": "",
    "hard": "only if they told something hard: ",
    "last_one": "only if they want one last question: ",
}
SHAPES = range(1, 5)
L = TypeVar("L", bound=LedState)


class LeadInput(ReadsAnswer):
    role: str
    persona: str
    language: LanguageTag
    about: str  # the bot's own words about itself, and what the interview goes through
    keeps: str  # what the protocol keeps of an answer, and how
    dialogue: tuple[Line, ...] = ()
    known: list[Spoken]
    closed: list[Spoken]
    where: str  # how far the interview is
    shapes: str  # of the last utterances
    moves: list[Spoken]
    coming: list[str]  # what else is open, each with its id
    answer: Spoken


class Led(Heard):
    """What was heard with the move's id, what is said, and what is kept of the answer."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    say: str = ""
    met: list[str] = []
    threads: list[str] = []
    shape: int = 0


class Words(NamedTuple):
    """What is said before the question or request, and that itself; whether any is a model's."""

    before: str = ""
    text: str = ""
    firings: tuple[GuardFiring, ...] = ()
    own: bool = False


class LedProtocol(InterviewProtocol[L, M]):
    reading_key = KEY
    leads = True
    task: ClassVar[Task[Any, Any]]
    role: ClassVar[str]
    keeps: ClassVar[str]  # for the prompt

    # -- what each protocol says of itself

    def offer(self, ctx: TurnContext[L, M]) -> tuple[Move, ...]:
        """Return the moves for the answer; without a model the first with written words is made."""
        raise NotImplementedError

    def coming(self, ctx: TurnContext[L, M], moves: Sequence[Move]) -> list[str]:
        """Return open items beside those offered, each with its id."""
        raise NotImplementedError

    def known(self, ctx: TurnContext[L, M]) -> list[str]:
        raise NotImplementedError

    def about(self, ctx: TurnContext[L, M]) -> str:
        return about(ctx) or "It is led by an AI for the people behind it, who read what is said."

    def keep(self, ctx: TurnContext[L, M], led: Outcome[Any] | None) -> L:
        """Return the state with what the answer told."""
        raise NotImplementedError

    def follow(self, ctx: TurnContext[L, M], state: L, move: Move, met: Sequence[str]) -> L:
        """Return the state after the move; `met` are the ids of items that the answer settles."""
        raise NotImplementedError

    def notes(self, state: L) -> Mapping[str, NewNote] | None:
        """Return all notes; None if it keeps none."""
        return None

    def utterance(self, ctx: TurnContext[L, M], move: Move, text: str) -> Utterance:
        raise NotImplementedError

    def keeps_item(self, ctx: TurnContext[L, M], move: Move, text: str) -> bool:
        """Return whether the words ask what the item asks."""
        return True

    def leave(
        self,
        ctx: TurnContext[L, M],
        results: CallResults,
        state: L,
        move: Move,
        before: tuple[Utterance, ...],
    ) -> NeedsCalls | TurnResult[L]:
        """Return the result of a move that fixed words follow: an offer, the end."""
        raise NotImplementedError

    # -- a turn

    def reading_call(self, ctx: TurnContext[L, M]) -> TaskCall:
        moves = self.offer(ctx)
        data = LeadInput(
            role=self.role,
            persona=ctx.plan.persona,
            language=ctx.language,
            about=self.about(ctx),
            keeps=self.keeps,
            dialogue=conversation(ctx),
            known=self.known(ctx) or ["-"],
            closed=list(ctx.state.closed) or ["-"],
            where=self._where(ctx),
            shapes=", ".join(map(str, ctx.state.shapes)) or "none yet",
            moves=[_line(move) for move in moves],
            coming=self.coming(ctx, moves) or ["-"],
            answer=ctx.answer or "(They chose the button to skip this question.)",
        )
        return TaskCall(KEY, self.task, data)

    def step(self, ctx: TurnContext[L, M], results: CallResults) -> NeedsCalls | TurnResult[L]:
        led = results.get(KEY)
        if led is None and ctx.received.trigger != "opening":
            return NeedsCalls((self.reading_call(ctx),))
        moves = self._may_follow(ctx)
        chosen = self._chosen(ctx, moves, led.value) if led and led.by_model else None
        move, words = chosen or self._default(ctx, moves)
        state = self._moved(ctx, move, led, words.text)
        before = (Utterance(EntryKind.TRANSITION, words.before),) if words.before else ()
        if move.kind in LEAVING:
            result = self.leave(ctx, results, state, move, before)
            if isinstance(result, NeedsCalls):
                return result
        else:
            asked = self.utterance(ctx, move, words.text)
            reason = "opening" if ctx.received.trigger == "opening" else move.kind
            result = TurnResult(state, (*before, asked), reason)
        return replace(
            result,
            spoken_by=(*((KEY,) if words.own else ()), *result.spoken_by),
            firings=(*words.firings, *result.firings),
            notes=self.notes(state),
            details={**result.details, "move": move.id},
        )

    def keep_unanswered(self, ctx: TurnContext[L, M], results: CallResults) -> L:
        return self.keep(ctx, results.get(KEY)) if ctx.reading.may_tell else ctx.state

    def _may_follow(self, ctx: TurnContext[L, M]) -> tuple[Move, ...]:
        """Return the moves that may follow the answer; what is hard is met by an open door."""
        moves, door = accepted(self.offer(ctx), ctx.reading, ctx.state), ctx.state.door
        if opens_door(ctx.reading, ctx.state):
            text = fixed(ctx.language, "door", ctx.turn, lately(ctx))
            return tuple(replace(one, written=text) for one in moves)
        if door == "asked" and only(ctx.answer, "yes", "go_on"):
            text = fixed(ctx.language, "listening", ctx.turn, lately(ctx))
            others = (one for one in moves if one.kind != "stay")
            return (Move("stay", "stay", "what they are ready to tell", text), *others)
        return moves

    def _chosen(
        self, ctx: TurnContext[L, M], moves: Sequence[Move], led: Led
    ) -> tuple[Move, Words] | None:
        """Return the move that a model has chosen, with its words; None if it has chosen none.

        Where its question can't be asked and none is written, the first move's follows what can.
        """
        move = named(moves, led.heard)
        if move is None or ctx.reading.wants(*UNSPOKEN):
            return None
        words = self._worded(ctx, move, led.say)
        if words.text or move.kind in LEAVING:
            return move, words
        move, written = self._default(ctx, (move, *moves))
        return move, words._replace(before=words.before or written.before, text=written.text)

    def _default(self, ctx: TurnContext[L, M], moves: Sequence[Move]) -> tuple[Move, Words]:
        move = next((one for one in moves if one.written or one.kind in LEAVING), moves[0])
        before = ""
        if opens_door(ctx.reading, ctx.state):
            before = taking_in(ctx, asks=False)
        elif ctx.state.door and move.kind != "stay":
            closes = only(ctx.answer, "no")
            before = "" if closes else taking_in(ctx, asks=move.kind not in LEAVING)
            before = before or fixed(ctx.language, "respect", ctx.turn, lately(ctx))
        return move, Words(before, move.written)

    def _moved(self, ctx: TurnContext[L, M], move: Move, led: Outcome[Any] | None, text: str) -> L:
        told = led.value if led is not None and led.by_model else Led()
        state, door = self.follow(ctx, self.keep(ctx, led), move, told.met), ctx.state.door
        if move.kind != "stay":
            door = ""
        elif door or opens_door(ctx.reading, ctx.state):
            door = "open" if door else "asked"
        shapes = (*state.shapes, *filter(SHAPES.__contains__, (told.shape,)))
        followed = move.aim if move.kind == "back" else ""
        return state.but(
            stays=state.stays + 1 if move.kind in ("stay", "back") else 0,
            door=door,
            open_question=text,
            threads=with_threads(state.threads, told.threads, followed),
            shapes=shapes[-MOST_SHAPES:],
            last_asked=state.last_asked or move.kind == "last",
        )

    # -- words

    def _worded(self, ctx: TurnContext[L, M], move: Move, say: str) -> Words:
        """Return as much of a model's words for the move as may be said."""
        say, limits = single_spaced(say), self.limits(ctx, move)
        if ctx.reading.wants("ask_back"):  # the common rules say what comes before it, the reply
            say = guards.question_of(say)
        if move.kind in LEAVING:
            told, firings = guards.check_statement(say, limits)
            return Words(told, "", firings, bool(told))
        if move.written and not (asks(say) or asks(move.written)):  # room to tell
            told, firings = guards.check_statement(say, limits, guards.STATEMENTS)
            return Words("", told, firings, bool(told))
        said, firings = guards.check(say, limits)
        before, question = split(said)
        if question and move.kind in ("next", "last") and not self.keeps_item(ctx, move, said):
            question = ""
            firings = (*firings, GuardFiring("item", "doesn't ask what its item asks", say))
        elif not said and not any(one.guard == "leak" for one in firings):
            before = guards.before_question(say, limits)
        if question and move.kind in ("stay", "back"):
            return Words("", said, firings, own=True)
        return Words(before, question, firings, bool(before or question))

    def preview(
        self, ctx: TurnContext[L, M], results: CallResults, partials: PartialResults
    ) -> str:
        """Return what is certain of a model's words; nothing before it has chosen."""
        written = partials.get(KEY, {})
        move = named(self._may_follow(ctx), str(written.get("heard")))
        say = str(written.get("say") or "")
        if move is None or not say or ctx.reading.wants(*UNSPOKEN):
            return ""
        if move.kind in LEAVING:
            return guards.safe_statement(say, self.limits(ctx, move))
        shown = guards.safe_prefix(say, self.limits(ctx, move))
        if move.kind in ("next", "last") and not self.keeps_item(ctx, move, shown):
            return guards.whole_statements(shown)
        return shown

    def limits(self, ctx: TurnContext[L, M], move: Move) -> Limits:
        asked = [line.text for line in ctx.transcript if line.kind in QUESTIONS]
        if not move.item:  # what an open item asks is put with the item
            asked += [other.written for other in self.offer(ctx) if other.item]
        return Limits(ctx.language, self.private_texts(ctx), ctx.state.closed, tuple(asked))

    def private_texts(self, ctx: TurnContext[L, M]) -> tuple[str, ...]:
        return (ctx.plan.persona, *prompts_of())

    def _where(self, ctx: TurnContext[L, M]) -> str:
        current, total, unit = self.progress(ctx, ctx.state)
        left = time_left("en", self.seconds_left(ctx) or 0)
        return (
            f"{unit.removesuffix('s').capitalize()} {current} of {total}; {left} of the interview."
        )


def split(said: str) -> tuple[str, str]:
    """Return what stands before the question, and the question; with what leads to it."""
    parts = spaced_sentences(said)
    asked = next((place for place, part in enumerate(parts) if ends_asking(part)), len(parts) - 1)
    return " ".join(parts[:asked]), " ".join(parts[asked:])


def stays_by_pace(seconds_left: float, items: int, most: int) -> int:
    """Return how many stays an item may have, so that there is time for as many items."""
    return max(0, min(most, int(seconds_left / max(1, items) / EXCHANGE) - 1))


def _line(move: Move) -> str:
    when = ONLY[move.only]
    written = f' As written: "{move.written}"' if move.written else ""
    return f"{move.id}: {when}{move.aim}{written}"
