"""Remove from PostgreSQL's tables what was deleted: until then, its rows stay in the files."""

from datetime import timedelta

from celery import current_app
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from interviews.models import Erasure

TASK = "interviews.tasks.vacuum_deleted"
APPS = ("llm", "plans", "interviews", "reflections", "admin")
COMMITTED = timedelta(seconds=10)  # after its time, a deletion is committed
LOCK = 8_240_115_007  # whoever holds it vacuums
# Rows that a transaction begun before may still read aren't removed.
OLDEST = (
    "SELECT min(xact_start) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def sweep(at_once: bool = False) -> int:
    """Have the tables vacuumed if something was deleted; return how many deletions that is."""
    count = _due().count() if connection.vendor == "postgresql" else 0
    if count and settings.REDIS_URL:
        current_app.send_task(TASK, expires=settings.SWEEP_EVERY)
    elif count:
        vacuum_deleted()
    return count


def vacuum_deleted() -> None:
    """Vacuum all tables with people's words, unless somebody else is at it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
        if not cursor.fetchone()[0]:
            return
        try:
            if due := list(_due().values_list("pk", flat=True)):
                models = apps.get_models(include_auto_created=True)
                tables = {one._meta.db_table for one in models if one._meta.app_label in APPS}
                names = ", ".join(map(connection.ops.quote_name, sorted(tables)))
                cursor.execute(f"VACUUM (INDEX_CLEANUP ON) {names}")
                Erasure.objects.filter(pk__in=due).delete()
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def _due() -> QuerySet[Erasure]:
    """Return the deletions that no transaction from before can still see undone."""
    with connection.cursor() as cursor:
        cursor.execute(OLDEST)
        oldest = cursor.fetchone()[0]
    now = timezone.now()
    return Erasure.objects.filter(at__lt=min(now, oldest or now) - COMMITTED)
