"""How what is said begins after something hard, a refusal or a skip: it is taken in first."""

from dataclasses import replace

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.context import AnyContext
from interviews.engine.language.sentences import asks, ends_asking, single_spaced, spaced_sentences
from interviews.engine.language.wishes import plain
from interviews.engine.result import AnyResult, CallResults, PartialResults, Utterance
from interviews.engine.texts import fixed

FIRST = 40  # characters of a draft by which it is recognised
LATELY = 8  # lines that a fixed sentence must differ from
LEADS = {"refuse": "respect", "skip": "skipped"}


def with_lead(ctx: AnyContext, result: AnyResult, results: CallResults) -> AnyResult:
    """Let what is said begin by taking in something hard, a refusal or a skip.

    A model's own sentence will do, unless it was said before.
    """
    first = result.utterances[0] if result.utterances else None
    lead = lead_of(ctx, asks=first is not None and first.kind != EntryKind.OUTRO)
    if first is None or not lead or first.kind == EntryKind.TRANSITION:
        return result
    if first.kind == EntryKind.OUTRO and ctx.reading.intent == "skip":
        return result
    by_model = any(results[key].by_model for key in result.spoken_by)
    if by_model and has_own_lead(ctx, first.text):
        return result
    if by_model:
        first = replace(first, text=_without_repeats(ctx, first.text))
    utterances = (Utterance(EntryKind.TRANSITION, lead), first, *result.utterances[1:])
    return replace(result, utterances=utterances)


def fixed_lead(ctx: AnyContext) -> tuple[Utterance, ...]:
    """Return the fixed words as an utterance of their own, where no others will do."""
    lead = lead_of(ctx)
    return (Utterance(EntryKind.TRANSITION, lead),) if lead else ()


def beside(ctx: AnyContext) -> tuple[Utterance, ...]:
    """Return what takes in something hard told beside a wish, a question, or a yes or no."""
    if ctx.reading.care != "heavy":
        return ()
    return (Utterance(EntryKind.TRANSITION, taking_in(ctx, asks=False)),)


def after_beside(ctx: AnyContext, draft: str) -> str:
    return " ".join([*(one.text for one in beside(ctx)), draft]) if draft else ""


def offer_to_skip(ctx: AnyContext, question: Utterance) -> tuple[Utterance, ...]:
    """Return the offer to skip a question that is put again after something hard."""
    if ctx.reading.care != "heavy" or ctx.state.awaiting or ctx.state.sealed:
        return ()
    if not asks(question.text):  # an invitation to say more
        return ()
    return (Utterance(EntryKind.TRANSITION, fixed(ctx.language, "may_skip")),)


def lead_of(ctx: AnyContext, asks: bool = True) -> str:
    """Return the fixed words that what is said begins with; empty if it needs none."""
    if ctx.received.trigger != "user_answer":
        return ""
    intent, care = ctx.reading.intent, ctx.reading.care
    if care == "heavy" and intent != "refuse":
        return taking_in(ctx, asks)
    key = "complaint" if ctx.reading.wants("complaint") else LEADS.get(intent)
    return fixed(ctx.language, key, ctx.turn, lately(ctx)) if key else ""


def taking_in(ctx: AnyContext, asks: bool) -> str:
    """Take in something hard; if a question follows, leave it to the person when to go on."""
    keys = ("acknowledgements", "gently") if asks else ("acknowledgements",)
    return " ".join(fixed(ctx.language, key, ctx.turn, lately(ctx)) for key in keys)


def _without_repeats(ctx: AnyContext, text: str) -> str:
    """Return the text without first sentences that were said before."""
    parts, before = spaced_sentences(text), _said_before(ctx)
    while len(parts) > 1 and not ends_asking(parts[0]) and plain(parts[0]) in before:
        parts = parts[1:]
    return " ".join(parts)


def has_own_lead(ctx: AnyContext, text: str) -> bool:
    """Return whether a model's text begins with a sentence that asks nothing and is new."""
    parts = spaced_sentences(text)
    if len(parts) < 2 or ends_asking(parts[0]):
        return False
    return plain(parts[0]) not in _said_before(ctx)


def _said_before(ctx: AnyContext) -> set[str]:
    return {plain(part) for line in lately(ctx) for part in spaced_sentences(line)}


def lately(ctx: AnyContext) -> list[str]:
    said = [line.text for line in ctx.transcript if line.role == SpeakerRole.INTERVIEWER]
    return said[-LATELY:]


def leads_itself(ctx: AnyContext, draft: str, partials: PartialResults) -> bool:
    """Return whether a draft begins with the lead, or with a model's own sentence."""
    if draft.startswith(lead_of(ctx)):
        return True
    written = [str(value) for partial in partials.values() for value in partial.values()]
    by_model = any(single_spaced(text).startswith(draft[:FIRST]) for text in written)
    return by_model and has_own_lead(ctx, draft)
