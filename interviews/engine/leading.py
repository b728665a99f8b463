"""How an interview is led by moves: one call a turn hears, chooses and words.

The code offers moves, checks the choice and the words, and keeps what was told. Words that can't be
said give way to the move's written ones, and a choice that wasn't offered to the first move.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby, takewhile
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict

from interviews.choices import RULES, EntryKind, SpeakerRole
from interviews.engine import guards
from interviews.engine.context import AnyContext, M, TurnContext
from interviews.engine.conversation import conversation
from interviews.engine.guards import Limits, asked_before, prompts_of
from interviews.engine.language.sentences import asks, ends_asking, single_spaced, spaced_sentences
from interviews.engine.language.wishes import only, plain
from interviews.engine.leads import lately, taking_in
from interviews.engine.moves import LedState, Move, accepted, backs, named, opens_door, with_threads
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import AS_ANSWER, PROMPTS, Heard, HeardText, ReadsAnswer, Wish
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
from interviews.engine.strikes import Strike
from interviews.engine.texts import fixed, time_left
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier
from llm.tasks.task import Utterance as Line

KEY, SAME = "lead", "same_question"
TEMPLATE = PROMPTS / "lead.md"
EXCHANGE = 60  # seconds that a question with its answer takes, until the interview shows it
QUESTIONS = frozenset(
    {
        EntryKind.SCRIPTED_QUESTION,
        EntryKind.TOPIC_QUESTION,
        EntryKind.FOLLOW_UP,
        EntryKind.DEEP_OFFER,
        EntryKind.LAST_QUESTION,
    }
)
DOOR = "to let them say more about it if they like, or leave it."
LEAVING = ("offer", "end")  # moves whose own words are fixed
UNSPOKEN: tuple[Wish, ...] = ("stop", "pause", "withdraw")  # met in words of their own
ONLY = {
    "": "",
    "hard": "only if they told something hard: ",
    "matters": "for something hard, or what matters more than the items that wait: ",
    "last_one": "only if they want one last question: ",
}
FULL = 3  # open items that are offered in full, the others briefly
FIRST_ONES = 3  # exchanges, supposed to be of that length
MOST_LED_INTO = 2  # questions in a row that come after a sentence
ALONE = (
    "Your last {count} turns were built alike: a sentence, then the question. So in this one the "
    "question stands alone, unless something hard, a secret, a joke or a question of theirs needs "
    "a word first."
)
UNSAID = {  # what stands in an answer's place
    "opening": "(The interview begins: put the first item.)",
    "skip": "(They chose the button to skip this question.)",
}
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
    moves: list[Spoken]
    answer: Spoken


class Led(Heard):
    """What was heard with the move's id, what is said, and what is kept of the answer."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    heard: HeardText  # a reply without it, or a part of one, leads nowhere
    say: str = ""
    met: list[str] = []
    threads: list[str] = []


class SameQuestionInput(BaseModel):
    language: LanguageTag
    planned: str
    said: Spoken


class SameQuestion(Result):
    same: Literal["yes", "no"]


SAME_QUESTION = Task(
    name="interviews.same_question",
    tier=Tier.FAST,
    template=PROMPTS / "same_question.md",
    input=SameQuestionInput,
    output=SameQuestion,
    fallback=lambda data: SameQuestion(same="no"),  # then the planned words are said
    timeout=6.0,
    max_tokens=40,
    temperature=0.0,
)


class Words(NamedTuple):
    """What is said before the question or request, and that itself."""

    before: str = ""
    text: str = ""
    firings: tuple[GuardFiring, ...] = ()


class LedProtocol(InterviewProtocol[L, M]):
    reading_key = KEY
    leads = True
    task: ClassVar[Task[Any, Any]]
    role: ClassVar[str]
    keeps: ClassVar[str]  # for the prompt

    # -- what each protocol says of itself

    @abstractmethod
    def offer(self, ctx: TurnContext[L, M]) -> tuple[Move, ...]:
        """Return the moves for the answer; without a model the first with written words is made."""

    @abstractmethod
    def known(self, ctx: TurnContext[L, M]) -> list[str]: ...

    def about(self, ctx: TurnContext[L, M]) -> str:
        return about(ctx) or "It is led by an AI for the people behind it, who read what is said."

    @abstractmethod
    def keep(self, ctx: TurnContext[L, M], led: Outcome[Any] | None) -> L:
        """Return the state with what the answer told."""

    @abstractmethod
    def follow(self, ctx: TurnContext[L, M], state: L, move: Move, led: Outcome[Any] | None) -> L:
        """Return the state after the move."""

    def notes(self, state: L) -> Mapping[str, NewNote] | None:
        """Return all notes; None if it keeps none."""
        return None

    @abstractmethod
    def utterance(self, ctx: TurnContext[L, M], move: Move, text: str) -> Utterance: ...

    def written(self, ctx: TurnContext[L, M], move: Move) -> str:
        """Return the move's written words with what leads to them."""
        return move.written

    def tidied(self, say: str, language: str) -> tuple[str, tuple[GuardFiring, ...]]:
        """Return a model's words without what the protocol never says."""
        return say, ()

    def opens_as_written(self, ctx: TurnContext[L, M]) -> bool:
        return True

    def details(self, ctx: TurnContext[L, M], state: L) -> Mapping[str, Any]:
        """Return what the trace shows of the turn."""
        return {}

    @abstractmethod
    def leave(
        self,
        ctx: TurnContext[L, M],
        results: CallResults,
        state: L,
        move: Move,
        before: tuple[Utterance, ...],
    ) -> NeedsCalls | TurnResult[L]:
        """Return the result of a move that fixed words follow: an offer, the end."""

    # -- a turn

    def reading_call(self, ctx: TurnContext[L, M]) -> TaskCall:
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
            moves=_lines(self._offered(ctx)),
            answer=ctx.answer or UNSAID[ctx.received.trigger],
        )
        return TaskCall(KEY, self.task, data)

    def step(self, ctx: TurnContext[L, M], results: CallResults) -> NeedsCalls | TurnResult[L]:
        opens = ctx.received.trigger == "opening"
        led = results.get(KEY)
        if led is None and not (opens and self.opens_as_written(ctx)):
            return NeedsCalls((self.reading_call(ctx),))
        said = led.value if led and led.by_model else Led(heard="")
        moves = self._may_follow(ctx)
        move, words = self._chosen(ctx, moves, said)
        if move and (own_question := self._own_question(ctx, move, words)):
            if SAME not in results:
                return NeedsCalls((self._comparison(ctx, move, own_question),))
            if results[SAME].value.same == "no":
                move, words = _as_asked(move, moves, words)
        own = words.before or words.text
        if move is None or not (words.text or move.kind in LEAVING):
            move, written = self._default(ctx, (move, *moves) if move else moves)
            text = move.written if words.before else written.text
            words = Words(words.before or written.before, text, words.firings)
        failed = led is not None and not led.by_model
        state = self._moved(ctx, move, led, said, words.text)
        before = (Utterance(EntryKind.TRANSITION, words.before),) if words.before else ()
        if move.kind in LEAVING:
            result = self.leave(ctx, results, state, move, before)
            if isinstance(result, NeedsCalls):
                return result
        else:
            asked = self.utterance(ctx, move, words.text)
            result = TurnResult(state, (*before, asked), "opening" if opens else move.kind)
        return replace(
            result,
            spoken_by=(*((KEY,) if own or failed else ()), *result.spoken_by),
            firings=(*words.firings, *result.firings),
            notes=self.notes(state),
            details={**self.details(ctx, result.state), **result.details, "move": move.id},
        )

    def keep_unanswered(self, ctx: TurnContext[L, M], results: CallResults) -> L:
        return self.keep(ctx, results.get(KEY)) if ctx.reading.may_tell else ctx.state

    def prefetch(
        self, ctx: TurnContext[L, M], results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """Compare the question with the planned one as soon as it is written."""
        written = partials.get(KEY, {})
        if KEY in results or SAME in results or "say" not in list(written)[:-1]:
            return ()
        led = Led(heard=str(written["heard"]), say=str(written["say"] or ""))
        chosen, words = self._chosen(ctx, self._may_follow(ctx), led)
        question = self._own_question(ctx, chosen, words) if chosen else ""
        return (self._comparison(ctx, chosen, question),) if chosen and question else ()

    def _own_question(self, ctx: TurnContext[L, M], move: Move, words: Words) -> str:
        """Return what a model asks in place of a planned question or an open door, or ''."""
        planned = move.kind == "next" or opens_door(ctx.reading, ctx.state)
        return words.text if planned and plain(words.text) != plain(move.written) else ""

    def _comparison(self, ctx: TurnContext[L, M], move: Move, question: str) -> TaskCall:
        planned = f"{move.written}\n(It is there {move.aim})"
        data = SameQuestionInput(language=ctx.language, planned=planned, said=question)
        return TaskCall(SAME, SAME_QUESTION, data)

    def _offered(self, ctx: TurnContext[L, M]) -> tuple[Move, ...]:
        """Return the moves that a model may choose among while the answer isn't read yet."""
        unread = ctx.reading == AS_ANSWER
        read = replace(AS_ANSWER, by=str(Source.MODEL)) if unread else ctx.reading
        return self.offer(replace(ctx, reading=read))

    def _may_follow(self, ctx: TurnContext[L, M]) -> tuple[Move, ...]:
        """Return the moves that may follow the answer; what is hard is met by an open door."""
        may_follow, door = self.offer(ctx), ctx.state.door
        if ctx.reading.by != RULES and not ctx.reading.wants("refuse"):
            ids = {move.id for move in may_follow}
            more = self._offered(replace(ctx, reading=AS_ANSWER))
            may_follow += tuple(move for move in more if move.id not in ids)
        moves = accepted(may_follow, ctx.reading, ctx.state)
        if opens_door(ctx.reading, ctx.state):
            text = fixed(ctx.language, "door", ctx.turn, lately(ctx))
            return tuple(replace(one, aim=DOOR, written=text) for one in moves)
        if door == "asked" and only(ctx.answer, "yes", "go_on"):
            text = fixed(ctx.language, "listening", ctx.turn, lately(ctx))
            others = (one for one in moves if one.kind != "stay")
            return (Move("stay", "stay", "what they are ready to tell", text), *others)
        return moves

    def _chosen(
        self, ctx: TurnContext[L, M], moves: Sequence[Move], led: Led
    ) -> tuple[Move | None, Words]:
        """Return the move that a model has chosen, if any, with as much of its words as is left."""
        move = named(moves, led.heard)
        if move is None or self._is_unspoken(ctx, move):
            return None, Words()
        words = self._worded(ctx, move, led.say)
        others = [one for one in moves if one.kind == "next" and one.item != move.item]
        others.sort(key=lambda one: one.written not in words.text)
        asked = next((one for one in others if asked_before(words.text, (one.written,))), None)
        return (asked, self._worded(ctx, asked, led.say)) if asked else (move, words)

    def _is_unspoken(self, ctx: TurnContext[L, M], move: Move) -> bool:
        """Return whether a wish is met in words of its own; a stop at the end is met by that."""
        return ctx.reading.wants(*UNSPOKEN) and move.kind not in LEAVING

    def _default(self, ctx: TurnContext[L, M], moves: Sequence[Move]) -> tuple[Move, Words]:
        move = next((one for one in moves if one.written or one.kind in LEAVING), moves[0])
        before = ""
        if opens_door(ctx.reading, ctx.state):
            before = taking_in(ctx, asks=False)
        elif ctx.state.door and move.kind != "stay":
            if ctx.reading.told and not only(ctx.answer, "no"):
                goes_on_hard = ctx.reading.care == "heavy" or ctx.reading.by == RULES
                before = taking_in(ctx, asks=move.kind not in LEAVING) if goes_on_hard else ""
            else:
                before = fixed(ctx.language, "respect", ctx.turn, lately(ctx))
        return move, Words(before, self.written(ctx, move))

    def _moved(
        self, ctx: TurnContext[L, M], move: Move, led: Outcome[Any] | None, said: Led, text: str
    ) -> L:
        state, door = self.follow(ctx, self.keep(ctx, led), move, led), ctx.state.door
        if move.kind != "stay":
            door = ""
        elif door or opens_door(ctx.reading, ctx.state):
            door = "open" if door else "asked"
        repeats = bool(move.written) and text.endswith(move.written)
        met = {move.id, *said.met}
        followed = {one.aim for one in backs(state.threads) if one.id in met}
        return state.but(
            stays=state.stays + 1 if move.kind in ("stay", "back") else 0,
            door=door,
            open_question=move.written if repeats else guards.question_of(text) or text,
            threads=with_threads(state.threads, said.threads, followed),
            last_asked=state.last_asked or move.kind == "last",
        )

    # -- words

    def _worded(self, ctx: TurnContext[L, M], move: Move, say: str) -> Words:
        """Return as much of a model's words for the move as may be said."""
        limits = self.limits(ctx, move)
        say, tidied = self.tidied(single_spaced(say), ctx.language)
        if ctx.reading.wants("ask_back"):  # the common rules say what comes before it, the reply
            say = guards.question_of(say)
        if move.kind in LEAVING:
            told, firings = guards.check_statement(say, limits)
            return Words(told, "", (*tidied, *firings))
        if move.written and not (asks(say) or asks(move.written)):  # room to tell
            told, firings = guards.check_statement(say, limits, guards.STATEMENTS)
            return Words("", told, (*tidied, *firings))
        said, firings = guards.check(say, limits)
        if not said and not any(one.guard == "leak" for one in firings):
            return Words(guards.before_question(say, limits), "", (*tidied, *firings))
        before, question = split(said, move.written)
        if move.kind in ("stay", "back"):
            before, question = "", said
        return Words(before, question, (*tidied, *firings))

    def forget(self, state: L, strike: Strike) -> L:
        threads = tuple(one for one in state.threads if not strike.tells(one))
        asked = "" if strike.tells(state.open_question) else state.open_question
        return state.but(threads=threads, open_question=asked)

    def preview(
        self, ctx: TurnContext[L, M], results: CallResults, partials: PartialResults
    ) -> str:
        """Return what is certain of a model's words; nothing before it has chosen."""
        written = partials.get(KEY, {})
        move = named(self._may_follow(ctx), str(written.get("heard")))
        say, _ = self.tidied(str(written.get("say") or ""), ctx.language)
        if move is None or not say or self._is_unspoken(ctx, move):
            return ""
        limits = self.limits(ctx, move)
        if move.kind in LEAVING:
            return guards.safe_statement(say, limits)
        same = results.get(SAME)
        waits = same.value.same == "no" if same else opens_door(ctx.reading, ctx.state)
        shown = guards.safe_prefix(say, limits)
        return guards.whole_statements(shown) if waits else shown

    def exchange(self, ctx: TurnContext[L, M]) -> float:
        """Return the seconds that a question with its answer takes in this interview."""
        used = 60 * ctx.plan.minutes - (self.seconds_left(ctx) or 0)
        return (FIRST_ONES * EXCHANGE + used) / (FIRST_ONES + ctx.turn)

    def limits(self, ctx: TurnContext[L, M], move: Move) -> Limits:
        asked = [line.text for line in ctx.transcript if line.kind in QUESTIONS]
        if opens_door(ctx.reading, ctx.state):  # one door is much like another
            asked = []
        closing = (one.written for one in self.offer(ctx) if one.kind == "last")
        asked += closing if move.kind != "last" else ()
        # whoever has the talk in view may come near to what was asked
        private, closed = self.private_texts(ctx), ctx.state.closed
        return Limits(ctx.language, private, closed, tuple(asked), in_any_words=False)

    def private_texts(self, ctx: TurnContext[L, M]) -> tuple[str, ...]:
        return (ctx.plan.persona, *prompts_of())

    def _where(self, ctx: TurnContext[L, M]) -> str:
        current, total, unit = self.progress(ctx, ctx.state)
        left = time_left("en", self.seconds_left(ctx) or 0)
        place = f"{unit.removesuffix('s').capitalize()} {current} of {total}"
        stays = f", {ctx.state.stays + 1} turns on what is open" if ctx.state.stays else ""
        where, count = f"{place}{stays}; {left} of the interview.", _led_into(ctx)
        return where if count < MOST_LED_INTO else f"{where}\n{ALONE.format(count=count)}"


def split(said: str, written: str) -> tuple[str, str]:
    """Return what stands before the question, and the question.

    With it comes what leads to it, such as the scene that its written words set before it.
    """
    parts, scene = spaced_sentences(said), len(spaced_sentences(written)) - 1
    asked = next((place for place, part in enumerate(parts) if ends_asking(part)), len(parts) - 1)
    asked = max(0, asked - max(0, scene))
    return " ".join(parts[:asked]), " ".join(parts[asked:])


def stays_by_pace(seconds_left: float, items: int, exchange: float, most: int) -> int:
    """Return how many stays an item may have, so that there is time for as many items."""
    return max(0, min(most, round(seconds_left / max(1, items) / exchange) - 1))


def _led_into(ctx: AnyContext) -> int:
    """Return how many of the last questions in a row came after a sentence, but for the first."""
    turns = groupby(ctx.transcript, key=lambda line: line.role)
    said = [[*lines] for role, lines in turns if role == SpeakerRole.INTERVIEWER][1:]
    texts = (" ".join(line.text for line in lines) for lines in reversed(said))
    return sum(1 for _ in takewhile(lambda text: len(spaced_sentences(text)) > 1, texts))


def _as_asked(move: Move, moves: Sequence[Move], words: Words) -> tuple[Move, Words]:
    """Return what a question is that asks something else than planned: a stay, if one may follow.

    Then the item stays open; else its written words are put.
    """
    stay = next((one for one in moves if one.kind == "stay"), None)
    reason = "asks something else than planned"
    firings = (*words.firings, GuardFiring("item", reason, words.text))
    if stay is None or move.kind != "next":
        return move, Words(words.before, "", firings)
    return stay, Words("", f"{words.before} {words.text}".strip(), firings)


def _lines(moves: Sequence[Move]) -> list[str]:
    """Return the moves as a model reads them: the stay first, then those that are given in full."""
    items = [move.id for move in moves if move.kind == "next"]
    later = frozenset(items[FULL:])
    ordered = sorted(moves, key=lambda one: (one.kind != "stay", one.id in later))
    return [f"{one.id}: {one.brief if one.id in later else _whole(one)}" for one in ordered]


def _whole(move: Move) -> str:
    written = f' As written: "{move.written}"' if move.written else ""
    return f"{ONLY[move.only]}{move.aim}{written}"
