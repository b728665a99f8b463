"""What models are asked in a knowledge transfer, and what stands in when none answers."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _word(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


class Result(BaseModel):
    """What a model gives back; a field that it adds is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Discovered(Result):
    """A question that nobody had written down."""

    text: str
    priority: str = "P1"


class Extraction(Result):
    """What one answer comes to. The order of the fields is the order of writing.

    Confidence and follow-up come first, since they decide what is said next.
    """

    confidence: Annotated[Literal["high", "medium", "low"], BeforeValidator(_word)]
    follow_up: str | None = None
    facts: list[str] = []
    discovered_questions: list[Discovered] = []


class Selection(Result):
    """Which question of the backlog comes next."""

    id: str
