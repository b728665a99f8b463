"""The results of an experiment: its arms side by side."""

from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from interviews.admin.base import FieldworkAdmin
from interviews.admin.overview import may_see_overviews
from interviews.measures.arm_results import MEASURES, STATES, arm_results
from plans.admin.base import StudyAdmin
from plans.models import Experiment

TEMPLATE = "admin/interviews/experiment.html"
LABELS = {
    "started": "Started",
    "completed": "Completed",
    "running": "Running now",
    "left": "Left early",
    "withdrawn": "Withdrawn",
}


def experiment_page(sessions: FieldworkAdmin, request: HttpRequest, key: int) -> HttpResponse:
    experiments = cast(StudyAdmin, admin.site.get_model_admin(Experiment))
    experiment: Experiment = experiments.row(request, str(key))
    if not may_see_overviews(request):
        raise PermissionDenied
    results = arm_results(experiment, timezone.now())
    most = max((arm.counts["completed"] for arm in results), default=0) or 1
    context: dict[str, Any] = {
        "title": f"Results of “{experiment}”",
        "experiment": experiment,
        "results": results,
        "rows": [(LABELS[state], [arm.counts[state] for arm in results]) for state in STATES],
        "bars": [(one, 100 * one.counts["completed"] / most) for one in results],
        "measures": [
            (label, [arm.measures[name] for arm in results]) for name, label in MEASURES.items()
        ],
    }
    return sessions.page(request, TEMPLATE, experiment, **context)
