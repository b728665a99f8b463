"""Fields and models that the first migrations of all apps repeat."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import DO_NOTHING, SET_NULL
from simple_history.models import HistoricalChanges

ID = (
    "id",
    models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    ),
)
_STATUSES = {"pending": "Waiting", "running": "In progress", "ready": "Ready", "failed": "Failed"}
JOB = [
    ("status", models.CharField(choices=[*_STATUSES.items()], default="pending", max_length=10)),
    ("content", models.JSONField(blank=True, default=dict)),
    ("reason", models.TextField(blank=True)),
    ("attempts", models.PositiveSmallIntegerField(default=0)),
    ("claim", models.UUIDField(null=True)),
    ("claimed_until", models.DateTimeField(null=True)),
    ("finished_at", models.DateTimeField(null=True)),
]
_CHANGES = {"+": "Created", "~": "Changed", "-": "Deleted"}
_HISTORY = [
    ("history_id", models.AutoField(primary_key=True, serialize=False)),
    ("history_date", models.DateTimeField(db_index=True)),
    ("history_change_reason", models.CharField(max_length=100, null=True)),
    ("history_type", models.CharField(choices=[*_CHANGES.items()], max_length=1)),
    (
        "history_user",
        models.ForeignKey(
            null=True, on_delete=SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
        ),
    ),
]


def history(name, fields, verbose, plural):
    """Return the operation that creates the model of the past versions of `name`."""
    old = [(key, _old(field)) for key, field in fields if not field.many_to_many]
    options = {
        "verbose_name": f"historical {verbose}",
        "verbose_name_plural": f"historical {plural}",
        "ordering": ("-history_date", "-history_id"),
        "get_latest_by": ("history_date", "history_id"),
    }
    bases = (HistoricalChanges, models.Model)
    return migrations.CreateModel(f"Historical{name}", old + _HISTORY, options, bases)


def _old(field):
    """Return the field of a past version: not unique, not set by itself, no constraint."""
    if field.primary_key:
        return models.BigIntegerField(
            auto_created=True, blank=True, db_index=True, verbose_name="ID"
        )
    _, _, args, kwargs = field.deconstruct()
    if kwargs.pop("auto_now", False) or kwargs.pop("auto_now_add", False):
        kwargs |= {"blank": True, "editable": False}
    if field.many_to_one:
        kwargs |= {"blank": True, "null": True, "db_constraint": False}
        kwargs |= {"on_delete": DO_NOTHING, "related_name": "+"}
    kwargs.pop("unique", None)
    return type(field)(*args, **kwargs)
