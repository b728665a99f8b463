"""Codes that a model suggests for an interview, each with a quote, until a person decides.

What is suggested was said: a quote that isn't found in an answer is dropped, and so is one that
only tells whoever reads it what to write.
"""

import asyncio
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

from django.db import transaction
from pydantic import BaseModel

from interviews.choices import SessionStatus
from interviews.models import Session
from llm.gateway import ask
from llm.routing.routes import NO_MODEL, has_model
from llm.tasks.outcome import Source
from llm.tasks.task import LanguageTag, Spoken
from plans.bots.budgets import wait_for_budget
from plans.jobs import ANEW, UNDER_WAY, Cancelled, JobFailed, JobType, PermanentFailure, celery_task
from reflections.coding.codebook import CodingRefused, add_excerpt, find_or_create, study_of, tidy
from reflections.evidence.background_task import background_task
from reflections.evidence.condensation import readable_transcript
from reflections.evidence.injection import rests_on_orders
from reflections.evidence.material import call_context_for, transcript_of
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Quote, StoredModel
from reflections.models import CodebookCode, CodeSuggestions, Excerpt

TASK = "reflections.tasks.suggest_codes"
MOST = 60  # suggestions


class SuggestInput(BaseModel):
    language: LanguageTag
    title: Spoken
    codes: list[Spoken]  # “name: description”
    most: int = MOST
    transcript: Spoken


class SuggestedCode(StoredModel):
    """A code, old or new, and the words that it is about."""

    code: str
    description: str = ""
    against: bool = False
    quote: Quote


class CodedTranscript(StoredModel):
    """Codes for an interview. Wanted, so that a reply of another form is none."""

    suggestions: tuple[SuggestedCode, ...]


SUGGEST = background_task(
    "coding.suggest",
    Path(__file__).parent / "prompts/suggest.md",
    SuggestInput,
    CodedTranscript,
    CodedTranscript(suggestions=()),
    8_000,
    seconds=120.0,
    temperature=0.2,
)


class SuggestedExcerpt(StoredModel):
    key: int
    code: str
    description: str = ""
    against: bool = False  # the quote contradicts the code
    position: int
    start: int
    end: int
    state: Literal["open", "refused"] = "open"

    @property
    def place(self) -> tuple[str, int, int, int]:
        return self.code.casefold(), self.position, self.start, self.end


class StoredSuggestions(StoredModel):
    suggestions: tuple[SuggestedExcerpt, ...] = ()
    unfounded: int = 0  # that the model wrote and nobody had said


def suggestions_in(row: CodeSuggestions | None) -> StoredSuggestions:
    return StoredSuggestions.model_validate(row.content if row else {})


def open_suggestions(row: CodeSuggestions | None) -> list[SuggestedExcerpt]:
    return [one for one in suggestions_in(row).suggestions if one.state == "open"]


@transaction.atomic
def request(session: Session, by: str) -> None:
    """Request suggestions, again if there were some. Raises CodingRefused without a model."""
    if not has_model():
        raise CodingRefused(NO_MODEL)
    row, new = CodeSuggestions.objects.get_or_create(session=session, defaults={"created_by": by})
    settled = CodeSuggestions.objects.filter(pk=row.pk).exclude(status__in=UNDER_WAY)
    if new or settled.update(**ANEW, created_by=by):
        transaction.on_commit(partial(enqueue, row.pk))


@transaction.atomic
def decide(session: Session, keys: Collection[int], user: Any, *, accept: bool) -> int:
    """Make excerpts of these suggestions, or refuse them; return how many. Raises CodingRefused."""
    row = CodeSuggestions.objects.select_for_update().filter(session=session).first()
    chosen = [one for one in open_suggestions(row) if one.key in keys]
    if row is None or not chosen:
        raise CodingRefused("Choose suggestions first.")
    if row.status in UNDER_WAY:
        raise CodingRefused("A model is making new suggestions. Decide once they are here.")
    if accept and session.bot:
        entries = {entry.position: entry for entry in session.entries.all()}
        for one in chosen:
            code = find_or_create(session.bot, one.code, user, one.description)
            by, entry = user.get_username(), entries[one.position]
            place = (one.start, one.end, by)
            add_excerpt(entry, code, *place, suggested=True, against=one.against)
    left = [one for one in suggestions_in(row).suggestions if one not in chosen]
    if not accept:  # they aren't suggested again
        left += [one.model_copy(update={"state": "refused"}) for one in chosen]
    content = suggestions_in(row).model_copy(update={"suggestions": tuple(left)})
    row.content = content.model_dump(mode="json")
    row.save(update_fields=["content"])
    return len(chosen)


def _make_content(row: CodeSuggestions) -> dict[str, Any]:
    session = row.session
    if session.status == SessionStatus.WITHDRAWN or session.bot is None:
        raise Cancelled
    wait_for_budget(session.bot)
    transcript = transcript_of(session)
    if not transcript.answers:
        raise PermanentFailure("Nothing was answered in this interview.")
    codes = CodebookCode.objects.filter(bot__in=study_of(session.bot))
    written = asyncio.run(_ask(session, transcript, [f"{c.name}: {c.description}" for c in codes]))
    refused = [one for one in suggestions_in(row).suggestions if one.state == "refused"]
    found = [*_verified(written, transcript)]
    coded = Excerpt.objects.filter(session=session).select_related("code", "entry")
    known = {(e.code.name.casefold(), e.entry.position, e.start, e.end) for e in coded}
    known |= {one.place for one in refused}
    new = {one.place: one for one in found if one.place not in known}
    first = max((one.key for one in refused), default=0) + 1
    numbered = [one.model_copy(update={"key": first + n}) for n, one in enumerate(new.values())]
    content = StoredSuggestions(
        suggestions=(*refused, *numbered), unfounded=len(written.suggestions) - len(found)
    )
    return {"content": content.model_dump(mode="json")}


async def _ask(session: Session, transcript: Transcript, codes: list[str]) -> CodedTranscript:
    context = call_context_for(session)
    reading = await readable_transcript(transcript, context)
    data = SuggestInput(
        language=transcript.language, title=transcript.title, codes=codes, transcript=reading.text
    )
    outcome = await ask(SUGGEST, data, context)
    if outcome.source is Source.FALLBACK:
        raise JobFailed(f"No model suggested codes: {outcome.reason}.")
    return outcome.value


def _verified(written: CodedTranscript, transcript: Transcript) -> Iterator[SuggestedExcerpt]:
    for one in written.suggestions[:MOST]:
        place = transcript.quotes.locate(one.quote.text, one.quote.position)
        name = tidy(one.code)
        if place is None or not name:
            continue
        position, start, end = place
        answer = transcript.answers[position]
        if not rests_on_orders(answer[start:end], answer):
            yield SuggestedExcerpt(
                key=0,
                code=name,
                description=one.description.strip(),
                against=one.against,
                position=position,
                start=start,
                end=end,
            )


_job_type = JobType(CodeSuggestions, _make_content, celery_task(TASK))
make = _job_type.run
sweep = _job_type.sweep
enqueue = _job_type.enqueue
