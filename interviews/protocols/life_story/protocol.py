"""Life story: a script's questions, one after another, as far as the talk doesn't lead elsewhere.

What may follow an answer (engine/moves.py says when):

- stay: a follow-up on the open question, while the pace and the question's own time allow it
- next: one of the script's open questions; those told already are left out
- back: something hinted at earlier
- last: the script's closing question, once no other is open
- end: the script's outro
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.engine.guards import names_closed
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.language.terms import named_terms
from interviews.engine.leading import LedProtocol, stays_by_pace
from interviews.engine.moves import Move, Only, backs
from interviews.engine.result import CallResults, NewNote, TurnResult, Utterance, ending
from interviews.engine.signal import Band, band, concrete, word_count
from interviews.engine.strikes import Strike
from interviews.engine.texts import fixed, named
from interviews.protocols.life_story.notes import found_by_rules, most_notes, update_notes
from interviews.protocols.life_story.state import (
    LifeStoryContext,
    LifeStoryState,
    block_left,
    questions_of,
    script_of,
    seconds_left,
)
from interviews.protocols.life_story.tasks import KEEPS, LEAD
from llm.tasks.outcome import Outcome
from plans.protocols import PlanContent
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptQuestion

LAST = "the closing question, before the end"
END = "the end: the goodbye follows by itself"
LEAST_SECONDS = 30  # left in the block for a follow-up
BEYOND = 8  # follow-ups over the ceiling for what matters more; twice as many while it is hard
OFFERED = 9  # of the script's open questions
MOST_MET = 5  # questions that one answer may settle
MOST_PROBED = 2  # follow-ups; by then the talk has left what the probes ask
FEW = 4  # words; who says fewer isn't probed without a model

NextMove = TurnResult[LifeStoryState]


class LifeStory(LedProtocol[LifeStoryState, LifeStoryMaterial]):
    name = "life_story"
    state = LifeStoryState
    task = LEAD
    role = "a life-story interview about one person's life"
    keeps = KEEPS

    def begin(self, plan: PlanContent[Any], language: str) -> LifeStoryState:
        return LifeStoryState()

    def intro(self, ctx: LifeStoryContext) -> Utterance:
        return Utterance(EntryKind.INTRO, named(script_of(ctx).intro, ctx.name))

    # -- what may follow

    def offer(self, ctx: LifeStoryContext) -> tuple[Move, ...]:
        questions, items = questions_of(ctx), _open_items(ctx)
        bound = ctx.material.options.followup_ceiling + BEYOND
        in_bounds, for_hard = ctx.state.stays < bound, ctx.state.stays < 2 * bound
        if ctx.state.last_asked:
            end = Move("end", "end", END)
            return (end, _stay(ctx, "", "hard")) if for_hard else (end,)
        closing = questions[-1]
        last = Move("last", "last", LAST, closing.text, (len(questions) - 1,))
        nexts = tuple(_next(questions, item) for item in items[:OFFERED])
        if ctx.received.trigger == "opening":
            return nexts or (last,)
        may_stay = self._may_stay(ctx, len(items))
        probe = _probe(ctx) if may_stay else ""
        has_time = in_bounds and seconds_left(ctx) >= self.exchange(ctx)
        beyond: Only = "matters" if has_time and ctx.material.options.followup_ceiling else "hard"
        stays = (_stay(ctx, probe, "" if may_stay else beyond),) if for_hard else ()
        goes_on = nexts or (last,)
        ways = (*stays, *goes_on) if probe else (*goes_on, *stays)
        ways_back = backs(ctx.state.threads if has_time else ())
        return (*ways, *ways_back, *((replace(last, only="last_one"),) if nexts else ()))

    def _may_stay(self, ctx: LifeStoryContext, items: int) -> bool:
        ceiling = ctx.material.options.followup_ceiling
        most = stays_by_pace(seconds_left(ctx), items + 1, self.exchange(ctx), ceiling)
        return ctx.state.stays < most and block_left(ctx) >= LEAST_SECONDS

    def known(self, ctx: LifeStoryContext) -> list[str]:
        return [f"{key}: {text}" for key, text in ctx.state.note_texts().items()]

    # -- what was told, and where the interview stands after a move

    def keep(self, ctx: LifeStoryContext, led: Outcome[Any] | None) -> LifeStoryState:
        if led is None or not ctx.answer:
            return ctx.state
        if led.by_model:
            learned = [(note.key, note.value) for note in led.value.notes]
            denied = led.value.denied
        else:
            learned, denied = list(found_by_rules(ctx.answer).items()), []
        most = most_notes(len(questions_of(ctx)))
        notes = update_notes(ctx.state.notes, learned, denied, ctx.received.position, most)
        return ctx.state.but(notes=notes)

    def follow(
        self, ctx: LifeStoryContext, state: LifeStoryState, move: Move, led: Outcome[Any] | None
    ) -> LifeStoryState:
        met = led.value.met if led is not None and led.by_model else []
        settled = {item for item in _open_items(ctx) if f"q{item + 1}" in met[:MOST_MET]}
        if ctx.received.trigger != "opening":  # also where that has failed, and it was put
            settled.add(ctx.state.current_question_index)
        state = state.but(done=state.done | settled | set(move.item))
        if not move.item:
            return state
        return state.but(current_question_index=move.item[0], block_began=seconds_left(ctx))

    def notes(self, state: LifeStoryState) -> dict[str, NewNote]:
        return state.all_notes()

    def details(self, ctx: LifeStoryContext, state: LifeStoryState) -> dict[str, Any]:
        """Return the other questions that the answer settles, and those that it closes."""
        questions = questions_of(ctx)
        put = {state.current_question_index, ctx.state.current_question_index}
        met = sorted(state.done - ctx.state.done - put)
        left = range(len(questions) - 1) if ctx.reading.closed else ()
        about = (item for item in left if item not in state.done)
        closed = [
            item
            for item in about
            if _is_about(questions[item].text, ctx.state.closed, ctx.language)
        ]
        return {
            "met": {questions[item].key: item + 1 for item in met},
            "closed": {questions[item].key: item + 1 for item in closed},
        }

    # -- what is said

    def utterance(self, ctx: LifeStoryContext, move: Move, text: str) -> Utterance:
        if move.item:
            return _asked(ctx, move.item[0], text)
        key = questions_of(ctx)[ctx.state.current_question_index].key
        return Utterance(EntryKind.FOLLOW_UP, text, key)

    def repeat_question(self, ctx: LifeStoryContext) -> Utterance:
        """Return the question in the script's own words if they set a scene for it."""
        index, asked = ctx.state.current_question_index, ctx.state.open_question
        if ctx.state.stays:
            return Utterance(EntryKind.FOLLOW_UP, asked, questions_of(ctx)[index].key)
        written = questions_of(ctx)[index].text
        sets_scene = len(spaced_sentences(written)) > 1
        return _asked(ctx, index, written if sets_scene or not asked else asked)

    def leave(
        self,
        ctx: LifeStoryContext,
        results: CallResults,
        state: LifeStoryState,
        move: Move,
        before: tuple[Utterance, ...],
    ) -> NextMove:
        outro = named(script_of(ctx).outro, ctx.name)
        return ending(state, outro, "script_ended", SessionStatus.COMPLETED, before=before)

    def exit(self, ctx: LifeStoryContext, results: CallResults) -> NextMove:
        text, status = fixed(ctx.language, "goodbye"), SessionStatus.STOPPED
        notes = ctx.state.all_notes()
        return ending(ctx.state, text, "stopped_by_participant", status, notes=notes)

    # -- what the common rules ask

    def question_purpose(self, ctx: LifeStoryContext) -> str:
        return questions_of(ctx)[ctx.state.current_question_index].objective

    def private_texts(self, ctx: LifeStoryContext) -> tuple[str, ...]:
        question = questions_of(ctx)[ctx.state.current_question_index]
        return (*super().private_texts(ctx), question.objective, question.guidance)

    def progress(self, ctx: LifeStoryContext, state: LifeStoryState) -> tuple[int, int, str]:
        return max(1, len(state.done)), len(questions_of(ctx)), "questions"

    def forget(self, state: LifeStoryState, strike: Strike) -> LifeStoryState:
        kept = {
            key: note
            for key, note in state.notes.items()
            if not strike.tells(f"{key} {note.text}", note.position)
        }
        return super().forget(state, strike).but(notes=kept)

    def count_turn(self, ctx: LifeStoryContext) -> LifeStoryState:
        return ctx.state.but(stays=ctx.state.stays + 1)

    def seconds_left(self, ctx: LifeStoryContext) -> float:
        return seconds_left(ctx)

    def has_time(self, ctx: LifeStoryContext) -> bool:
        return block_left(ctx) > 0


def _asked(ctx: LifeStoryContext, index: int, text: str) -> Utterance:
    key = questions_of(ctx)[index].key
    return Utterance(EntryKind.SCRIPTED_QUESTION, text, key, index + 1)


def _open_items(ctx: LifeStoryContext) -> list[int]:
    """Return the questions that are open, by index, in order, without the closing one."""
    done = ctx.state.done
    if ctx.received.trigger != "opening":
        done |= {ctx.state.current_question_index}
    return [
        index
        for index, question in enumerate(questions_of(ctx)[:-1])
        if index not in done and not _is_about(question.text, ctx.state.closed, ctx.language)
    ]


@lru_cache(maxsize=1_024)  # asked of the whole script, often while a reply streams
def _is_about(question: str, closed: tuple[str, ...], language: str) -> bool:
    """Return whether a question names all of a closed subject, so that it can only be about it."""
    found = (named_terms(subject, question, language) for subject in closed)
    return any(name and said == name for name, said in found)


def _next(questions: Sequence[ScriptQuestion], item: int) -> Move:
    question = questions[item]
    aim = f"to learn: {question.objective} {question.guidance}".strip()
    return Move(f"q{item + 1}", "next", aim, question.text, (item,), question.text)


def _stay(ctx: LifeStoryContext, probe: str, only: Only) -> Move:
    aim = "follow what was just said."
    if (probes := " / ".join(_probes(ctx))) and ctx.state.stays < MOST_PROBED:
        aim = f"{aim} Probes written for the open question, for where they fit: {probes}"
    return Move("stay", "stay", aim, probe, only=only)


def _probe(ctx: LifeStoryContext) -> str:
    """Return the question's next probe where rules alone would put it; else ''.

    Rules can't tell a joke or a rebuff from an answer. So nobody is probed who says next to nothing
    or asks back, and a second probe follows only what names a figure, a place or a person.
    """
    probes, answer, language = _probes(ctx), ctx.answer, ctx.language
    if not probes or band(answer, language) is not Band.LOW or ends_asking(answer.rstrip()):
        return ""
    tells = concrete(answer, language) if ctx.state.stays else word_count(answer, language) >= FEW
    return probes[0] if tells else ""


def _probes(ctx: LifeStoryContext) -> list[str]:
    """Return the open question's probes that weren't asked and name no closed subject."""
    spoken = [line.text for line in ctx.transcript if line.role == SpeakerRole.INTERVIEWER]
    return [
        probe
        for probe in questions_of(ctx)[ctx.state.current_question_index].probes
        if not any(probe in line for line in spoken)
        and not names_closed(probe, ctx.state.closed, ctx.language)
    ]


PROTOCOL = LifeStory()
