"""Data collection: consent first, then one field at a time, each of which can be refused.

Values never enter the state, a prompt or the trace: they go to `TurnResult.collected`. The reply to
the consent request is confidential too, since people give their address along with the yes.
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
from interviews.engine.language.sentences import asks
from interviews.engine.language.wishes import plain
from interviews.engine.result import CallResults, GuardFiring, TaskCall, WordedText
from interviews.engine.texts import has_texts
from interviews.protocols.topic_exploration import fallback_texts, guards, tasks
from interviews.protocols.topic_exploration.context import TopicContext
from interviews.protocols.topic_exploration.state import DataState
from plans.protocols.topic_exploration.content import FieldMaterial

REQUEST_KEY = "request"
MAX_CONSENT_REQUESTS = 2  # unclear twice means no
MAX_ATTEMPTS = 2  # at one field


@dataclass(frozen=True)
class CollectionStep:
    data: DataState
    kind: EntryKind = EntryKind.DATA_REQUEST
    text: str = ""  # what to say next; empty when the collection is over
    question: str = ""  # the field's key
    values: dict[str, str] = field(default_factory=dict, repr=False)
    masked: str | None = None
    read: dict[str, str] = field(default_factory=dict)  # for replay: the outcome, never a value


def first_step(ctx: TopicContext) -> CollectionStep:
    return _ask_consent(ctx, DataState(asked=1))


def open_step(ctx: TopicContext) -> CollectionStep:
    data = ctx.state.data
    return _field_step(ctx, data) if data.consent == "yes" else _ask_consent(ctx, data)


def next_step(ctx: TopicContext) -> CollectionStep:
    return _after_field(ctx) if ctx.state.data.consent == "yes" else _after_consent(ctx)


def _after_consent(ctx: TopicContext) -> CollectionStep:
    consent = _consent_by_rules(ctx)
    masked = scrub(ctx.answer) if ctx.answer else None
    return replace(_consent_step(ctx, consent), masked=masked, read={"consent": consent})


def _consent_by_rules(ctx: TopicContext) -> str:
    """Return yes, no or unclear; on replay the stored outcome, since the words are gone."""
    if "consent" in ctx.remembered:
        return str(ctx.remembered["consent"])
    return "no" if ctx.reading.intent in ("skip", "refuse") else read_consent(ctx.answer)


def _consent_step(ctx: TopicContext, consent: str) -> CollectionStep:
    data = ctx.state.data
    if consent == "yes":
        return _ask_field(ctx, data.but(consent="yes"))
    if consent == "no" or data.asked >= MAX_CONSENT_REQUESTS:
        return CollectionStep(data.but(consent="no", over=True))
    return _ask_consent(ctx, data.but(asked=data.asked + 1))


def _after_field(ctx: TopicContext) -> CollectionStep:
    data = ctx.state.data
    due = ctx.material.fields[data.field]
    reading = _read_field(ctx, due)
    outcome, value = reading.outcome, reading.value
    read = {"field": due.key, "outcome": outcome}
    masked = mask_answer(ctx.answer, reading, due.kind) if ctx.answer else None
    if outcome == "refused_all":
        return CollectionStep(data.but(over=True), masked=masked, read=read)
    if outcome in ("invalid", "unclear") and data.attempts < MAX_ATTEMPTS:
        again = data.but(attempts=data.attempts + 1, requests=data.requests + 1)
        return replace(_field_step(ctx, again, "field_again"), masked=masked, read=read)
    done = "given" if outcome == "valid" else "refused"
    moved = data.model_copy(update={done: (*getattr(data, done), due.key), "field": data.field + 1})
    values = {due.key: value} if value else {}
    return replace(_ask_field(ctx, moved), values=values, masked=masked, read=read)


def _read_field(ctx: TopicContext, due: FieldMaterial) -> FieldReading:
    """Read the answer; on replay only the stored outcome, since the words are gone."""
    if "outcome" in ctx.remembered:
        return FieldReading(ctx.remembered["outcome"])
    if ctx.received.trigger == "skip":
        return FieldReading("refused")
    return read_field(due.kind, ctx.answer, ctx.language)


def _ask_field(ctx: TopicContext, data: DataState) -> CollectionStep:
    fields = ctx.material.fields
    if data.field >= len(fields) or data.requests >= 2 * len(fields):
        return CollectionStep(data.but(over=True))
    return _field_step(ctx, data.but(attempts=1, requests=data.requests + 1))


def _field_step(ctx: TopicContext, data: DataState, wording: str = "field") -> CollectionStep:
    due = ctx.material.fields[data.field]
    text = fallback_texts.say(ctx.language, wording, data.field, label=due.label)
    return CollectionStep(data, text=text, question=due.key)


def _ask_consent(ctx: TopicContext, data: DataState) -> CollectionStep:
    options = ctx.material.options
    text = fallback_texts.say(
        ctx.language,
        "consent",
        data.asked - 1,
        fields=", ".join(field.label for field in ctx.material.fields),
        purpose=_as_sentence(options.data_purpose),
        kept=_as_sentence(options.data_kept),
    )
    return CollectionStep(data, EntryKind.CONSENT_REQUEST, " ".join(text.split()))


def _as_sentence(text: str) -> str:
    text = text.strip()
    if not text:
        return ""
    return f"{text[0].upper()}{text[1:]}{'' if text[-1] in '.!?…' else '.'} "


# -- in languages without fixed texts


def data_request(
    ctx: TopicContext, results: CallResults, step: CollectionStep
) -> WordedText | TaskCall:
    """Return the request as it is put, or the call that words it.

    Where there are fixed texts, they are used as they are: consent is no place for variety.
    """
    if has_texts(ctx.language, fallback_texts.FOLDER):
        return WordedText(step.text)
    outcome = results.get(REQUEST_KEY)
    if outcome is None:
        data = tasks.DataRequestInput(language=ctx.language, text=step.text)
        return TaskCall(REQUEST_KEY, tasks.DATA_REQUEST, data)
    text = guards.without_tag(outcome.value)
    why = _rejection(ctx, step, text)
    if not why:
        return WordedText(text, (REQUEST_KEY,))
    fired = (GuardFiring("data_collection", why, text),) if text else ()
    return WordedText(step.text, (), fired)


def _rejection(ctx: TopicContext, step: CollectionStep, text: str) -> str:
    if step.kind is EntryKind.DATA_REQUEST:
        due = next(one for one in ctx.material.fields if one.key == step.question)
        return guards.data_request(text, due.label)
    names_all = all(plain(one.label) in plain(text) for one in ctx.material.fields)
    return "" if names_all and asks(text) else "not the consent question"
