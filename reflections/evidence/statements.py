"""Products made of statements: as they stand, and as they were before they were amended."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, TypeVar

from reflections.evidence.types import Section, Statement, StatementsContent, Support
from reflections.models import Reviewed
from reflections.products import known_product


class CurrentStatement(Statement):
    """`was` is the number of the statement in the original product, None for a reviewer's own."""

    was: int | None = None


class CurrentSection(Section):
    statements: tuple[CurrentStatement, ...] = ()


class CurrentStatements(StatementsContent):
    sections: tuple[CurrentSection, ...] = ()
    items: tuple[dict[str, Any], ...] = ()

    @property
    def statements(self) -> tuple[CurrentStatement, ...]:
        return tuple(one for section in self.sections for one in section.statements)


Version = TypeVar("Version", bound=CurrentStatements)


def statements_of(reflection: Reviewed, content: Mapping[str, Any]) -> CurrentStatements | None:
    """Return the content as statements, or None if it is another kind of product or empty."""
    product = known_product(reflection.name)
    if not content or (product is not None and not product.has_statements):
        return None
    if "sections" not in content and "items" not in content:
        return None
    statements = CurrentStatements.model_validate(content)
    return numbered(statements) if content == reflection.content else statements


def original_of(
    statement: CurrentStatement, original: CurrentStatements
) -> CurrentStatement | None:
    """Return the statement before it was amended, or None if it is unchanged or new."""
    before = _as_made(statement, original)
    return before if before and not _alike(statement, before) else None


def support_of(statement: CurrentStatement, original: CurrentStatements) -> Support:
    """Return how a model's check of the statement came out; "" if a reviewer has changed it."""
    before = _as_made(statement, original)
    return before.support if before and _alike(statement, before) else ""


def amended_content(
    original: Mapping[str, Any], statements: Iterable[tuple[str, CurrentStatement]]
) -> dict[str, Any]:
    """Return the whole content with these statements under their titles, in the same order."""
    titles = [one.get("title", "") for one in original.get("sections", ())]
    grouped: dict[str, list[Any]] = {title: [] for title in titles}
    for title, statement in statements:
        grouped.setdefault(title, []).append(statement.model_dump(mode="json"))
    sections = [{"title": title, "statements": rows} for title, rows in grouped.items() if rows]
    return {**original, "sections": sections}


def _as_made(statement: CurrentStatement, original: CurrentStatements) -> CurrentStatement | None:
    was, made = statement.was or 0, original.statements
    return made[was - 1] if 1 <= was <= len(made) else None


def _alike(one: Statement, other: Statement) -> bool:
    return (one.text, one.quotes) == (other.text, other.quotes)


def numbered(content: Version) -> Version:
    """Return a product as it was made with the numbers of its statements."""
    numbers = count(1)
    sections = []
    for section in content.sections:
        made = [one.model_copy(update={"was": next(numbers)}) for one in section.statements]
        sections.append(section.model_copy(update={"statements": tuple(made)}))
    return content.model_copy(update={"sections": tuple(sections)})
