"""Handovers as a table: summary and onboarding package of each, with how they were reviewed."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, keys, session_columns
from interviews.protocols.knowledge_transfer.after.types import Package, Summary
from interviews.protocols.knowledge_transfer.after.writing import (
    package_markdown,
    summary_markdown,
)
from interviews.store import plan_content
from reflections import transfers
from reflections.exports import REVIEW_COLUMNS, RIGHT
from reflections.models import Reflection, Review
from reflections.reviews import FINAL

MADE_BY = {
    "model": "the model that was meant to",
    "fallback_model": "its stand-in",
    "rules": "the plain questions and answers, without a model",
}


@dataclass(frozen=True)
class Row:
    """The products of one handover."""

    session: Facts
    made: Reflection
    review: Review
    shown: Summary  # as amended, else as made
    packed: Reflection | None

    @property
    def final(self) -> bool:
        """Whether a person has let the summary pass."""
        return self.review.state in FINAL

    @property
    def statements(self) -> int:
        """How many the summary has."""
        return sum(len(section.statements) for section in self.shown.sections)

    @property
    def findings(self) -> str:
        """What the checks found, a line each."""
        return "\n".join(one.text for one in self.shown.findings)

    @property
    def summary(self) -> str:
        """The summary as Markdown."""
        content = plan_content(self.session.session.plan_id)
        options = content.material.options
        return summary_markdown(self.shown, options.project or content.title)

    @property
    def package(self) -> str:
        """The package as Markdown; empty while there is none."""
        if self.packed is None or not self.packed.content:
            return ""
        return package_markdown(Package.model_validate(self.packed.content))

    @property
    def package_review(self) -> str:
        """How the package was reviewed."""
        return _review(self.packed).state if self.packed else ""


def rows(chosen: Selection) -> Iterator[Row]:
    """The handovers that were summed up, in the order of the interviews."""
    for batch in batches(chosen.with_content()):
        made, packed = _made(batch, transfers.SUMMARY), _made(batch, transfers.PACKAGE)
        for facts in batch:
            if facts.session.pk in made:
                yield _row(facts, made[facts.session.pk], packed.get(facts.session.pk))


def _made(batch: list[Facts], name: str) -> dict[Any, Reflection]:
    found = Reflection.objects.filter(session__in=keys(batch), name=name).exclude(content={})
    return {one.session_id: one for one in found.select_related("review")}


def _row(facts: Facts, made: Reflection, packed: Reflection | None) -> Row:
    review = _review(made)
    shown = Summary.model_validate(review.content or made.content)
    return Row(facts, made, review, shown, packed)


def _review(made: Reflection) -> Review:
    return getattr(made, "review", None) or Review(reflection=made)


COLUMNS: tuple[Column[Any], ...] = (
    *session_columns(),
    *REVIEW_COLUMNS,
    Column("made_by", Type.STRING, "Who wrote it.", attrgetter("shown.made_by"), MADE_BY),
    Column("made_at", Type.DATETIME, "When it was made (UTC).", attrgetter("made.finished_at")),
    Column("statements", Type.INTEGER, "Statements in it.", attrgetter("statements")),
    Column("findings", Type.STRING, "What the checks found.", attrgetter("findings")),
    Column("summary", Type.STRING, "The summary as it stands, as Markdown.", attrgetter("summary")),
    Column(
        "package_review",
        Type.STRING,
        "How the onboarding package was reviewed. Empty while there is none.",
        attrgetter("package_review"),
    ),
    Column(
        "package",
        Type.STRING,
        "The onboarding package as Markdown. Empty while there is none.",
        attrgetter("package"),
    ),
)
TRANSFER_SUMMARIES: Table[Row] = Table(
    "transfer_summaries",
    "One row a handover that was summed up, whether a person has let it pass or not: look at "
    "`final`. Facts and open questions one by one are in the Q&A context of each.",
    COLUMNS,
    rows,
    shared=SHARED,
    right=RIGHT,
)
