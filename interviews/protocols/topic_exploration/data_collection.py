"""Data collection: consent first, then one field at a time, each refusable, the whole bounded.

Values never stand in the state, in a prompt or in the trace: they go to `TurnResult.collected`. The
answer to the consent is confidential too, since people give their address along with the yes.
"""

from dataclasses import dataclass, field, replace

from interviews.choices import EntryKind
from interviews.engine.contact_data.fields import (
    FieldReading,
    read_consent,
    read_field,
    scrub,
    shown,
)
from interviews.engine.types import CallResults, TaskCall
from interviews.protocols.topic_exploration import fallback_texts, tasks
from interviews.protocols.topic_exploration.context import Here, last_said
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


def begun(now: Here) -> CollectionStep:
    return _ask_consent(now, DataState(asked=1))


def still_open(now: Here) -> CollectionStep:
    """The request that stands, put again after an interruption."""
    data = now.state.data
    if data.consent != "yes":
        return _ask_consent(now, data)
    due = now.material.fields[data.field]
    text = fallback_texts.say(now.language, "field", data.field, label=due.label)
    return CollectionStep(data, EntryKind.DATA_REQUEST, text, due.key)


def collected(now: Here, readings: CallResults) -> CollectionStep | TaskCall:
    """What the answer brings, or the one thing that the fast model must be asked."""
    if now.state.data.consent != "yes":
        return _consent(now, readings)
    return _field(now)


def _consent(now: Here, readings: CallResults) -> CollectionStep | TaskCall:
    by_rules = _consent_by_rules(now)
    said = by_rules
    if said == "unclear":
        reading = readings.get(CONSENT_KEY)
        if reading is None:
            about = tasks.TopicIntentInput(question=last_said(now), said=scrub(now.answer))
            return TaskCall(CONSENT_KEY, tasks.CONSENT, about)
        said = reading.value.reading
    masked = scrub(now.answer) if now.answer else None
    return replace(_consented(now, said), masked=masked, read={"consent": by_rules})


def _consent_by_rules(now: Here) -> str:
    """As read now; on replay as it was read then, since the words are gone."""
    if now.remembered:
        return str(now.remembered["consent"])
    return "no" if now.received.trigger == "skip" else read_consent(now.answer)


def _consented(now: Here, said: str) -> CollectionStep:
    """What follows from a yes, a no, or neither."""
    data = now.state.data
    if said == "yes":
        return _ask_field(now, data.model_copy(update={"consent": "yes"}))
    if said == "no" or data.asked >= MOST_CONSENTS:
        return CollectionStep(data.model_copy(update={"consent": "no", "over": True}))
    return _ask_consent(now, data.model_copy(update={"asked": data.asked + 1}))


def _field(now: Here) -> CollectionStep:
    """The answer to the field that is due."""
    data = now.state.data
    due = now.material.fields[data.field]
    reading = _read(now, due)
    outcome, value = reading.outcome, reading.value
    read = {"field": due.key, "outcome": outcome}
    masked = shown(now.answer, reading, due.kind) if now.answer else None
    if outcome == "refused_all":
        return CollectionStep(data.model_copy(update={"over": True}), masked=masked, read=read)
    if outcome in ("invalid", "unclear") and data.attempts < MOST_ATTEMPTS:
        again = data.model_copy(
            update={"attempts": data.attempts + 1, "requests": data.requests + 1}
        )
        text = fallback_texts.say(now.language, "field_again", label=due.label)
        return CollectionStep(again, EntryKind.DATA_REQUEST, text, due.key, {}, masked, read)
    done = "given" if outcome == "valid" else "refused"
    moved = data.model_copy(update={done: (*getattr(data, done), due.key), "field": data.field + 1})
    asked = _ask_field(now, moved)
    values = {due.key: value} if value else {}
    return CollectionStep(asked.data, asked.kind, asked.text, asked.question, values, masked, read)


def _read(now: Here, due: FieldMaterial) -> FieldReading:
    """What was read; on replay only the outcome of then, since the words are gone."""
    if now.remembered:
        return FieldReading(now.remembered["outcome"])
    if now.received.trigger == "skip":
        return FieldReading("refused")
    return read_field(due.kind, now.answer, now.language)


def _ask_field(now: Here, data: DataState) -> CollectionStep:
    """The next field, if there is one and the bound on requests allows it."""
    fields = now.material.fields
    if data.field >= len(fields) or data.requests >= 2 * len(fields):
        return CollectionStep(data.model_copy(update={"over": True}))
    due = fields[data.field]
    asked = data.model_copy(update={"attempts": 1, "requests": data.requests + 1})
    text = fallback_texts.say(now.language, "field", data.field, label=due.label)
    return CollectionStep(asked, EntryKind.DATA_REQUEST, text, due.key)


def _ask_consent(now: Here, data: DataState) -> CollectionStep:
    options = now.material.options
    every = fallback_texts.every(now.language, "consent")
    text = every[min(data.asked, len(every)) - 1]
    words = {
        "fields": ", ".join(one.label for one in now.material.fields),
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
