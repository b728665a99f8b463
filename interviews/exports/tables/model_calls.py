"""One row a call to a model, without its words: those stay in the log, which is kept apart."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.exports.utterances import CHUNK
from llm.models import LLMCall
from llm.records import CallOutcome

WORDS = ("request", "response")


class Called(NamedTuple):
    """One call with its session."""

    session: Facts
    call: LLMCall


def rows(chosen: Selection) -> Iterator[Called]:
    """The calls of the chosen interviews; of some interviews at a time, by interview and time."""
    for batch in batches(chosen.with_content()):
        facts = {known.session_id: known for known in batch}
        calls = LLMCall.objects.filter(session__in=list(facts)).defer(*WORDS)
        for call in calls.order_by("session", "created_at", "id").iterator(chunk_size=CHUNK):
            yield Called(facts[call.session], call)


def _call(name: str) -> Callable[[Called], Any]:
    return attrgetter(f"call.{name}")


MODEL_CALLS: Table[Called] = Table(
    "model_calls",
    "One row a call to a model on behalf of an interview: which, how long, how much. What was "
    "asked and answered is not in it.",
    (
        *session_columns(),
        Column("turn", Type.INTEGER, "Number of the turn.", _call("turn")),
        Column("at", Type.DATETIME, "When the call was made.", _call("created_at")),
        Column("task", Type.STRING, "What was asked for.", _call("task")),
        Column(
            "template_version", Type.STRING, "Version of the prompt.", _call("template_version")
        ),
        Column(
            "tier",
            Type.STRING,
            "Which of the bot's two models.",
            _call("tier"),
            {"main": "the one for what is said", "fast": "the quick one, for what is noted"},
        ),
        Column("provider", Type.STRING, "Who runs the model.", _call("provider")),
        Column("model", Type.STRING, "The model's name at the provider.", _call("model")),
        Column("attempt", Type.INTEGER, "Which try it was, from 1.", _call("attempt")),
        Column(
            "outcome",
            Type.STRING,
            "How the call ended.",
            _call("outcome"),
            {str(outcome.value): str(outcome.label) for outcome in CallOutcome},
        ),
        Column("error", Type.STRING, "What went wrong, if anything did.", _call("error")),
        Column(
            "input_tokens",
            Type.INTEGER,
            "Tokens read, those of the cache left out.",
            _call("input_tokens"),
        ),
        Column("output_tokens", Type.INTEGER, "Tokens written.", _call("output_tokens")),
        Column(
            "cache_read_tokens",
            Type.INTEGER,
            "Tokens read from the provider's cache.",
            _call("cache_read_tokens"),
        ),
        Column(
            "cache_write_tokens",
            Type.INTEGER,
            "Tokens written to the provider's cache.",
            _call("cache_write_tokens"),
        ),
        Column(
            "cost",
            Type.NUMBER,
            "Cost by the site's price table, in the table's currency; empty without a price.",
            _call("cost"),
        ),
        Column(
            "first_token_ms",
            Type.INTEGER,
            "Milliseconds to the first token.",
            _call("first_token_ms"),
        ),
        Column("total_ms", Type.INTEGER, "Milliseconds in all.", _call("total_ms")),
    ),
    rows,
    shared=SHARED,
)
