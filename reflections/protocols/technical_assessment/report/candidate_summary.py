"""What candidates may see if the bot shows it: no scores, no verdict, nobody's notes.

Made from the observations alone, so that no model's words about people reach them unread.
"""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from interviews.protocols.technical_assessment.state import Observed
from reflections.protocols.technical_assessment.report.statistics import (
    by_topic,
    is_suspect,
    topic_status,
)


class ToLearn(BaseModel):
    """A topic to go over, with the interview's questions that are worth another look."""

    model_config = ConfigDict(frozen=True)

    topic: str
    questions: list[str]


class OwnSummary(BaseModel):
    model_config = ConfigDict(frozen=True)

    confirmed: list[str]
    to_learn: list[ToLearn]


def own_summary(observed: Sequence[Observed], titles: Mapping[str, str]) -> OwnSummary:
    topics = by_topic(observed)
    return OwnSummary(
        confirmed=[
            titles.get(k, k) for k, all_ in topics.items() if topic_status(all_) == "confirmed"
        ],
        to_learn=[
            ToLearn(topic=titles.get(key, key), questions=missed)
            for key, answers in topics.items()
            if (missed := _missed(answers))
        ],
    )


def _missed(answers: Sequence[Observed]) -> list[str]:
    missed = [one.question for one in answers if one.status != "confirmed" or is_suspect(one)]
    return list(dict.fromkeys(missed))
