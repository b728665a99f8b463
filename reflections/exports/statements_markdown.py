from collections.abc import Iterable, Iterator
from typing import Any

from interviews.engine.texts import fixed
from plans.text.markdown import as_words
from reflections.evidence.statements import CurrentSection, CurrentStatement, CurrentStatements
from reflections.evidence.types import Quote
from reflections.summaries.narrative import TEXTS


def statements_markdown(statements: CurrentStatements, title: str, review: str) -> str:
    lines = [f"# {as_words(title)}", "", *_header(statements, review)]
    number = 1
    for section in statements.sections:
        lines += _section(section, number, statements.language)
        number += len(section.statements)
    if not statements.sections:
        lines += _items(statements.items, statements.language)
    return "\n".join(lines).rstrip() + "\n"


def _header(statements: CurrentStatements, review: str) -> list[str]:
    looks_for = statements.expert.looks_for if statements.expert else ""
    findings = [f"- {as_words(one.text)}" for one in statements.findings]
    lines = [as_words(looks_for), ""] if looks_for else []
    lines += [as_words(f"{review}. Written by a program: check it before others rely on it."), ""]
    return [*lines, *findings, ""] if findings else lines


def _section(section: CurrentSection, first: int, language: str) -> list[str]:
    lines = [f"## {as_words(section.title)}", ""] if section.title else []
    for number, one in enumerate(section.statements, first):
        lines += _statement(number, one, language)
    return lines


def _statement(number: int, one: CurrentStatement, language: str) -> Iterator[str]:
    yield from (f"{number}. {as_words(one.text)}", "")
    indent = " " * (len(str(number)) + 2)
    for quote in one.quotes:
        yield from (f"{indent}> {_quoted(quote, language)}", "")


def _quoted(quote: Quote, language: str) -> str:
    place = fixed(language, "answer", folder=TEXTS).format(position=quote.position)
    return f"{as_words(quote.text)} ({place})"


def _items(items: Iterable[dict[str, Any]], language: str) -> list[str]:
    lines = [f"## {fixed(language, 'asked_and_answered', folder=TEXTS)}", ""]
    for item in items:
        lines += [f"### {as_words(str(item['asked']))}", ""]
        for answer in item["answers"]:
            quote = Quote.model_validate(answer)
            lines += [f"> {_quoted(quote, language)}", ""]
    return lines
