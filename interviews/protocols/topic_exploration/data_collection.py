"""Data collection: consent first, then one field at a time, each of which can be refused.

What an answer says of other fields counts at once ("E-mail yes, name no"): none that was given or
refused is asked for.

Values never enter the state, a prompt or the trace: they go to `TurnResult.collected`. The reply to
the consent request is confidential too, since people give their address along with the yes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interviews.choices import EntryKind
from interviews.engine.contact_data.choices import FieldChoices, labelled, read_choices, values_in
from interviews.engine.contact_data.fields import (
    FieldReading,
    mask_answer,
    read_consent,
    read_field,
)
from interviews.engine.contact_data.masking import mask, scrub
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
    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    masked: str | None = None
    read: Mapping[str, Any] = field(default_factory=dict)  # for replay: what was read, no value


def first_step(ctx: TopicContext) -> CollectionStep:
    return _ask_consent(ctx, DataState(asked=1))


def open_step(ctx: TopicContext) -> CollectionStep:
    data = ctx.state.data
    return _field_step(ctx, data) if data.consent == "yes" else _ask_consent(ctx, data)


def next_step(ctx: TopicContext) -> CollectionStep:
    return _after_field(ctx) if ctx.state.data.consent == "yes" else _after_consent(ctx)


def outcome(ctx: TopicContext, data: DataState) -> str:
    """Return the sentence that says which data are stored and which aren't."""
    given, left = (
        ", ".join(one.label for one in ctx.material.fields if (one.key in data.given) is kept)
        for kept in (True, False)
    )
    key = "data_kept" if given else "data_not_kept"
    return fallback_texts.say(
        ctx.language, "data_in_part" if given and left else key, given=given, left=left
    )


def _left(ctx: TopicContext, data: DataState) -> tuple[FieldMaterial, ...]:
    """Return the fields that are neither given nor refused."""
    return tuple(one for one in ctx.material.fields if one.key not in data.given + data.refused)


def _settled(ctx: TopicContext, data: DataState, read: Mapping[str, Any]) -> DataState:
    """Return the data with the fields that an answer gave or refused, in the plan's order."""
    keys = [one.key for one in _left(ctx, data)]
    given = tuple(key for key in keys if key in read.get("given", ()))
    refused = tuple(key for key in keys if key in read.get("refused", ()) and key not in given)
    return data.but(given=data.given + given, refused=data.refused + refused)


def _values(ctx: TopicContext, fields: Sequence[FieldMaterial]) -> Mapping[str, str]:
    """Return what an answer gives for these fields without being asked."""
    named = labelled(ctx.answer, fields, ctx.language)
    read = (
        (one.key, read_field(one.kind, named[one.key], ctx.language).value)
        for one in fields
        if one.key in named
    )
    return {**{key: value for key, value in read if value}, **values_in(ctx.answer, fields)}


def _without(ctx: TopicContext, values: Mapping[str, str], masked: str) -> str:
    """Return a masked answer without these values."""
    for one in ctx.material.fields:
        if one.key in values:
            masked = mask(masked, values[one.key], one.kind)
    return masked


# -- consent


def _after_consent(ctx: TopicContext) -> CollectionStep:
    read, values = _read_consent(ctx)
    masked = _without(ctx, values, scrub(ctx.answer)) if ctx.answer else None
    step = _consent_step(ctx, read["consent"], _settled(ctx, ctx.state.data, read))
    return replace(step, values=values, masked=masked, read=read)


def _read_consent(ctx: TopicContext) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """Return what was agreed to and the values; on replay no value, since the words are gone.

    Who gives an address agrees that it is stored.
    """
    if "consent" in ctx.remembered:
        return ctx.remembered, {}
    left = _left(ctx, ctx.state.data)
    choices = read_choices(ctx.answer, left, ctx.language)
    values = _values(ctx, [one for one in left if one.key not in choices.refused])
    consent = read_consent(ctx.answer, choices, bool(values))
    if ctx.reading.intent in ("skip", "refuse") and not (choices.agreed or choices.refused):
        consent = "no"
    values = values if consent == "yes" else {}
    return {"consent": consent, "given": [*values], "refused": sorted(choices.refused)}, values


def _consent_step(ctx: TopicContext, consent: str, data: DataState) -> CollectionStep:
    if consent == "yes":
        return _ask_field(ctx, data.but(consent="yes"))
    if consent == "no" or data.asked >= MAX_CONSENT_REQUESTS or not _left(ctx, data):
        return CollectionStep(data.but(consent="no", over=True))
    return _ask_consent(ctx, data.but(asked=data.asked + 1))


# -- fields


def _after_field(ctx: TopicContext) -> CollectionStep:
    due = ctx.material.fields[ctx.state.data.field]
    read, reading, values = _read_field(ctx, due)
    masked = mask_answer(ctx.answer, reading, due.kind) if ctx.answer else None
    masked = _without(ctx, values, masked) if masked else masked
    step = _step_after_field(ctx, due.key, read)
    return replace(step, values=values, masked=masked, read=read)


def _step_after_field(ctx: TopicContext, key: str, read: Mapping[str, Any]) -> CollectionStep:
    data, result = _settled(ctx, ctx.state.data, read), read["outcome"]
    if result == "refused_all":
        return CollectionStep(data.but(over=True))
    if result in ("invalid", "unclear") and data.attempts < MAX_ATTEMPTS:
        again = data.but(attempts=data.attempts + 1, requests=data.requests + 1)
        only_of_others = data.given + data.refused != ctx.state.data.given + ctx.state.data.refused
        return _field_step(ctx, again, "field" if only_of_others else "field_again")
    done = {"given" if result == "valid" else "refused": [key]}
    return _ask_field(ctx, _settled(ctx, data, done))


def _read_field(
    ctx: TopicContext, due: FieldMaterial
) -> tuple[Mapping[str, Any], FieldReading, Mapping[str, str]]:
    """Read the answer; on replay only the stored outcome, since the words are gone.

    Values are those of the field that is due, and addresses and numbers for others.
    """
    if "outcome" in ctx.remembered:
        return ctx.remembered, FieldReading(ctx.remembered["outcome"]), {}
    left = _left(ctx, ctx.state.data)
    choices = read_choices(ctx.answer, left, ctx.language, due.key)
    reading = _reading_of(ctx, due, choices)
    refused = choices.refused - {due.key}
    others = [one for one in left if one.key not in (due.key, *refused)]
    values = _values(ctx, others)
    read = {
        "field": due.key,
        "outcome": reading.outcome,
        "given": [*values],
        "refused": sorted(refused),
    }
    return read, reading, {**values, **({due.key: reading.value} if reading.value else {})}


def _reading_of(ctx: TopicContext, due: FieldMaterial, choices: FieldChoices) -> FieldReading:
    if ctx.received.trigger == "skip":
        return FieldReading("refused", reason="wish")
    spoken_of = due.key in choices.agreed | choices.refused or bool(choices.rest.strip())
    reading = read_field(due.kind, choices.rest, ctx.language)
    if due.key in choices.refused and reading.outcome != "valid":
        return FieldReading("refused", reason="wish")
    return reading if spoken_of else FieldReading("unclear", reason="others")


def _ask_field(ctx: TopicContext, data: DataState) -> CollectionStep:
    fields, left = ctx.material.fields, _left(ctx, data)
    if not left or data.requests >= 2 * len(fields):
        return CollectionStep(data.but(over=True))
    due = data.but(field=fields.index(left[0]), attempts=1, requests=data.requests + 1)
    return _field_step(ctx, due)


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
        fields=", ".join(field.label for field in _left(ctx, data)),
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
    names_all = all(plain(one.label) in plain(text) for one in _left(ctx, step.data))
    return "" if names_all and asks(text) else "not the consent question"
