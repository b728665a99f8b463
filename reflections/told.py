"""Products of statements: which contents are such, and what their statements were before somebody
amended them."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from reflections.evidence.types import Section, Statement, Told
from reflections.models import EXPERT, Reflection

ALONE = (  # shown and exported in ways of their own
    "report",
    "own_summary",
    "transfer_summary",
    "onboarding_package",
    "qa_context",
    "coverage",
    "ladders",
)


class Rewritten(Statement):
    """A statement with its number in the product as it was made; None for a reviewer's own."""

    was: int | None = None


class RewrittenSection(Section):
    """Such statements under one title."""

    statements: tuple[Rewritten, ...] = ()


class ToldNow(Told):
    """A product of statements as it stands, amended or not, with plain answers beside them."""

    sections: tuple[RewrittenSection, ...] = ()
    items: tuple[dict[str, Any], ...] = ()

    @property
    def statements(self) -> tuple[Rewritten, ...]:
        """All of them, in order."""
        return tuple(one for section in self.sections for one in section.statements)


def told_of(reflection: Reflection, content: Mapping[str, Any]) -> ToldNow | None:
    """The content as statements; None where it is another kind of product, or nothing yet."""
    if reflection.name in ALONE or not content:
        return None
    if "sections" not in content and "items" not in content:
        return None
    told = ToldNow.model_validate(content)
    return _numbered(told) if content == reflection.content else told


def original_of(statement: Rewritten, original: ToldNow) -> Rewritten | None:
    """The statement as it was made, where it was amended; None for one as it was, or a new one."""
    made = original.statements
    if statement.was is None or not 1 <= statement.was <= len(made):
        return None
    before = made[statement.was - 1]
    return None if (before.text, before.quotes) == (statement.text, statement.quotes) else before


def amended(original: Mapping[str, Any], said: Iterable[tuple[str, Rewritten]]) -> dict[str, Any]:
    """The whole content with these statements under these titles, which keep their order."""
    titles = [one.get("title", "") for one in original.get("sections", ())]
    grouped: dict[str, list[Any]] = {title: [] for title in titles}
    for title, statement in said:
        grouped.setdefault(title, []).append(statement.model_dump(mode="json"))
    sections = [{"title": title, "statements": rows} for title, rows in grouped.items() if rows]
    return {**original, "sections": sections}


def _numbered(told: ToldNow) -> ToldNow:
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
