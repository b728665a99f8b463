"""Figures for Prometheus, at /metrics.

Turns, their length and calls to models are counted by each process, so each is asked for its own.
What the whole site shares is counted in the database when somebody asks.
"""

from collections.abc import Iterable
from secrets import compare_digest
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric

from interviews.measures.distress_review import wanting
from interviews.models import Session
from interviewsite.http.health import WORKER_SEEN
from llm.calls import model_state
from llm.routing import load, slots
from plans.jobs import UNDER_WAY, Job

SHARED_FOR = 10  # seconds for which the database's figures stand
SHARED = "metrics"  # in the cache


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer whoever has METRICS_TOKEN; for others, and without one, there is no such page."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not compare_digest(given, settings.METRICS_TOKEN):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


class SiteCollector:
    def describe(self) -> Iterable[Metric]:
        return []  # or the database would be asked as soon as the collector is registered

    def collect(self) -> Iterable[Metric]:
        yield InfoMetricFamily("interviewsite", "The site.", {"version": settings.VERSION})
        yield _gauge("late_seconds", "How late the event loop is.", load.seconds_late())
        yield _gauge("model_calls_waiting", "Calls that wait for a place.", slots.waiting())
        well = model_state.is_well()
        yield _gauge("model_reachable", "1: the model's key is accepted, or none is set.", well)
        seen = bool(cache.get(WORKER_SEEN)) or not settings.REDIS_URL
        yield _gauge("worker_seen", "1: a worker has swept within a minute.", seen)
        shared: Any = cache.get_or_set(SHARED, _count, SHARED_FOR)
        yield _gauge("alerts_waiting", "Interviews to look at for distress.", shared["alerts"])
        for name, help_text, label in PER_LABEL:
            family = GaugeMetricFamily(f"interviewsite_{name}", help_text, labels=[label])
            for value, count in shared[name].items():
                family.add_metric([value], count)
            yield family


PER_LABEL = (
    ("sessions", "Interviews by status, previews and simulated ones left out.", "status"),
    ("jobs_waiting", "Background jobs that aren't ready.", "kind"),
)


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"interviewsite_{name}", help_text, value=value)


def _count() -> dict[str, Any]:
    people = Session.objects.filter(preview=False, synthetic=False)
    by_status = people.order_by().values_list("status").annotate(Count("pk"))
    kinds = [model for model in apps.get_models() if issubclass(model, Job)]
    return {
        "alerts": wanting(people).count(),
        "sessions": dict(by_status),
        "jobs_waiting": {
            kind.__name__: kind._base_manager.filter(status__in=UNDER_WAY).count() for kind in kinds
        },
    }


REGISTRY.register(SiteCollector())
