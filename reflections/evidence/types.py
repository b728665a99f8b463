"""Statements that rest on quotes, as they are stored (JSON; fields added later have defaults).

The docstrings of Quote and Statement are sent to models in their schemas.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import SkipJsonSchema

from llm.tasks.outcome import Source

MadeBy = Literal["model", "fallback_model", "rules"]
Weight = Literal["serious", "notable", "plain"]
Support = Literal["", "supported", "not_checked"]  # unsupported statements are left out
MADE_BY: dict[Source, MadeBy] = {
    Source.MODEL: "model",
    Source.FALLBACK_MODEL: "fallback_model",
    Source.FALLBACK: "rules",
}


class StoredModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Quote(StoredModel):
    """Words of the participant, exactly as they stand in the transcript at that position."""

    position: int
    text: str


class Statement(StoredModel):
    """One thing that is said about the interview, and what it rests on."""

    text: str
    quotes: tuple[Quote, ...] = ()
    support: SkipJsonSchema[Support] = ""  # whether a model found its quotes to support it


class Section(StoredModel):
    title: str = ""
    statements: tuple[Statement, ...] = ()


class Finding(StoredModel):
    """Something that code found in, or changed about, what a model wrote."""

    check: str
    weight: Weight
    text: str
    before: str = ""  # what was left out


def finding(check: str, text: str, weight: Weight = "notable", before: str = "") -> Finding:
    return Finding(check=check, weight=weight, text=text, before=before)


class ExpertSnapshot(StoredModel):
    key: str
    name: str
    looks_for: str = ""


class StatementsContent(StoredModel):
    sections: tuple[Section, ...] = ()
    language: str = ""
    made_by: MadeBy = "rules"
    reason: str = ""  # why the model that was meant to did not write all of it
    findings: tuple[Finding, ...] = ()
    condensed: int = 0  # sections of the transcript that were condensed before it was read
    expert: ExpertSnapshot | None = None
