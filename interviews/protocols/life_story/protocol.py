"""Life story: a script's questions one after another, each with follow-ups.

The order of a turn, as this file reads:

1. what decides without the planner: the opening, a skip, a refusal, not knowing
2. otherwise the planner decides; the notes and the next question's wording are made meanwhile
3. after something hard, an invitation to say as much as they want, and then no follow-up
4. a follow-up, or
5. the next question that isn't answered yet
6. the outro when no question is left
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interviews.choices import RULES, EntryKind, SessionStatus
from interviews.engine.guards import Checked, check, check_statement, question_of, safe_prefix
from interviews.engine.language.sentences import single_spaced, spaced_sentences
from interviews.engine.leads import lately, lead_of, taking_in
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import BRIEF
from interviews.engine.result import (
    CallResults,
    GuardFiring,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
    WordedText,
    ending,
)
from interviews.engine.strikes import Strike
from interviews.engine.texts import fixed, named
from interviews.protocols.life_story import task_calls as ask
from interviews.protocols.life_story.notes import most_notes, update_notes
from interviews.protocols.life_story.question_search import (
    SearchResult,
    asking_limits,
    missing_calls,
    safe_adapted,
    search,
)
from interviews.protocols.life_story.state import (
    LifeStoryContext,
    LifeStoryState,
    questions_of,
    script_of,
    seconds_left,
)
from interviews.protocols.life_story.tasks import ACTIONS, PersonaliseInput, Plan
from plans.protocols import PlanContent
from plans.protocols.life_story.content import LifeStoryMaterial

LEAST_SECONDS = 30  # left in the block for a follow-up
INVITATION = "invitation"  # key of what is put again; interviews from before put the question again
MOVES_ON = {
    "skip": "skip_wish",
    "refuse": "privacy",
    "dont_know": "dont_know",
    "off_topic": "off_topic",
}

NextMove = TurnResult[LifeStoryState]


@dataclass(frozen=True)
class MoveOn:
    """Why the interview moves on."""

    reason: str
    firings: tuple[GuardFiring, ...] = ()


class LifeStory(InterviewProtocol[LifeStoryState, LifeStoryMaterial]):
    name = "life_story"
    state = LifeStoryState
    reading_key = ask.PLAN_KEY
    invites = True

    def begin(self, plan: PlanContent[Any], language: str) -> LifeStoryState:
        return LifeStoryState()

    def intro(self, ctx: LifeStoryContext) -> Utterance:
        return Utterance(EntryKind.INTRO, named(script_of(ctx).intro, ctx.name))

    def reading_call(self, ctx: LifeStoryContext) -> TaskCall:
        return ask.plan(ctx)

    def step(self, ctx: LifeStoryContext, results: CallResults) -> NeedsCalls | NextMove:
        move_on = reason_to_move_on(ctx)
        if move_on is None:
            plan = results.get(ask.PLAN_KEY)
            if plan is None:
                candidates = search(ctx, {})
                prefetched = () if isinstance(candidates, SearchResult) else candidates
                return NeedsCalls((ask.plan(ctx), *ask.notes(ctx), *prefetched))
            if ctx.reading.care == "heavy" and not ctx.state.at_own_pace:
                return invite(ctx, results)
            move_on = planner_reason(ctx, plan.value)
            if move_on is None:
                return follow_up(ctx, results, plan.value)
        return next_question(ctx, results, move_on)

    def preview(self, ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
        return draft(ctx, results, partials)

    def exit(self, ctx: LifeStoryContext, results: CallResults) -> NextMove:
        text, status = fixed(ctx.language, "goodbye"), SessionStatus.STOPPED
        notes = ctx.state.all_notes()
        return ending(ctx.state, text, "stopped_by_participant", status, notes=notes)

    def repeat_question(self, ctx: LifeStoryContext) -> Utterance:
        question = questions_of(ctx)[ctx.state.current_question_index]
        if follow_up := ctx.state.invitation or ctx.state.follow_up:
            return Utterance(EntryKind.FOLLOW_UP, follow_up, question.key)
        text = ctx.state.worded or question.text
        number = ctx.state.current_question_index + 1
        return Utterance(EntryKind.SCRIPTED_QUESTION, text, question.key, number)

    def withdraw_invitation(self, state: LifeStoryState) -> LifeStoryState:
        return state.but(invitation="")

    def question_purpose(self, ctx: LifeStoryContext) -> str:
        if ctx.state.at_own_pace:
            return ""
        return questions_of(ctx)[ctx.state.current_question_index].objective

    def private_texts(self, ctx: LifeStoryContext) -> tuple[str, ...]:
        return ask.private(ctx)

    def progress(self, ctx: LifeStoryContext, state: LifeStoryState) -> tuple[int, int, str]:
        return state.current_question_index + 1, len(questions_of(ctx)), "questions"

    def forget(self, state: LifeStoryState, strike: Strike) -> LifeStoryState:
        kept = {
            key: note
            for key, note in state.notes.items()
            if not strike.tells(f"{key} {note.text}", note.position)
        }
        return state.but(notes=kept, worded="" if strike.tells(state.worded) else state.worded)

    def count_turn(self, ctx: LifeStoryContext) -> LifeStoryState:
        return ctx.state.but(followups_count=ctx.state.followups_count + 1)

    def has_time(self, ctx: LifeStoryContext) -> bool:
        # what they were invited to tell at their own pace isn't asked for once more
        return not ctx.state.at_own_pace and seconds_left(ctx) > 0


# -- 1. what decides without the planner


def reason_to_move_on(ctx: LifeStoryContext) -> MoveOn | None:
    if ctx.received.trigger == "opening":
        return MoveOn("opening")
    if ctx.received.trigger == "skip":
        return MoveOn("skip_button")
    reason = MOVES_ON.get(ctx.reading.intent)
    return MoveOn(reason) if reason else None


# -- 2. what the planner decides


def planner_reason(ctx: LifeStoryContext, plan: Plan) -> MoveOn | None:
    if plan.action == "NEXT_QUESTION":
        return MoveOn("planner")
    if why_not := _why_not(ctx):
        return MoveOn(why_not)
    checked = checked_follow_up(ctx, plan)
    return None if checked.text else MoveOn("unusable_follow_up", checked.firings)


def checked_follow_up(ctx: LifeStoryContext, plan: Plan) -> Checked:
    text = single_spaced(plan.next_utterance)
    if text in ask.open_probes(ctx):  # the script's own
        return Checked(text)
    return check(text, asking_limits(ctx))


# -- 3. something hard


def invite(ctx: LifeStoryContext, results: CallResults) -> NeedsCalls | NextMove:
    """Take in what was said and leave it to them how much more to say; nothing is asked."""
    missing = missing_calls(results, ask.notes(ctx))
    if missing:
        return NeedsCalls(missing)
    lead = lead_in(ctx, results, asks=False)
    pace = fixed(ctx.language, "pace", ctx.turn, _spoken_lines(ctx))
    state = _with_notes(ctx, results).but(at_own_pace=True)
    if ctx.may_mark(INVITATION):
        state = state.but(invitation=pace)  # the question would ask again for what was hard
    question = questions_of(ctx)[state.current_question_index].key
    return TurnResult(
        state=state,
        utterances=(*_transition(lead), Utterance(EntryKind.FOLLOW_UP, pace, question)),
        reason="own_pace",
        notes=state.all_notes(),
        read_by_rules={INVITATION: state.invitation},
        spoken_by=lead.used,
        firings=lead.firings,
    )


# -- 4. a follow-up


def follow_up(ctx: LifeStoryContext, results: CallResults, plan: Plan) -> NeedsCalls | NextMove:
    missing = missing_calls(results, ask.notes(ctx))
    if missing:
        return NeedsCalls(missing)
    text, fired = checked_follow_up(ctx, plan)
    state = _with_notes(ctx, results)
    question = questions_of(ctx)[state.current_question_index].key
    return TurnResult(
        state=state.but(followups_count=state.followups_count + 1, follow_up=question_of(text)),
        utterances=(Utterance(EntryKind.FOLLOW_UP, text, question),),
        reason="follow_up",
        notes=state.all_notes(),
        spoken_by=(ask.PLAN_KEY,),
        firings=fired,
        details={"assessment": plan.assessment, "why": plan.reason},
    )


# -- 5. the next question, 6. the outro


def next_question(
    ctx: LifeStoryContext, results: CallResults, move_on: MoveOn
) -> NeedsCalls | NextMove:
    found = search(ctx, results)
    told = ctx.reading.by != RULES or ctx.reading.intent in ("answer", "dont_know")
    missing = missing_calls(results, ask.notes(ctx)) if told else ()
    if not isinstance(found, SearchResult):
        return NeedsCalls((*missing, *found))
    if missing:
        return NeedsCalls(missing)
    state = _with_notes(ctx, results)
    lead = lead_in(ctx, results, asks=found.index is not None)
    firings = (*move_on.firings, *lead.firings, *found.firings)
    details = {"skipped": dict(found.skipped)}
    if found.index is None:
        outro = named(script_of(ctx).outro, ctx.name)
        return ending(
            state,
            outro,
            "script_ended",
            SessionStatus.COMPLETED,
            before=() if ctx.reading.intent == "skip" else _transition(lead),
            notes=state.all_notes(),
            spoken_by=lead.used,
            firings=firings,
            details=details,
        )
    question = questions_of(ctx)[found.index]
    asked = Utterance(EntryKind.SCRIPTED_QUESTION, found.text, question.key, found.index + 1)
    state = state.but(
        current_question_index=found.index,
        worded=_to_repeat(found.text, question.text),
        follow_up="",
        invitation="",
        followups_count=0,
        at_own_pace=False,
        after_hard=state.at_own_pace,
        block_started_at=None,
    )
    return TurnResult(
        state=state,
        utterances=(*_transition(lead), asked),
        reason=move_on.reason,
        notes=state.all_notes(),
        spoken_by=(*lead.used, *found.used),
        firings=firings,
        details=details,
    )


def _to_repeat(text: str, script: str) -> str:
    """Return the question to put again, in the script's own words if they set a scene for it."""
    sets_scene = len(spaced_sentences(script)) > 1
    return script if sets_scene or text == script else question_of(text)


def lead_in(ctx: LifeStoryContext, results: CallResults, asks: bool) -> WordedText:
    """Take in something hard in the planner's own sentence, else (as a refusal) in fixed words.

    An adapted question may begin with a sentence too, but that one takes nothing in.
    """
    plan, firings = results.get(ask.PLAN_KEY), tuple[GuardFiring, ...]()
    may_own = ctx.reading.care == "heavy" and ctx.reading.intent != "refuse"
    if may_own and plan is not None and plan.by_model:
        own, firings = check_statement(plan.value.transition, ask.limits(ctx))
        if own and not any(own in line for line in _spoken_lines(ctx)):
            return WordedText(own, (ask.PLAN_KEY,), firings)
    return WordedText(_fixed_lead(ctx, results, asks), (), firings)


def _transition(lead: WordedText) -> tuple[Utterance, ...]:
    return (Utterance(EntryKind.TRANSITION, lead.text),) if lead.text else ()


def _fixed_lead(ctx: LifeStoryContext, results: CallResults, asks: bool = True) -> str:
    """Return the common rules' words, or those for what is said after the invitation.

    That is what no model has read, and words off topic: what was told before isn't left in silence.
    The same goes for more than a few words to the question right after it.
    """
    plan = results.get(ask.PLAN_KEY)
    unread = plan is not None and not plan.by_model and ctx.reading.intent == "answer"
    goes_on = ctx.state.after_hard and len(ctx.answer.split()) > BRIEF
    if unread and (ctx.state.at_own_pace or goes_on):
        return taking_in(ctx, asks)
    lead = lead_of(ctx, asks)
    if not lead and ctx.state.at_own_pace and ctx.reading.intent == "off_topic":
        return fixed(ctx.language, "respect", ctx.turn, lately(ctx))
    return lead


# -- what is shown before the turn is decided


def draft(ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
    """Return what is certain of the utterance; nothing until the planner's action is known."""
    if reason_to_move_on(ctx) is None:
        written = _so_far(results, partials, ask.PLAN_KEY)
        if ctx.reading.care != "none" or "action" not in written:
            return ""
        if written["action"] == "FOLLOW_UP" and not _why_not(ctx):
            return safe_prefix(str(written.get("next_utterance") or ""), asking_limits(ctx))
        if written["action"] not in ACTIONS:  # it still grows
            return ""
    elif ctx.reading.care != "none":  # the planner's own sentence comes first
        return ""
    return " ".join(
        filter(None, (_fixed_lead(ctx, results), _certain_question(ctx, results, partials)))
    )


def _certain_question(ctx: LifeStoryContext, results: CallResults, partials: PartialResults) -> str:
    found = search(ctx, results)
    if isinstance(found, SearchResult):
        return found.text
    if len(found) > 1:
        return ""
    candidate, written = found[0].data, _so_far(results, partials, found[0].key)
    if written.get("action") != "ask" or not isinstance(candidate, PersonaliseInput):
        return ""
    text = str(written.get("question") or "")
    return safe_adapted(text, candidate.question, asking_limits(ctx))


def _so_far(results: CallResults, partials: PartialResults, key: str) -> Mapping[str, Any]:
    whole = results.get(key)
    return whole.value.model_dump() if whole else partials.get(key, {})


# -- helpers


def _why_not(ctx: LifeStoryContext) -> str:
    """Return why no follow-up may be asked; empty if one may."""
    if ctx.state.followups_count >= ctx.material.options.followup_ceiling:
        return "ceiling"
    unread = ctx.reading.by == RULES  # which can't tell what still belongs to something hard
    if ctx.state.at_own_pace or (ctx.state.after_hard and unread) or ctx.reading.care != "none":
        return "heavy"
    return "time_left" if seconds_left(ctx) < LEAST_SECONDS else ""


def _with_notes(ctx: LifeStoryContext, results: CallResults) -> LifeStoryState:
    outcome = results.get(ask.NOTES_KEY)
    if outcome is None:
        return ctx.state
    pairs = [(pair.key, pair.value) for pair in outcome.value.learned]
    most = most_notes(len(questions_of(ctx)))
    notes = update_notes(ctx.state.notes, pairs, outcome.value.denied, ctx.received.position, most)
    return ctx.state.but(notes=notes)


def _spoken_lines(ctx: LifeStoryContext) -> tuple[str, ...]:
    return tuple(line.text for line in ctx.transcript if line.role == "interviewer")


PROTOCOL = LifeStory()
