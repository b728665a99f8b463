from collections import Counter
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from unfold.decorators import display

from interviews.admin.base import session_url, user_of
from interviews.models import Session
from llm.routing.routes import has_model
from plans.admin.base import StudyAdmin, require
from plans.admin.dialogs import status_part
from reflections.admin.reflections import RunsAdmin
from reflections.batches.progress import Progress
from reflections.evaluation import runs
from reflections.evaluation.figures import FIGURES, Change, Figure, as_json, compare
from reflections.evaluation.findings import estimate, findings, seldom_answered
from reflections.evaluation.measurement import MOMENTS
from reflections.models import Evaluation

MAKE = "reflections.add_evaluation"
NEW, PAGE, PROGRESS = (
    f"admin/reflections/evaluation{name}.html" for name in ("_new", "", "_progress")
)


class EvaluationForm(forms.Form):
    count = forms.IntegerField(
        min_value=1, max_value=100, initial=20, label="Number of simulated participants"
    )
    respondents = forms.ChoiceField(
        choices=Evaluation.Respondents.choices,
        initial=Evaluation.Respondents.RULES,
        widget=forms.RadioSelect(),
        label="How they answer",
    )
    judged = forms.BooleanField(required=False, label="A model judges the interviews, too")

    @property
    def plan(self) -> runs.EvaluationPlan:
        return runs.EvaluationPlan(**self.cleaned_data)


@admin.register(Evaluation)
class EvaluationAdmin(RunsAdmin):
    list_display = ["name", "of_bot", "respondents", "how_far", "by", "begun"]
    how_to_begin = (
        "An evaluation interviews simulated participants and shows how well the interviewer does. "
        "Open a bot and choose Try with simulated participants."
    )

    class Media:
        css = {"all": ["interviews/admin.css", "reflections/panel.css"]}

    has_delete_permission = StudyAdmin.has_delete_permission

    def delete_model(self, request: HttpRequest, obj: Evaluation) -> None:
        runs.delete(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Evaluation]) -> None:
        for evaluation in queryset:
            runs.delete(evaluation)

    @display(description="Progress")
    def how_far(self, evaluation: Evaluation) -> str:
        return progress_of(evaluation).sentence

    # -- a new one

    def new_page(self, request: HttpRequest, key: int) -> HttpResponse:
        require(request, MAKE)
        bot = self.bot_at(request, key)
        form = EvaluationForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                by = user_of(request).get_username()
                evaluation = runs.request(bot, runs.free_name(bot.slug), form.plan, by)
            except runs.CannotEvaluate as error:
                form.add_error(None, str(error))
            else:
                return redirect(self.change_url(evaluation))
        return self.page(
            request,
            NEW,
            bot,
            title=f"Try “{bot}” with simulated participants",
            bot=bot,
            form=form,
            has_model=has_model(),
            estimate=estimate(bot),
            earlier=[(one, progress_of(one)) for one in bot.evaluations.all()[:10]],
        )

    # -- its page

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        evaluation: Evaluation = self.row(request, object_id or "")
        if request.method == "POST":
            return self._cancel(request, evaluation)
        if request.GET.get("format") == "json":
            found = as_json(evaluation, _before(request, evaluation))
            return JsonResponse(found, json_dumps_params={"ensure_ascii": False})
        progress = progress_of(evaluation)
        context = {"evaluation": evaluation, "progress": progress}
        context["may_make"] = request.user.has_perm(MAKE)
        if request.GET.get("part") == "progress":
            return status_part(request, PROGRESS, context | {"busy": progress.busy})
        return self.page(
            request,
            PAGE,
            evaluation,
            title=str(evaluation),
            **context,
            **_found(request, evaluation),
        )

    def _cancel(self, request: HttpRequest, evaluation: Evaluation) -> HttpResponse:
        require(request, MAKE)
        count = runs.cancel(evaluation)
        messages.success(request, f"Cancelled: {count:,} fewer interviews.")
        return redirect(self.change_url(evaluation))


def progress_of(evaluation: Evaluation) -> Progress:
    return Progress(**Counter(evaluation.interviews.values_list("status", flat=True)))


def _others(evaluation: Evaluation) -> QuerySet[Evaluation]:
    """Return the bot's other evaluations that are over."""
    others = Evaluation.objects.filter(bot=evaluation.bot).exclude(pk=evaluation.pk)
    return others.exclude(figures={})


def _before(request: HttpRequest, evaluation: Evaluation) -> Evaluation | None:
    """Return the one to compare with, if the address names one and both are over."""
    chosen = request.GET.get("against", "")
    may = evaluation.figures and chosen.isdecimal()
    return _others(evaluation).filter(pk=chosen).first() if may else None


def _found(request: HttpRequest, evaluation: Evaluation) -> dict[str, Any]:
    if not evaluation.figures:
        return {}
    before = _before(request, evaluation)
    changes = compare(before, evaluation) if before else []
    return {
        "findings": list(findings(evaluation))[:3],
        "seldom": seldom_answered(evaluation.figures),
        "unclear": evaluation.figures["unclear"],
        "moments": _moments(evaluation),
        "rows": [*_rows(evaluation, changes)],
        "before": before,
        "others": _others(evaluation)[:50],
        "better": [one.figure.label for one in changes if one.verdict == "better"],
        "worse": [one.figure.label for one in changes if one.verdict == "worse"],
        "failures": evaluation.interviews.filter(status="failed"),
    }


def _rows(evaluation: Evaluation, changes: list[Change]) -> Iterator[dict[str, Any]]:
    """Yield the figures with values, and where they are compared, with those before."""
    if changes:
        for one in changes:
            if one.before.n or one.after.n:
                before = one.figure.in_words(one.before)
                yield _row(one.figure, one.after) | {"before": before, "verdict": one.verdict}
    else:
        means = evaluation.figures["figures"]
        yield from (_row(one, means[one.key]) for one in FIGURES if means.get(one.key, {}).get("n"))


def _row(figure: Figure, mean: Any) -> dict[str, Any]:
    return {"figure": figure, "value": figure.in_words(mean), "meets": figure.meets_aim(mean)}


def _moments(evaluation: Evaluation) -> list[dict[str, Any]]:
    rows = evaluation.interviews.values_list("persona", "session")
    sessions = {persona: Session(pk=key) for persona, key in rows if key}
    return [
        {
            **one,
            "what": MOMENTS[one["what"]],
            "url": session_url(sessions[one["persona"]], f"#e{one['position']}"),
        }
        for one in evaluation.figures["moments"]
        if one["persona"] in sessions
    ]
