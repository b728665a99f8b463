"""The script's next question: the first that wasn't told already and isn't closed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from interviews.choices import EntryKind
from interviews.engine import guards
from interviews.engine.guards import Checked, Limits
from interviews.engine.language.sentences import asks, single_spaced
from interviews.engine.language.terms import named_terms
from interviews.engine.language.wishes import plain
from interviews.engine.result import CallResults, GuardFiring, TaskCall
from interviews.protocols.life_story import task_calls as ask
from interviews.protocols.life_story.state import LifeStoryContext, questions_of

MOST_SKIPS = 5  # questions in a row that may be skipped as answered
ASKING = (EntryKind.SCRIPTED_QUESTION, EntryKind.FOLLOW_UP)


@dataclass(frozen=True)
class SearchResult:
    """The next question (`index` None at the script's end), and what was skipped on the way."""

    index: int | None
    text: str = ""
    used: tuple[str, ...] = ()  # key of the call that worded it
    skipped: Mapping[str, str] = field(default_factory=dict)  # question's key -> reason
    firings: tuple[GuardFiring, ...] = ()


def search(ctx: LifeStoryContext, results: CallResults) -> SearchResult | tuple[TaskCall, ...]:
    """Find the first question that the notes don't answer, or the calls needed to know it.

    While nothing is known and nothing closed, no call is needed. A question about a closed subject
    isn't asked. The first candidate is checked alone (while the planner works), the others side by
    side. After MOST_SKIPS skips in a row the next question is asked in any case, and so is the
    closing one.
    """
    questions, known = questions_of(ctx), 0
    skipped: dict[str, str] = {}
    first = 0 if ctx.received.trigger == "opening" else ctx.state.current_question_index + 1
    for index in range(first, len(questions)):
        question = questions[index]
        if is_about(question.text, ctx.state.closed, ctx.language):
            skipped[question.key] = "closed"
            continue
        if not (ctx.state.notes or ctx.state.closed):
            return SearchResult(index, question.text, skipped=skipped)
        may_skip = known < MOST_SKIPS
        key = ask.candidate_key(index, may_skip)
        outcome = results.get(key)
        if outcome is None:
            return _candidates(ctx, results, index, known)
        closing = index == len(questions) - 1
        if may_skip and not closing and outcome.value.action == "skip":
            skipped[question.key] = outcome.value.reason
            known += 1
            continue
        text, fired = adapted_question(outcome.value.question, question.text, asking_limits(ctx))
        return SearchResult(index, text, (key,), skipped, fired)
    return SearchResult(None, skipped=skipped)


def _candidates(
    ctx: LifeStoryContext, results: CallResults, first: int, known: int
) -> tuple[TaskCall, ...]:
    # one at first; once one was skipped, all up to the one that must be asked
    questions = questions_of(ctx)
    indices = [
        index
        for index in range(first, len(questions))
        if not is_about(questions[index].text, ctx.state.closed, ctx.language)
    ]
    most = 1 if known == 0 else MOST_SKIPS - known + 1
    calls = (
        ask.candidate(ctx, index, known + nth < MOST_SKIPS)
        for nth, index in enumerate(indices[:most])
    )
    return missing_calls(results, tuple(calls))


def asking_limits(ctx: LifeStoryContext) -> Limits:
    return ask.limits(ctx, tuple(line.text for line in ctx.transcript if line.kind in ASKING))


def missing_calls(results: CallResults, calls: tuple[TaskCall, ...]) -> tuple[TaskCall, ...]:
    return tuple(call for call in calls if call.key not in results)


def adapted_question(text: str, scripted: str, limits: Limits) -> Checked:
    """Return a personalised question, or the script's own words if it asks something else.

    A script's "question" may be a request ("Tell me about …"), and so may the adapted one.
    """
    adapted = single_spaced(text)
    if plain(adapted) == plain(scripted):
        return Checked(scripted)
    checked = _check(adapted, scripted, limits)
    if checked.text and guards.keeps_subject(checked.text, scripted, limits.language):
        return checked
    firing = GuardFiring("personalise", "doesn't ask what the script asks", text)
    return Checked(scripted, checked.firings or (firing,))


def safe_adapted(text: str, scripted: str, limits: Limits) -> str:
    """Return as much of a personalised question still being written as will be said.

    That it asks what the script asks shows only once it has named it.
    """
    shown = guards.safe_prefix(text, limits)
    as_scripted = plain(scripted).startswith(plain(text))
    return shown if as_scripted or guards.keeps_subject(shown, scripted, limits.language) else ""


def _check(adapted: str, scripted: str, limits: Limits) -> Checked:
    if asks(scripted) or asks(adapted):
        return guards.check(adapted, limits)
    return guards.check_statement(adapted, limits, guards.STATEMENTS)


def is_about(question: str, subjects: Iterable[str], language: str) -> bool:
    """Return whether a question names all of a subject, so that it can only be about it."""
    found = (named_terms(subject, question, language) for subject in subjects)
    return any(name and said == name for name, said in found)
