"""Findings as a report to print: every number is counted, every quote stands in an answer."""

from collections.abc import Callable, Iterable, Iterator

from interviews.exports.methods import methods_facts, paragraph
from interviews.exports.selection import Selection
from plans.models import Bot
from plans.text.markdown import as_words
from reflections.themes.findings import Findings, Theme, ThemeQuote

QUOTES = 6  # of a theme, for it and against it each


def as_markdown(
    bot: Bot, found: Findings, selection: Selection, link: Callable[[ThemeQuote], str] | None = None
) -> str:
    """Return the report; `link` leads from a quote to its transcript."""
    lines = [f"# {as_words(bot.title)}: findings", "", paragraph(methods_facts(selection)), ""]
    lines += _basis(found)
    if found.themes:
        lines += ["", "## Themes", "", *_overview(found)]
    for theme in found.themes:
        lines += _theme(theme, found, link)
    lines += ["", "## Words by question", ""]
    lines += ["Words that most participants used in answering, common words left out.", ""]
    for one in found.questions:
        words = ", ".join(f"{as_words(word)} {count}" for word, count in one.words)
        lines += [f"### {as_words(one.question)}", "", f"{one.people} answered. {words}", ""]
    return "\n".join(lines)


def _basis(found: Findings) -> list[str]:
    missing = f" {found.damaged} can’t be found in their answers and are left out."
    return [
        f"Of {len(found.people)} participants, {len(found.coded)} have passages coded by people, "
        f"or accepted by them from a model. The {found.quotes} quotes are cut out of the stored "
        f"answers, word for word.{missing if found.damaged else ''}"
    ]


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


def _share(theme: Theme, people: frozenset[object]) -> str:
    backing, both, against = theme.counts(people)  # type: ignore[arg-type]
    told = f"{backing + both} of {len(people)}"
    return f"{told}, {both + against} against" if both + against else told


def _theme(
    theme: Theme, found: Findings, link: Callable[[ThemeQuote], str] | None
) -> Iterator[str]:
    yield from ("", f"### {as_words(theme.code.name)}", "", sentence(theme, found), "")
    if theme.code.description:
        yield from (as_words(theme.code.description), "")
    for against, title in ((False, ""), (True, "Against it:")):
        quotes = [one for one in theme.quotes if one.against is against]
        if quotes and title:
            yield from (title, "")
        for one in _spread(quotes):
            who = f"{one.who}, {one.position}"
            named = f"[{who}]({link(one)})" if link else who
            yield from (f"> “{as_words(' '.join(one.text.split()))}” — {named}", "")
        if len(quotes) > QUOTES:
            yield from (f"And {len(quotes) - QUOTES} more.", "")


def _spread(quotes: Iterable[ThemeQuote]) -> list[ThemeQuote]:
    """Return some quotes, first one of each participant."""
    seen: dict[str, int] = {}
    rounds: list[tuple[int, int, ThemeQuote]] = []
    for one in quotes:
        seen[one.who] = seen.get(one.who, 0) + 1
        rounds.append((seen[one.who], len(rounds), one))
    return [one for _, _, one in sorted(rounds, key=lambda item: item[:2])[:QUOTES]]
