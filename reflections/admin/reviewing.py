"""What a reviewer's form does: an opinion is stored, or said why not, with nothing lost."""

from dataclasses import dataclass
from typing import Any

from interviews.protocols.knowledge_transfer.after import narrating
from interviews.protocols.knowledge_transfer.after.types import Summary
from interviews.protocols.technical_assessment.report import Reported, amended
from reflections import transfers
from reflections.admin.forms import OpinionForm, ReportForm
from reflections.admin.narrative import NarrativeForm
from reflections.admin.told_form import Rows, sent_rows, told_form
from reflections.models import Judgement, Reflection, Review
from reflections.reports import held_of
from reflections.reviews import Opinion, ReviewError, judge, made_when
from reflections.told import ToldNow, told_of
from reflections.told import amended as told_amended
from reflections.transcripts import transcript_of

State = Judgement.State
TOLD = {
    State.ACCEPTED: "Accepted. It is exported as final from now on.",
    State.AMENDED: "Amended. Your version is exported as final; the original stays.",
    State.REJECTED: "Rejected. It is not exported as final.",
    State.DRAFT: "Open for review again.",
}
Amending = ReportForm | NarrativeForm | Rows


@dataclass
class Reviewing:
    """A reviewer's forms for a product, and what came of sending them."""

    opinion: OpinionForm
    amending: Amending | None = None
    error: str = ""
    done: str = ""

    @property
    def amends(self) -> bool:
        """Whether somebody is at amending it, so that the fields are to be seen."""
        return bool(self.amending and self.amending.is_bound)

    @property
    def by_statement(self) -> bool:
        """Whether it is amended a row a statement, and not a field a part."""
        return isinstance(self.amending, Rows)


def forms_for(reflection: Reflection, review: Review, data: Any = None) -> Reviewing:
    """The forms: as they are offered, or as they were sent."""
    amending = data if data is not None and data.get("do") == State.AMENDED else None
    return Reviewing(
        OpinionForm(data, initial={"version": review.version, "made": made_when(reflection)}),
        _form(reflection, review.content or reflection.content, amending),
    )


def _form(reflection: Reflection, content: dict[str, Any], data: Any) -> Amending | None:
    """The form in which this content can be amended; None where it can't be."""
    told = told_of(reflection, content)
    if told is not None:
        return _told_form(reflection, told, data)
    if reflection.name == transfers.SUMMARY and content:
        known = set(transfers.held_of(reflection.session).by_number)
        return NarrativeForm(Summary.model_validate(content), known, data)
    reported = as_reported(content)
    return ReportForm(reported.report, data) if reported else None


def _told_form(reflection: Reflection, told: ToldNow, data: Any) -> Amending | None:
    """The form for statements; None where there are none, and none were sent."""
    if not told.statements and not (data and sent_rows(data)):
        return None
    return told_form(told, transcript_of(reflection.session).answers, data)


def send(reflection: Reflection, review: Review, data: Any, reviewer: str) -> Reviewing:
    """Stores what was sent. Without `done` it was not stored, and the forms hold all of it."""
    sent = forms_for(reflection, review, data)
    if not sent.opinion.is_valid() or not _amendable(sent):
        return sent
    told = sent.opinion.cleaned_data
    content = _amended(reflection, sent)
    opinion = Opinion(State(told["do"]), told["comment"], content, made=told["made"])
    try:
        judge(reflection, opinion, reviewer, told["version"])
    except ReviewError as error:
        sent.error = str(error)
    else:
        sent.done = TOLD[opinion.state]
    return sent


def as_reported(content: dict[str, Any]) -> Reported | None:
    """The content as a report; None where it is some other product."""
    return Reported.model_validate(content) if "ruling" in content else None


def _amendable(sent: Reviewing) -> bool:
    """Whether what is to be amended was sent as it should be."""
    if sent.opinion.cleaned_data["do"] != State.AMENDED:
        return True
    if sent.amending is None:
        sent.error = "This can be accepted or rejected, but not amended."
        return False
    return bool(sent.amending.is_valid())


def _amended(reflection: Reflection, sent: Reviewing) -> dict[str, Any]:
    """The whole content as amended; empty where nothing is."""
    form, session = sent.amending, reflection.session
    if form is None or not form.is_bound:
        return {}
    if isinstance(form, Rows):
        return told_amended(reflection.content, form.statements())
    if isinstance(form, NarrativeForm):
        summary = Summary.model_validate(reflection.content)
        told = narrating.amended(transfers.held_of(session), summary, form.sections())
        return told.model_dump(mode="json")
    original = Reported.model_validate(reflection.content)
    return amended(held_of(session), original, form.report()).model_dump(mode="json")
