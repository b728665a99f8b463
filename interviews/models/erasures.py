from django.db import connection, models
from django.utils import timezone


class Erasure(models.Model):
    """Something was deleted that PostgreSQL's files hold until its tables are vacuumed."""

    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"

    @classmethod
    def record(cls) -> None:
        """Call it in the transaction that deletes; SQLite erases by itself."""
        if connection.vendor == "postgresql":
            cls.objects.create()
