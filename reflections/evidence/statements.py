"""Products of statements: which contents are such, and what their statements were before somebody
amended them."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from reflections.evidence.types import Section, Statement, StatementsContent
from reflections.models import EXPERT, Reflection
from reflections.products import known_product


class CurrentStatement(Statement):
    """A statement with its number in the product as it was made; None for a reviewer's own."""

    was: int | None = None


class CurrentSection(Section):
    """Such statements under one title."""

    statements: tuple[CurrentStatement, ...] = ()


class CurrentStatements(StatementsContent):
    """A product of statements as it stands, amended or not, with plain answers beside them."""

    sections: tuple[CurrentSection, ...] = ()
    items: tuple[dict[str, Any], ...] = ()

    @property
    def statements(self) -> tuple[CurrentStatement, ...]:
        return tuple(one for section in self.sections for one in section.statements)


def statements_of(reflection: Reflection, content: Mapping[str, Any]) -> CurrentStatements | None:
    """The content as statements; None where it is another kind of product, or nothing yet."""
    product = known_product(reflection.name)
    if not content or (product is not None and not product.has_statements):
        return None
    if "sections" not in content and "items" not in content:
        return None
    told = CurrentStatements.model_validate(content)
    return _numbered(told) if content == reflection.content else told


def original_of(
    statement: CurrentStatement, original: CurrentStatements
) -> CurrentStatement | None:
    """The statement as it was made, where it was amended; None for one as it was, or a new one."""
    made = original.statements
    if statement.was is None or not 1 <= statement.was <= len(made):
        return None
    before = made[statement.was - 1]
    return None if (before.text, before.quotes) == (statement.text, statement.quotes) else before


def amended(
    original: Mapping[str, Any], said: Iterable[tuple[str, CurrentStatement]]
) -> dict[str, Any]:
    """The whole content with these statements under these titles, which keep their order."""
    titles = [one.get("title", "") for one in original.get("sections", ())]
    grouped: dict[str, list[Any]] = {title: [] for title in titles}
    for title, statement in said:
        grouped.setdefault(title, []).append(statement.model_dump(mode="json"))
    sections = [{"title": title, "statements": rows} for title, rows in grouped.items() if rows]
    return {**original, "sections": sections}


def _numbered(told: CurrentStatements) -> CurrentStatements:
    """As it was made: each statement is the one that it was."""
    numbers = count(1)
    sections = [
        section.model_copy(
            update={
                "statements": tuple(
                    one.model_copy(update={"was": next(numbers)}) for one in section.statements
                )
            }
        )
        for section in told.sections
    ]
    return told.model_copy(update={"sections": tuple(sections)})


def expert_of(name: str) -> str:
    """The key of the expert whose reflection has that name; empty for other products."""
    return name.removeprefix(EXPERT) if name.startswith(EXPERT) else ""
