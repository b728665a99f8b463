"""How the answers of an interview were written, for its page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.template.defaultfilters import pluralize

from interviews.measures.effort import efforts_of
from interviews.measures.response_quality import Effort
from interviews.models import Paradata, Session

RIGHT = "interviews.view_paradata"


@dataclass(frozen=True)
class AnswerManner:
    """Descriptions and effort ratings of the answers of an interview, by position."""

    measures: Mapping[int, str]
    efforts: Mapping[int, Effort]

    @property
    def hurried(self) -> list[tuple[int, str]]:
        """Return the position of each answer that looks hurried, and why."""
        return [
            (position, "; ".join(str(sign.label) for sign in effort.signs))
            for position, effort in self.efforts.items()
            if effort.hurried
        ]


NOTHING = AnswerManner({}, {})


def answer_manner(session: Session) -> AnswerManner:
    rows = Paradata.objects.filter(entry__session=session).select_related("entry")
    measures = {row.entry.position: "; ".join(_parts(row)).capitalize() for row in rows}
    return AnswerManner(measures, efforts_of([session.pk]).get(session.pk, {}))


def _parts(row: Paradata) -> Iterator[str]:
    """Yield the measures of one answer, without those that are 0 or unknown."""
    if row.response_ms is not None:
        begun = "" if row.first_key_ms is None else f", started after {_duration(row.first_key_ms)}"
        yield f"after {_duration(row.response_ms)}{begun}"
    if row.edits:
        yield f"{row.edits} change{pluralize(row.edits)}"
    if row.pasted_characters:
        yield f"{row.pasted_characters} character{pluralize(row.pasted_characters)} pasted"
    if row.focus_losses:
        times = f"{row.focus_losses} time{pluralize(row.focus_losses)}"
        yield f"page left {times}, for {_duration(row.away_ms or 0)}"
    if row.dictated:
        yield "partly dictated"


def _duration(milliseconds: int) -> str:
    whole = round(milliseconds / 1000)
    if whole < 120:
        return f"{whole} s"
    return f"{round(whole / 60)} min" if whole < 7200 else f"{round(whole / 3600)} h"
