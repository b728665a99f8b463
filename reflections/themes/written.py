"""The report on a study's findings: a model writes statements on themes, code checks each.

What is cited is a number of an excerpt that people have coded, so that no quote can be invented.
A statement is left out if none of its excerpts exists, if it holds a figure or quotes what they
don't say, or if a model that sees the excerpts alone denies it. Who stands behind a statement is
counted from what it cites.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction

from interviews.engine.language.statements import one_line
from interviews.exports.selection import Selection
from llm.routing.routes import NO_MODEL, has_model
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from plans.bots.budgets import study_calls, wait_for_budget
from plans.bots.teams import visible
from plans.jobs import ANEW, UNDER_WAY, JobFailed, JobType, PermanentFailure, celery_task
from plans.models import Bot
from plans.models.experiment import study_of
from reflections.coding.codebook import CodingRefused
from reflections.evidence.background_task import ask_or_fail, background_task
from reflections.evidence.checks import check_statements, left_out_finding
from reflections.evidence.support import check_sections
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import (
    MADE_BY,
    Finding,
    Quote,
    Section,
    Statement,
    StoredModel,
    finding,
)
from reflections.models import Excerpt, Judgement, ReportSource, StudyReport
from reflections.reviews import review_of
from reflections.themes.erasure import forget
from reflections.themes.findings import findings, main_language, study_selection
from reflections.themes.material import (
    MOST,
    ThemeMaterial,
    WriteInput,
    report_excerpts,
    theme_materials,
)
from reflections.themes.report_content import ReportContent, ReportSection, ReportStatement

TASK = "reflections.tasks.write_report"
Verified = tuple[ReportSection, list[Finding], Source]
FIGURE = "has a figure in it, and figures are counted by a program"
MISQUOTED = "quotes words that none of its excerpts holds"
OUR_WORDS = re.compile(r"“([^“”]+)”|„([^„“]+)“|\"([^\"]+)\"|«([^«»]+)»|「([^「」]+)」")


class WrittenStatement(StoredModel):
    """One thing that excerpts say, with the numbers of those for and against it."""

    text: str
    supporting: tuple[int, ...]
    opposing: tuple[int, ...] = ()


class WrittenTheme(StoredModel):
    """Statements on a theme. Wanted, so that a reply of another form is none."""

    statements: tuple[WrittenStatement, ...]


WRITE = background_task(
    "findings.write",
    Path(__file__).parent / "prompts/write.md",
    WriteInput,
    WrittenTheme(statements=()),
    4_000,
    seconds=120.0,
)


# -- requests


def report_of(bot: Bot, user: Any) -> StudyReport | None:
    """Return the report on the bot's study, if the user may see all that it is written from.

    Raises CodingRefused if there is one that they may not.
    """
    row = StudyReport.objects.filter(bot__in=study_of(bot)).select_related("bot").first()
    if row is None:
        return None
    sources = row.sources.all()
    own = visible(sources, user) if user else sources
    if own.count() != sources.count():
        raise CodingRefused("There is a report on interviews that you may not see.")
    return row


@transaction.atomic
def request(bot: Bot, user: Any) -> None:
    """Request a report, again if there is one. Raises CodingRefused."""
    if not has_model():
        raise CodingRefused(NO_MODEL)
    told = study_selection(bot, user).with_content().order_by()
    coded = Excerpt.objects.filter(session__in=told).order_by()
    sessions = {*coded.values_list("session", flat=True)}
    if not sessions:
        raise CodingRefused("Code passages first. The report is written from them.")
    by, row = user.get_username(), report_of(bot, user)
    row = row or StudyReport.objects.get_or_create(bot=bot, defaults={"created_by": by})[0]
    row = StudyReport.objects.select_for_update().get(pk=row.pk)
    if review_of(row).state != Judgement.State.DRAFT:
        raise CodingRefused("It has been reviewed. Reopen it before you regenerate it.")
    if row.status in UNDER_WAY and row.sources.exists():
        return
    StudyReport.objects.filter(pk=row.pk).update(**ANEW, created_by=by)
    row.sources.exclude(session__in=sessions).delete()
    sources = [ReportSource(report=row, session_id=session) for session in sessions]
    ReportSource.objects.bulk_create(sources, ignore_conflicts=True)
    _job_type.enqueue_on_commit(row.pk)


# -- the job


def _make_content(row: StudyReport) -> dict[str, Any]:
    wait_for_budget(row.bot)
    sessions = tuple(row.sources.values_list("session", flat=True))
    chosen = Selection(sessions=sessions)  # of no session, it would choose all there are
    materials = [*theme_materials(findings(chosen), main_language(chosen))] if sessions else []
    if not materials:
        raise PermanentFailure("No passages are coded in these interviews.")
    with study_calls(row.bot) as context:
        verified = asyncio.run(_write_all(materials, context))
    sections = tuple(section for section, _, _ in verified if section.statements)
    if not sections:
        raise JobFailed("Nothing that the model wrote rests on the coded passages.")
    stand_in = any(source is Source.FALLBACK_MODEL for _, _, source in verified)
    content = ReportContent(
        sections=sections,
        language=materials[0].data.language,
        made_by=MADE_BY[Source.FALLBACK_MODEL if stand_in else Source.MODEL],
        findings=tuple(one for _, found, _ in verified for one in found),
        excerpts=tuple(one for material in materials for one in report_excerpts(material)),
    )
    return {"content": content.model_dump(mode="json")}


async def _write_all(materials: Sequence[ThemeMaterial], context: CallContext) -> list[Verified]:
    return await asyncio.gather(*(_write(one, context) for one in materials))


async def _write(material: ThemeMaterial, context: CallContext) -> Verified:
    outcome = await ask_or_fail(WRITE, material.data, context, "wrote on the themes")
    cited, found = _cited(outcome.value.statements, material)
    plain = [Statement(text=text, quotes=one.quotes) for text, one in cited.items()]
    verified, unverified = check_statements(plain, material.transcript, WRITE.template)
    section = Section(title=material.data.theme, statements=verified[:MOST])
    sections, unsupported = await check_sections([section], material.transcript, context)
    kept = [one for part in sections for one in part.statements]
    misread = await _misread(kept, cited, material.transcript, context)
    statements = []
    for one in kept:
        against = () if one.text in misread else cited[one.text].against
        quotes = _quotes((*(quote.position for quote in one.quotes), *against), material)
        statements.append(
            ReportStatement(text=one.text, quotes=quotes, support=one.support, against=against)
        )
    found += [*unverified, *unsupported, *_gaps(material, statements)]
    if more := verified[MOST:]:
        text = f"Statements beyond {MOST} on “{section.title}” were left out: {len(more)}."
        found.append(finding("too_many", text, before="\n".join(one.text for one in more)))
    for text in misread:
        said = "What was named as speaking against a statement says the same: "
        found.append(finding("misread", f"{said}“{text}”", before=text))
    section = ReportSection(title=section.title, statements=tuple(statements))
    return section, found, outcome.source


def _cited(
    written: Sequence[WrittenStatement], material: ThemeMaterial
) -> tuple[dict[str, ReportStatement], list[Finding]]:
    """Return the statements by their text, with the excerpts for them as quotes, and findings."""
    cited, found = dict[str, ReportStatement](), list[Finding]()
    for one in written:
        text = one_line(one.text)
        backing = [n for n in dict.fromkeys(one.supporting) if n in material.excerpts]
        against = [n for n in dict.fromkeys(one.opposing) if n in material.excerpts]
        against = [number for number in against if number not in backing]
        if unknown := {*one.supporting, *one.opposing} - material.excerpts.keys():
            numbers = ", ".join(map(str, sorted(unknown)))
            said = (
                f"Numbers that no excerpt of “{material.data.theme}” has were dropped: {numbers}."
            )
            found.append(finding("invented_quote", said))
        if any(sign.isdigit() for sign in text):
            found.append(left_out_finding(text, FIGURE))
        elif not _quotes_truly(text, [material.excerpts[n].text for n in (*backing, *against)]):
            found.append(left_out_finding(text, MISQUOTED))
        elif text:
            quotes = _quotes(backing, material)
            cited[text] = ReportStatement(text=text, quotes=quotes, against=tuple(against))
    return cited, found


def _quotes(numbers: Sequence[int], material: ThemeMaterial) -> tuple[Quote, ...]:
    return tuple(Quote(position=n, text=material.excerpts[n].text) for n in numbers)


def _quotes_truly(text: str, excerpts: Sequence[str]) -> bool:
    said = [" ".join(one.split()).casefold() for one in excerpts]
    quoted = (next(filter(None, one)).strip(" .,;…").casefold() for one in OUR_WORDS.findall(text))
    return all(any(words in one for one in said) for words in quoted)


async def _misread(
    kept: Sequence[Statement],
    cited: Mapping[str, ReportStatement],
    transcript: Transcript,
    context: CallContext,
) -> list[str]:
    """Return the statements of which what is named as opposing says the same."""
    against = {one.text: cited[one.text].against for one in kept if cited[one.text].against}
    turned = tuple(
        Statement(
            text=text, quotes=tuple(Quote(position=n, text=transcript.answers[n]) for n in numbers)
        )
        for text, numbers in against.items()
    )
    same, _ = await check_sections([Section(statements=turned)], transcript, context)
    return [one.text for part in same for one in part.statements if one.support == "supported"]


def _gaps(material: ThemeMaterial, statements: Sequence[ReportStatement]) -> Iterator[Finding]:
    """Yield what no statement takes up."""
    opposing = {number for number, one in material.excerpts.items() if one.against}
    taken = {quote.position for one in statements for quote in one.quotes}
    theme = material.data.theme
    if opposing and not opposing & taken:
        said = f"No statement takes up what speaks against “{theme}”: {len(opposing)} excerpts."
        yield finding("unheard", said)
    if not statements:
        yield finding("no_statement", f"No statement on “{theme}” stands.")
    if material.unread:
        yield finding("unread", f"Excerpts of “{theme}” that weren’t read: {material.unread}.")


def _forget_deleted(row: StudyReport) -> None:
    """Take out interviews that were deleted while the report was written."""
    content = ReportContent.model_validate(row.content)
    there = {*row.sources.values_list("session", flat=True)}
    if gone := {one.session for one in content.excerpts} - there:
        forget(row.pk, gone)


_job_type = JobType(StudyReport, _make_content, celery_task(TASK), after=_forget_deleted)
make, sweep = _job_type.run, _job_type.sweep
