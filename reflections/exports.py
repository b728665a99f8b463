"""Reports as tables: those that a person has let pass, and all of them with their state."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, keys, session_columns
from interviews.protocols.technical_assessment.report import Reported
from interviews.protocols.technical_assessment.report.types import GRADES, RECOMMENDATIONS
from reflections.models import Judgement, Reflection, Review
from reflections.reviews import FINAL, final

RIGHT = "reflections.view_reflection"
MADE_BY = {
    "model": "the model that was meant to",
    "fallback_model": "its stand-in",
    "rules": "computed from the observations, without a model",
}
STATES = {str(value): str(label).lower() for value, label in Judgement.State.choices}
UNREVIEWED = {"draft": "no person has judged it yet"}


@dataclass(frozen=True)
class Row:
    """One report of one interview."""

    session: Facts
    made: Reflection
    review: Review
    shown: Reported  # as amended, else as made

    @property
    def final(self) -> bool:
        """Whether a person has let it pass."""
        return final(self.made, self.review) is not None

    @property
    def report(self) -> str:
        """The report itself."""
        return _json(self.shown.report.model_dump(mode="json"))

    @property
    def original(self) -> str:
        """The report as it was made, if another stands now."""
        return _json(self.made.content["report"]) if self.review.content else ""

    @property
    def findings(self) -> str:
        """What the checks found, a line each."""
        return "\n".join(one.text for one in self.shown.findings)

    @property
    def serious(self) -> int:
        """How many of these are serious."""
        return sum(one.weight == "serious" for one in self.shown.findings)

    @property
    def share(self) -> float | None:
        """Confirmed topics among all."""
        found = self.shown.statistics
        return round(found.confirmed / found.topics, 3) if found.topics else None


def rows(chosen: Selection, only_final: bool) -> Iterator[Row]:
    """The reports that there are, in the order of the interviews."""
    for batch in batches(chosen.with_content()):
        made = _made(batch, only_final)
        for facts in batch:
            if facts.session.pk in made:
                yield _row(facts, made[facts.session.pk])


def _made(batch: list[Facts], only_final: bool) -> dict[Any, Reflection]:
    found = Reflection.objects.filter(session__in=keys(batch), name="report").exclude(content={})
    if only_final:
        found = found.filter(review__state__in=FINAL)
    return {one.session_id: one for one in found.select_related("review")}


def _row(facts: Facts, made: Reflection) -> Row:
    review = getattr(made, "review", None) or Review(reflection=made)
    return Row(facts, made, review, Reported.model_validate(review.content or made.content))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _of(path: str) -> Callable[[Row], Any]:
    return attrgetter(f"shown.{path}")


def _names(values: tuple[str, ...]) -> dict[str, str]:
    return dict.fromkeys(values, "")


REVIEW_COLUMNS: tuple[Column[Any], ...] = (  # of rows with `final` and `review`
    Column(
        "final",
        Type.BOOLEAN,
        "Whether a person has accepted or amended it. Only then may it be used.",
        attrgetter("final"),
    ),
    Column(
        "review",
        Type.STRING,
        "How it was reviewed.",
        attrgetter("review.state"),
        STATES | UNREVIEWED,
    ),
    Column("reviewer", Type.STRING, "Who reviewed it last.", attrgetter("review.reviewer")),
    Column("reviewed_at", Type.DATETIME, "When (UTC).", attrgetter("review.reviewed_at")),
    Column("comment", Type.STRING, "What the reviewer said.", attrgetter("review.comment")),
)
COLUMNS: tuple[Column[Any], ...] = (
    *session_columns(),
    *REVIEW_COLUMNS,
    Column("made_by", Type.STRING, "Who made it.", _of("made_by"), MADE_BY),
    Column("made_at", Type.DATETIME, "When it was made (UTC).", attrgetter("made.finished_at")),
    Column("position_applied", Type.STRING, "The position.", _of("position")),
    Column("claimed_grade", Type.STRING, "The grade that was claimed.", _of("claimed_grade")),
    Column(
        "recommendation",
        Type.STRING,
        "What it recommends, as advice to a person.",
        _of("report.verdict.recommendation"),
        _names(RECOMMENDATIONS),
    ),
    Column(
        "grade", Type.STRING, "The grade that it sees.", _of("report.verdict.grade"), _names(GRADES)
    ),
    Column(
        "confidence_score",
        Type.INTEGER,
        "How sure it is, from 0 to 100.",
        _of("report.verdict.confidence_score"),
    ),
    Column(
        "rules_recommendation",
        Type.STRING,
        "What the bot's rules alone give.",
        _of("ruling.recommendation"),
        _names(RECOMMENDATIONS),
    ),
    Column(
        "rules_grade",
        Type.STRING,
        "The grade that the levels of the questions show.",
        _of("ruling.grade"),
        _names(GRADES),
    ),
    Column("scored_answers", Type.INTEGER, "Answers that count.", _of("statistics.scored")),
    Column("topics", Type.INTEGER, "Topics that were talked about.", _of("statistics.topics")),
    Column("confirmed_topics", Type.INTEGER, "Confirmed ones.", _of("statistics.confirmed")),
    Column("gap_topics", Type.INTEGER, "Ones with a gap.", _of("statistics.gaps")),
    Column("confirmed_share", Type.NUMBER, "Share of confirmed topics.", attrgetter("share")),
    Column(
        "hallucinations",
        Type.INTEGER,
        "Answers that claim a thing that does not exist.",
        _of("statistics.hallucinations"),
    ),
    Column(
        "mean_correctness",
        Type.NUMBER,
        "Mean over scored answers, from 0 to 1.",
        _of("statistics.mean_correctness"),
    ),
    Column(
        "mean_confidence",
        Type.NUMBER,
        "Mean over scored answers, from 0 to 1.",
        _of("statistics.mean_confidence"),
    ),
    Column("clarity", Type.STRING, "How clearly it was said.", _of("report.soft_skills.clarity")),
    Column("honesty", Type.STRING, "How gaps were dealt with.", _of("report.soft_skills.honesty")),
    Column("engagement", Type.STRING, "How engaged.", _of("report.soft_skills.engagement")),
    Column("serious_findings", Type.INTEGER, "Serious findings.", attrgetter("serious")),
    Column("findings", Type.STRING, "What the checks found.", attrgetter("findings")),
    Column("report", Type.STRING, "The report as JSON, as it stands now.", attrgetter("report")),
    Column(
        "original",
        Type.STRING,
        "The report as it was made, as JSON, where it was amended.",
        attrgetter("original"),
    ),
)
REPORTS: Table[Row] = Table(
    "reports",
    "One row a report that a person has accepted or amended.",
    COLUMNS,
    partial(rows, only_final=True),
    shared=SHARED,
    right=RIGHT,
)
ALL_REPORTS: Table[Row] = Table(
    "all_reports",
    "One row a report of whichever state, drafts and rejected ones among them. Advice that nobody "
    "has answered for: look at `final`.",
    COLUMNS,
    partial(rows, only_final=False),
    shared=SHARED,
    right=RIGHT,
)
