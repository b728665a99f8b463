"""Figures for Prometheus, at /metrics.

Turns and their length are counted by each web process, so each is asked for its own. What the
whole site shares, workers included, is counted in the database when somebody asks.
"""

from collections.abc import Iterable
from datetime import timedelta
from secrets import compare_digest
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric

from interviews.measures.distress_review import wanting
from interviews.models import Session
from interviewsite.http.health import WORKER_SEEN
from llm.calls import model_state
from llm.costs.budgets import spent_today
from llm.models import LLMCall
from llm.routing import load, slots
from plans.jobs import UNDER_WAY, Job

SHARED_FOR = 10  # seconds for which the database's figures stand
SHARED = "metrics"  # in the cache
LATELY = timedelta(minutes=5)
OPEN = (*UNDER_WAY, Job.Status.FAILED)


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer whoever has METRICS_TOKEN; for others, and without one, there is no such page."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token = settings.METRICS_TOKEN
    if not token or not compare_digest(given.encode(), token.encode()):  # as text only ASCII
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
        seen, shared = _in_cache()
        yield _gauge("worker_seen", "1: a worker has swept within a minute.", seen)
        for name, help_text in TOTALS:
            yield _gauge(name, help_text, shared[name])
        for name, help_text, labels in BY_LABEL:
            family = GaugeMetricFamily(f"interviewsite_{name}", help_text, labels=labels)
            for values, count in shared[name].items():
                family.add_metric(values, count)
            yield family


TOTALS = (
    ("alerts_waiting", "Interviews to look at for distress."),
    ("spent_dollars", "What models have cost in 24 hours."),
)
BY_LABEL = (
    ("sessions", "Interviews, previews and simulated ones left out.", ("status",)),
    ("jobs", "Background jobs that wait, run or were given up.", ("kind", "status")),
    ("model_calls", "Calls to models that ended in the last five minutes.", ("task", "outcome")),
)


def _in_cache() -> tuple[bool, Any]:
    """Return whether a worker was seen, and what the whole site shares, Redis or not."""
    from redis import RedisError  # a start without Redis needn't wait for it

    try:
        seen = bool(cache.get(WORKER_SEEN)) or not settings.REDIS_URL
        return seen, cache.get_or_set(SHARED, _count, SHARED_FOR)
    except RedisError:
        return False, _count()


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"interviewsite_{name}", help_text, value=value)


def _count() -> dict[str, Any]:
    people = Session.objects.filter(preview=False, synthetic=False)
    lately = LLMCall.objects.filter(created_at__gt=timezone.now() - LATELY)
    return {
        "alerts_waiting": wanting(people).count(),
        "spent_dollars": float(spent_today()),
        "sessions": _by(people, "status"),
        "jobs": _jobs(),
        "model_calls": _by(lately, "task", "outcome"),
    }


def _jobs() -> dict[tuple[str, ...], int]:
    kinds = [kind for kind in apps.get_models() if issubclass(kind, Job)]
    counts = {kind.__name__: _by(kind._base_manager.all(), "status") for kind in kinds}
    return {
        (name, status): found.get((status,), 0) for name, found in counts.items() for status in OPEN
    }


def _by(rows: QuerySet[Any], *fields: str) -> dict[tuple[str, ...], int]:
    counts = rows.order_by().values_list(*fields).annotate(Count("pk"))
    return {tuple(values): count for *values, count in counts}


REGISTRY.register(SiteCollector())
