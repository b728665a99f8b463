"""A product of statements as Markdown."""

from collections.abc import Iterable, Iterator
from typing import Any

from interviews.protocols.knowledge_transfer.after.sayings import Say, sayings
from plans.markdown import as_words
from reflections.evidence.types import Quote
from reflections.told import Rewritten, RewrittenSection, ToldNow


def told_markdown(told: ToldNow, title: str, review: str) -> str:
    """The whole of it: statements under their numbers, each with its quotes and their answers."""
    say = sayings(told.language)
    lines = [f"# {as_words(title)}", "", *_about(told, review)]
    number = 1
    for section in told.sections:
        lines += _section(section, number, say)
        number += len(section.statements)
    if not told.sections:
        lines += _items(told.items, say)
    return "\n".join(lines).rstrip() + "\n"


def _about(told: ToldNow, review: str) -> list[str]:
    looks_for = told.expert.looks_for if told.expert else ""
    findings = [f"- {as_words(one.text)}" for one in told.findings]
    lines = [as_words(looks_for), ""] if looks_for else []
    lines += [as_words(f"{review}. Written by a program: check it before others rely on it."), ""]
    return [*lines, *findings, ""] if findings else lines


def _section(section: RewrittenSection, first: int, say: Say) -> list[str]:
    lines = [f"## {as_words(section.title)}", ""] if section.title else []
    for number, one in enumerate(section.statements, first):
        lines += _statement(number, one, say)
    return lines


def _statement(number: int, one: Rewritten, say: Say) -> Iterator[str]:
    yield from (f"{number}. {as_words(one.text)}", "")
    indent = " " * (len(str(number)) + 2)
    for quote in one.quotes:
        yield from (f"{indent}> {_quoted(quote, say)}", "")


def _quoted(quote: Quote, say: Say) -> str:
    return f"{as_words(quote.text)} ({say('answer', position=quote.position)})"


def _items(items: Iterable[dict[str, Any]], say: Say) -> list[str]:
    """Questions and answers, where nothing was written about them."""
    lines = [f"## {say('asked_and_answered')}", ""]
    for item in items:
        lines += [f"### {as_words(str(item['asked']))}", ""]
        for answer in item["answers"]:
            quote = Quote.model_validate(answer)
            lines += [f"> {_quoted(quote, say)}", ""]
    return lines
