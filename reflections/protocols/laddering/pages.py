"""The page of an interview's ladders, on which a person strikes out those that nobody told."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from interviews.models import Session
from interviews.protocols.laddering.codes.assignment import codes_of
from interviews.protocols.laddering.ladders import ladder_of
from reflections.models import Reflection
from reflections.products import Amendment, Content, ProductView

RECODED = "Codes were changed after this was generated."


class LaddersForm(forms.Form):
    kept = forms.MultipleChoiceField(
        required=False,
        label="Ladders",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="Your version leaves out the ones you untick. To change codes and rungs, use "
        "“Codes” in the list of interviews, then regenerate this.",
    )


def ladders_view(reflection: Reflection, content: Content) -> ProductView:
    coded = {n: (code["text"], code["type"]) for code in content["codes"] for n in code["nodes"]}
    now = _codes_now(reflection.session)
    return ProductView(
        template="admin/reflections/ladders.html",
        made_by="By rules",
        out_of_date=RECODED if now and now != coded else "",
    )


def _codes_now(session: Session) -> dict[str, tuple[str, str]]:
    codes = codes_of([session.pk])[str(session.pk)]
    rungs = ladder_of(session.plan_id, (), (code.type for code in codes.values())).by_type
    return {node: (code.text, rungs[code.type].name) for node, code in codes.items()}


def _form(reflection: Reflection, content: Content, data: Any) -> LaddersForm | None:
    original = reflection.content["ladders"]
    if not original:
        return None
    kept = [str(number) for number, one in enumerate(original) if one in content["ladders"]]
    form = LaddersForm(data, initial={"kept": kept})
    texts = (" → ".join(step["text"] for step in one["steps"]) for one in original)
    form.fields["kept"].choices = [(str(number), text) for number, text in enumerate(texts)]  # type: ignore[attr-defined]
    return form


def _amended(reflection: Reflection, form: LaddersForm) -> Content:
    original = reflection.content
    kept = [original["ladders"][int(number)] for number in form.cleaned_data["kept"]]
    return {**original, "ladders": kept}


AMENDMENT = Amendment(_form, _amended)
