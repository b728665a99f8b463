from dataclasses import dataclass, replace
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from reflections.admin.statements_form import STATEMENTS
from reflections.evidence.statements import statements_of
from reflections.models import Judgement, Review, Reviewed
from reflections.products import Amendment, known_product
from reflections.reviews import Opinion, Stale, judge, made_when

State = Judgement.State
DONE = {
    State.ACCEPTED: "Accepted. It is now exported as final.",
    State.AMENDED: "Amended. Your version is exported as final; the original is kept.",
    State.REJECTED: "Rejected. It is not exported as final.",
    State.DRAFT: "Reopened for review.",
}


class OpinionForm(forms.Form):
    version = forms.IntegerField(widget=forms.HiddenInput())
    # The time at which the product that was read was made.
    made = forms.CharField(required=False, widget=forms.HiddenInput())
    do = forms.ChoiceField(choices=Judgement.State.choices)
    comment = forms.CharField(
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Stored with your name. Needed to reject.",
    )

    def __init__(self, comment_needed: bool, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.comment_needed = comment_needed
        if comment_needed:
            self.fields["comment"].help_text = "Stored with your name. Needed to accept or reject."

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("do") == State.REJECTED and not data.get("comment"):
            self.add_error("comment", "Say why, so that others understand.")
        if data.get("do") == State.ACCEPTED and self.comment_needed and not data.get("comment"):
            self.add_error("comment", "Say why you accept it despite what the checks found.")
        return data


@dataclass
class ReviewForms:
    opinion: OpinionForm
    amendment: Amendment | None
    amending: Any
    error: str = ""
    done: str = ""

    @property
    def amends(self) -> bool:
        return bool(self.amending and self.amending.is_bound)

    @property
    def by_statement(self) -> bool:
        return self.amendment is STATEMENTS


def forms_for(reflection: Reviewed, review: Review, data: Any = None) -> ReviewForms:
    amending = data if data is not None and data.get("do") == State.AMENDED else None
    content = review.content or reflection.content
    product = known_product(reflection.name) if content else None
    amendment = product.amendment if product else None
    if statements_of(reflection, content):
        amendment = STATEMENTS
    comment_needed = bool(product and product.comment_needed(reflection.content))
    initial = {"version": review.version, "made": made_when(reflection)}
    return ReviewForms(
        OpinionForm(comment_needed, data, initial=initial),
        amendment,
        amendment.form(reflection, content, amending) if amendment else None,
    )


def send(reflection: Reviewed, review: Review, data: Any, reviewer: str) -> ReviewForms:
    """Store what was sent. Without `done` nothing was stored, and the forms keep all of it."""
    sent = forms_for(reflection, review, data)
    if not sent.opinion.is_valid() or not _check_amendment(sent):
        return sent
    cleaned = sent.opinion.cleaned_data
    opinion = Opinion(State(cleaned["do"]), cleaned["comment"], made=cleaned["made"])
    if sent.amendment and sent.amends:
        content = sent.amendment.amended(reflection, sent.amending)
        opinion = replace(opinion, content=content)
    try:
        judge(reflection, opinion, reviewer, cleaned["version"])
    except Stale as error:
        sent.error = str(error)
    else:
        sent.done = DONE[opinion.state]
    return sent


def _check_amendment(sent: ReviewForms) -> bool:
    if sent.opinion.cleaned_data["do"] != State.AMENDED:
        return True
    if sent.amending is None:
        sent.error = "This can be accepted or rejected, but not amended."
        return False
    return bool(sent.amending.is_valid())
