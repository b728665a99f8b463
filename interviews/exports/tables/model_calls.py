"""Calls to models, without prompts and replies: those stay in the log, which is kept apart."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import CHUNK
from llm.models import LLMCall
from llm.tasks.records import CallOutcome


class ModelCallRow(NamedTuple):
    session: ExportedSession
    turn: Annotated[int | None, "Number of the turn."]
    at: Annotated[datetime, "When the call was made."]
    task: Annotated[str, "What was asked for."]
    template_version: Annotated[str, "Version of the prompt."]
    tier: Annotated[
        str,
        "Which of the bot's two models.",
        {"main": "the one for what is said", "fast": "the quick one, for what is noted"},
    ]
    provider: Annotated[str, "Who runs the model."]
    model: Annotated[str, "The model's name at the provider."]
    attempt: Annotated[int, "Which try it was, from 1."]
    outcome: Annotated[str, "How the call ended.", dict(CallOutcome.choices)]
    error: Annotated[str, "What went wrong, if anything did."]
    input_tokens: Annotated[int | None, "Tokens read, those of the cache left out."]
    output_tokens: Annotated[int | None, "Tokens written."]
    cache_read_tokens: Annotated[int | None, "Tokens read from the provider's cache."]
    cache_write_tokens: Annotated[int | None, "Tokens written to the provider's cache."]
    cost: Annotated[
        Decimal | None,
        "Cost by the site's price table, in the table's currency; empty without a price.",
    ]
    first_token_ms: Annotated[int | None, "Milliseconds to the first token."]
    total_ms: Annotated[int | None, "Milliseconds in all."]


def rows(selection: Selection) -> Iterator[ModelCallRow]:
    fields = ("session", "turn", "created_at", *ModelCallRow._fields[3:])
    for batch in batches(selection.with_content()):
        sessions = {known.session_id: known for known in batch}
        calls = LLMCall.objects.filter(session__in=list(sessions)).values_list(*fields)
        ordered = calls.order_by("session", "created_at", "id")
        for session, *call in ordered.iterator(chunk_size=CHUNK):
            yield ModelCallRow(sessions[session], *call)


MODEL_CALLS = Table(
    "model_calls",
    "One row a call to a model on behalf of an interview: which, how long, how much. What was "
    "asked and answered is not in it.",
    columns_of(ModelCallRow),
    rows,
)
