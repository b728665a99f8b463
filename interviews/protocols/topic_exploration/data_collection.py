"""Data collection: consent first, then one field at a time, each refusable, the whole bounded.

Values never stand in the state, in a prompt or in the trace: they go to `TurnResult.collected`. The
answer to the consent is confidential too, since people give their address along with the yes.
"""

from dataclasses import dataclass, field, replace

from interviews.choices import EntryKind
from interviews.engine.contact_data.fields import (
    FieldReading,
    mask_answer,
    read_consent,
    read_field,
)
from interviews.engine.contact_data.masking import scrub
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.topic_exploration import fallback_texts, tasks
from interviews.protocols.topic_exploration.context import TopicContext, last_said
from interviews.protocols.topic_exploration.state import DataState
from plans.protocols.topic_exploration.content import FieldMaterial

CONSENT_KEY = "consent"
MOST_CONSENTS = 2  # unclear twice means no
MOST_ATTEMPTS = 2  # at one field


@dataclass(frozen=True)
class CollectionStep:
    """What an answer brought: the new state, what is asked next, and a value if there is one."""

    data: DataState
    kind: EntryKind = EntryKind.DATA_REQUEST
    text: str = ""  # empty when the collection is over
    question: str = ""  # the field's key
    values: dict[str, str] = field(default_factory=dict, repr=False)
    masked: str | None = None
    read: dict[str, str] = field(default_factory=dict)  # for replay: the outcome, never a value


def begun(ctx: TopicContext) -> CollectionStep:
    return _ask_consent(ctx, DataState(asked=1))


def still_open(ctx: TopicContext) -> CollectionStep:
    """The request that stands, put again after an interruption."""
    data = ctx.state.data
    if data.consent != "yes":
        return _ask_consent(ctx, data)
    due = ctx.material.fields[data.field]
    text = fallback_texts.say(ctx.language, "field", data.field, label=due.label)
    return CollectionStep(data, EntryKind.DATA_REQUEST, text, due.key)


def collected(ctx: TopicContext, results: CallResults) -> CollectionStep | TaskCall:
    """What the answer brings, or the one thing that the fast model must be asked."""
    if ctx.state.data.consent != "yes":
        return _consent(ctx, results)
    return _field(ctx)


def _consent(ctx: TopicContext, results: CallResults) -> CollectionStep | TaskCall:
    by_rules = _consent_by_rules(ctx)
    said = by_rules
    if said == "unclear":
        reading = results.get(CONSENT_KEY)
        if reading is None:
            about = tasks.TopicIntentInput(question=last_said(ctx), said=scrub(ctx.answer))
            return TaskCall(CONSENT_KEY, tasks.CONSENT, about)
        said = reading.value.reading
    masked = scrub(ctx.answer) if ctx.answer else None
    return replace(_consented(ctx, said), masked=masked, read={"consent": by_rules})


def _consent_by_rules(ctx: TopicContext) -> str:
    """As read now; on replay as it was read then, since the words are gone."""
    if ctx.remembered:
        return str(ctx.remembered["consent"])
    return "no" if ctx.received.trigger == "skip" else read_consent(ctx.answer)


def _consented(ctx: TopicContext, said: str) -> CollectionStep:
    """What follows from a yes, a no, or neither."""
    data = ctx.state.data
    if said == "yes":
        return _ask_field(ctx, data.model_copy(update={"consent": "yes"}))
    if said == "no" or data.asked >= MOST_CONSENTS:
        return CollectionStep(data.model_copy(update={"consent": "no", "over": True}))
    return _ask_consent(ctx, data.model_copy(update={"asked": data.asked + 1}))


def _field(ctx: TopicContext) -> CollectionStep:
    """The answer to the field that is due."""
    data = ctx.state.data
    due = ctx.material.fields[data.field]
    reading = _read(ctx, due)
    outcome, value = reading.outcome, reading.value
    read = {"field": due.key, "outcome": outcome}
    masked = mask_answer(ctx.answer, reading, due.kind) if ctx.answer else None
    if outcome == "refused_all":
        return CollectionStep(data.model_copy(update={"over": True}), masked=masked, read=read)
    if outcome in ("invalid", "unclear") and data.attempts < MOST_ATTEMPTS:
        again = data.model_copy(
            update={"attempts": data.attempts + 1, "requests": data.requests + 1}
        )
        text = fallback_texts.say(ctx.language, "field_again", label=due.label)
        return CollectionStep(again, EntryKind.DATA_REQUEST, text, due.key, {}, masked, read)
    done = "given" if outcome == "valid" else "refused"
    moved = data.model_copy(update={done: (*getattr(data, done), due.key), "field": data.field + 1})
    asked = _ask_field(ctx, moved)
    values = {due.key: value} if value else {}
    return CollectionStep(asked.data, asked.kind, asked.text, asked.question, values, masked, read)


def _read(ctx: TopicContext, due: FieldMaterial) -> FieldReading:
    """What was read; on replay only the outcome of then, since the words are gone."""
    if ctx.remembered:
        return FieldReading(ctx.remembered["outcome"])
    if ctx.received.trigger == "skip":
        return FieldReading("refused")
    return read_field(due.kind, ctx.answer, ctx.language)


def _ask_field(ctx: TopicContext, data: DataState) -> CollectionStep:
    """The next field, if there is one and the bound on requests allows it."""
    fields = ctx.material.fields
    if data.field >= len(fields) or data.requests >= 2 * len(fields):
        return CollectionStep(data.model_copy(update={"over": True}))
    due = fields[data.field]
    asked = data.model_copy(update={"attempts": 1, "requests": data.requests + 1})
    text = fallback_texts.say(ctx.language, "field", data.field, label=due.label)
    return CollectionStep(asked, EntryKind.DATA_REQUEST, text, due.key)


def _ask_consent(ctx: TopicContext, data: DataState) -> CollectionStep:
    options = ctx.material.options
    every = fallback_texts.every(ctx.language, "consent")
    text = every[min(data.asked, len(every)) - 1]
    words = {
        "fields": ", ".join(one.label for one in ctx.material.fields),
        "purpose": _sentence(options.data_purpose),
        "kept": _sentence(options.data_kept),
    }
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return CollectionStep(data, EntryKind.CONSENT_REQUEST, " ".join(text.split()))


def _sentence(text: str) -> str:
    """A text as a whole sentence with a space behind it; nothing stays nothing."""
    said = text.strip()
    said = said[:1].upper() + said[1:]
    return f"{said}{'' if said[-1] in '.!?…' else '.'} " if said else ""
