"""The codebook and the coded excerpts, as tables and for QDA software."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, NamedTuple

from django.db.models import Count

from interviews.exports.columns import Table, columns_of
from interviews.exports.refi_qda.codes import (
    CodableInterview,
    CodeDefinition,
    Coding,
    register_codes,
)
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Turn
from reflections.coding.codebook import Codes, in_levels, path_of, selected_codes, with_those_above
from reflections.models import CodebookCode, Excerpt

BETWEEN = " > "  # levels of a path
AGAINST = "Speaks against the code."  # in projects, which know of no such codings
DONE = {"entry__turn__status": Turn.Status.DONE}


class CodeRow(NamedTuple):
    bot: Annotated[str, "Address (slug) of the bot in whose codebook the code is."]
    code_id: Annotated[int, "Number of the code, the same in all exports."]
    code: Annotated[str, "Its name."]
    parent_id: Annotated[int | None, "Number of the code that it stands below; empty at the top."]
    path: Annotated[str, "The names from the top down, with “ > ” between."]
    description: Annotated[str, "What belongs under it."]
    created_by: Annotated[str, "User name of who made it, or accepted it from a model."]
    created_at: Annotated[datetime, "When it was made."]
    excerpts: Annotated[int, "Excerpts under it in the exported interviews."]
    interviews: Annotated[int, "Exported interviews that have such an excerpt."]


def code_rows(selection: Selection) -> Iterator[CodeRow]:
    selection = replace(selection, changed_since=None)  # counts of changes can't be added up
    codes = selected_codes(selection)
    sessions = selection.with_content().order_by()
    coded = Excerpt.objects.filter(session__in=sessions, **DONE).order_by().values("code")
    counted = coded.annotate(Count("pk"), Count("session", distinct=True)).values_list(
        "code", "pk__count", "session__count"
    )
    counts = {code: both for code, *both in counted}
    for _, code in in_levels(codes):
        yield CodeRow(
            code.bot.slug,
            code.pk,
            code.name,
            code.parent_id,
            BETWEEN.join(one.name for one in path_of(code, codes)),
            code.description,
            code.created_by,
            code.created_at,
            *counts.get(code.pk, (0, 0)),
        )


class ExcerptRow(NamedTuple):
    session: ExportedSession
    position: Annotated[int, "Place in the transcript of the utterance."]
    start: Annotated[int, "Where the excerpt begins in it, in characters (code points) from 0."]
    end: Annotated[int, "Where it ends: the first character that no longer belongs to it."]
    excerpt: Annotated[str, "The words, as said."]
    code_id: Annotated[int, "Number of the code."]
    code: Annotated[str, "Name of the code."]
    path: Annotated[str, "Names of the codes from the top down, with “ > ” between."]
    memo: Annotated[str, "What the coder noted about it."]
    suggested: Annotated[bool, "A model suggested it, and a person accepted it."]
    coded_by: Annotated[str, "User name of who coded or accepted it."]
    coded_at: Annotated[datetime, "When that was."]
    against: Annotated[bool, "It contradicts the code, instead of supporting it."]


FIELDS = (
    *("session_id", "entry__position", "start", "end", "entry__text", "code_id", "memo"),
    *("suggested", "created_by", "created_at", "against"),
)


def excerpt_rows(selection: Selection) -> Iterator[ExcerptRow]:
    codes = selected_codes(selection)
    for batch in batches(selection.with_content()):
        rows = Excerpt.objects.filter(session__in=keys(batch), **DONE)
        ordered = rows.order_by(*IN_ORDER, "entry__position", "start", "-end", "id")
        stored = ordered.values_list(*FIELDS).iterator(chunk_size=CHUNK)
        for session, excerpts in by_session(batch, stored):
            for _, position, start, end, text, key, memo, *made in excerpts:
                path = [one.name for one in path_of(codes[key], codes)]
                place = (position, start, end, text[start:end])
                named = (key, path[-1], BETWEEN.join(path), memo)
                yield ExcerptRow._make((session, *place, *named, *made))


CODES = Table(
    "codes",
    "One row a code of the codebooks of the exported interviews' bots, used or not.",
    columns_of(CodeRow),
    code_rows,
)
EXCERPTS = Table(
    "excerpts",
    "One row a passage of an interview under a code, with its words.",
    columns_of(ExcerptRow),
    excerpt_rows,
)


# -- for QDA software


def codebook(selection: Selection) -> Iterator[CodeDefinition]:
    return iter(_definitions(selected_codes(selection)).values())


def excerpts(interviews: Sequence[CodableInterview]) -> Iterator[Coding]:
    sessions = tuple(one.key for one in interviews)
    rows = Excerpt.objects.filter(session__in=sessions).select_related("entry")
    used = CodebookCode.objects.filter(excerpts__session__in=sessions).distinct()
    definitions = _definitions(with_those_above(used))
    for row in rows.order_by("id"):
        yield Coding(
            row.session_id,
            row.entry.position,
            definitions[row.code_id],
            row.start,
            row.end,
            f"{AGAINST}\n{row.memo}".strip() if row.against else row.memo,
            row.created_by,
            row.created_at,
        )


def _definitions(codes: Codes) -> dict[int, CodeDefinition]:
    found: dict[int, CodeDefinition] = {}
    for _, code in in_levels(codes):  # a code comes after those above it
        above = found.get(code.parent_id or 0)
        found[code.pk] = CodeDefinition(f"code:{code.pk}", code.name, code.description, above)
    return found


register_codes(excerpts, codebook)
