"""Codes that a model suggests for an interview, each with a quote, until a person decides.

What is suggested was said: a quote that isn't found in an answer is dropped, and so is one that
only tells whoever reads it what to write.
"""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

from django.db import transaction
from pydantic import BaseModel

from interviews.choices import SessionStatus
from interviews.models import Session
from llm.routing.routes import NO_MODEL, has_model
from llm.tasks.task import LanguageTag, Spoken
from plans.bots.budgets import wait_for_budget
from plans.jobs import ANEW, UNDER_WAY, Cancelled, JobType, PermanentFailure, celery_task
from plans.models import Bot
from plans.models.experiment import study_of
from reflections.coding.codebook import CodingRefused, add_excerpt, find_or_create, lock, tidy
from reflections.evidence.background_task import ask_or_fail, background_task
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
    CodedTranscript(suggestions=()),
    8_000,
    seconds=120.0,
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
    last: int = 0  # key that was given; none is given again, for old pages may still send it
    names: dict[str, str] = {}  # of codes that were renamed or merged under way: before, and now

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return them with new names for codes, which are found in any case."""
        by = {before.casefold(): now for before, now in names.items()}
        new = (
            one.model_copy(update={"code": by.get(one.code.casefold(), one.code)})
            for one in self.suggestions
        )
        return self.model_copy(update={"suggestions": tuple(new)})


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
        _job_type.enqueue_on_commit(row.pk)


@transaction.atomic
def decide(session: Session, keys: Collection[int], user: Any, *, accept: bool) -> int:
    """Make excerpts of these suggestions, or refuse them; return how many. Raises CodingRefused."""
    if session.bot:
        lock(session.bot)  # before the row, as `rename` does
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


@transaction.atomic
def rename(bot: Bot, before: str, now: str) -> None:
    """Have what is suggested in the bot's study, or was refused, follow a code's new name."""
    rows = CodeSuggestions.objects.filter(session__bot__in=study_of(bot)).order_by("pk")
    for row in rows.select_for_update(of=("self",)).iterator() if before != now else ():
        stored = suggestions_in(row)
        renamed = stored.renamed({before: now})
        if row.status in UNDER_WAY:  # a model that reads now may suggest the name before
            names = {was: now if name == before else name for was, name in stored.names.items()}
            renamed = renamed.model_copy(update={"names": {**names, before: now}})
        if renamed != stored:
            row.content = renamed.model_dump(mode="json")
            row.save(update_fields=["content"])


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
    stored = suggestions_in(CodeSuggestions.objects.filter(pk=row.pk).first())
    earlier = suggestions_in(row).names
    changed = {was: now for was, now in stored.names.items() if earlier.get(was) != now}
    refused = [one for one in stored.suggestions if one.state == "refused"]
    verified = StoredSuggestions(suggestions=(*_verified(written, transcript),))
    found = verified.renamed(changed).suggestions
    coded = Excerpt.objects.filter(session=session).select_related("code", "entry")
    known = {(e.code.name.casefold(), e.entry.position, e.start, e.end) for e in coded}
    known |= {one.place for one in refused}
    new = {one.place: one for one in found if one.place not in known}
    last = max((stored.last, *(one.key for one in stored.suggestions)))
    numbered = [
        one.model_copy(update={"key": key}) for key, one in enumerate(new.values(), last + 1)
    ]
    content = StoredSuggestions(
        suggestions=(*refused, *numbered),
        unfounded=len(written.suggestions[:MOST]) - len(found),
        last=last + len(numbered),
    )
    return {"content": content.model_dump(mode="json")}


async def _ask(session: Session, transcript: Transcript, codes: list[str]) -> CodedTranscript:
    context = call_context_for(session)
    reading = await readable_transcript(transcript, context)
    data = SuggestInput(
        language=transcript.language, title=transcript.title, codes=codes, transcript=reading.text
    )
    return (await ask_or_fail(SUGGEST, data, context, "suggested codes")).value


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
make, sweep = _job_type.run, _job_type.sweep
