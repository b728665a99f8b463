"""Findings as a report to print: every number is counted, every quote stands in an answer."""

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

from django.template.defaultfilters import pluralize

from interviews.exports.methods import methods_facts, paragraph
from interviews.exports.selection import Selection
from plans.models import Bot
from plans.text.markdown import as_words
from reflections.themes.findings import Findings, Theme, ThemeQuote, spread
from reflections.themes.report_content import CitedStatement, ReviewedReport

QUOTES = 6  # of a theme or a statement, for it and against it each
Link = Callable[[ThemeQuote], str]


def as_markdown(
    bot: Bot,
    found: Findings,
    selection: Selection,
    link: Link | None = None,
    written: ReviewedReport | None = None,
) -> str:
    """Return the report; `link` leads from a quote to its transcript."""
    lines = [f"# {as_words(bot.title)}: findings", "", paragraph(methods_facts(selection)), ""]
    lines += _basis(found, written)
    if found.themes:
        lines += ["", "## Themes", "", *_overview(found)]
    for theme in found.themes:
        lines += _theme(theme, found, link, written)
    known = {theme.code.pk for theme in found.themes}
    for told in written.statements if written else ():  # whose theme has been deleted or merged
        if told.code not in known:
            lines += ["", f"### {as_words(told.theme)}", "", *_statement(told, link)]
    lines += ["", "## Words by question", ""]
    lines += ["Words that most participants used in answering, common words left out.", ""]
    for one in found.questions:
        words = ", ".join(f"{as_words(word)} {count}" for word, count in one.words)
        lines += [f"### {as_words(one.question)}", "", f"{one.people} answered. {words}", ""]
    return "\n".join(lines)


def _basis(found: Findings, written: ReviewedReport | None) -> Iterator[str]:
    missing = f" {found.damaged} can’t be found in their answers and are left out."
    yield (
        f"Of {len(found.people)} participant{pluralize(len(found.people))}, {len(found.coded)} "
        f"{pluralize(len(found.coded), 'has,have')} passages coded by people, or accepted by them "
        f"from a model. Quotes are cut out of the stored answers, word for word; there "
        f"{pluralize(found.quotes, 'is,are')} {found.quotes}.{missing if found.damaged else ''}"
    )
    if written:
        yield from ("", written.basis)


def sentence(theme: Theme, found: Findings) -> str:
    """Return in words how many participants support a theme, and how many don't."""
    backing, both, against = theme.counts(found.people)
    silent = len(found.coded) - backing - both - against
    parts = [f"{backing + both} of {len(found.coded)} participants support it"]
    if both:
        parts.append(f"{both} of them also say the opposite")
    parts.append(f"{against} speak only against it" if against else "nobody speaks only against it")
    if silent:
        parts.append(f"for {silent}, nothing is coded under it")
    return f"{'; '.join(parts)}."


def _overview(found: Findings) -> Iterator[str]:
    names = [*found.groups]
    yield "| " + " | ".join(["Theme", "For", "Both", "Against", *map(as_words, names)]) + " |"
    yield "|" + " --- |" * (4 + len(names))
    for theme in found.themes:
        shares = [_share(theme, found.groups[name] & found.coded) for name in names]
        counts = map(str, theme.counts(found.people))
        name = "– " * theme.depth + as_words(theme.code.name)
        yield "| " + " | ".join([name, *counts, *shares]) + " |"


def _share(theme: Theme, people: frozenset[UUID]) -> str:
    backing, both, against = theme.counts(people)
    told = f"{backing + both} of {len(people)}"
    return f"{told}, {both + against} against" if both + against else told


def _theme(
    theme: Theme, found: Findings, link: Link | None, written: ReviewedReport | None
) -> Iterator[str]:
    yield from ("", f"### {as_words(theme.code.name)}", "", sentence(theme, found), "")
    if theme.code.description:
        yield from (as_words(theme.code.description), "")
    statements = written.on(theme.code.pk) if written else []
    for statement in statements:
        yield from _statement(statement, link)
    cited = {one for each in statements for one in (*each.backing, *each.against)}
    left = [one for one in theme.quotes if one not in cited]
    if statements and left:
        yield from ("No statement takes up:", "")
    for against, title in ((False, ""), (True, "Against it:")):
        quotes = [one for one in left if one.against is against]
        if quotes and title:
            yield from (title, "")
        yield from _quotes(quotes, link)


def _statement(one: CitedStatement, link: Link | None) -> Iterator[str]:
    yield from (f"**{as_words(one.statement.text)}** {one.people}", "")
    yield from _quotes(one.backing, link)
    if one.against:
        yield from ("Against it:", "", *_quotes(one.against, link))


def _quotes(quotes: Sequence[ThemeQuote], link: Link | None) -> Iterator[str]:
    for one in spread(quotes, QUOTES):
        who = f"{one.who}, {one.position}"
        named = f"[{who}]({link(one)})" if link else who
        yield from (f"> “{as_words(' '.join(one.text.split()))}” — {named}", "")
    if len(quotes) > QUOTES:
        yield from (f"And {len(quotes) - QUOTES} more.", "")
