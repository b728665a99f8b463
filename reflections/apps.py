"""What is made of an interview after its end."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ReflectionsConfig(AppConfig):
    name = "reflections"
    verbose_name = "Results"

    def ready(self) -> None:
        """Brings its tables to the exports, and its experts into the database."""
        from interviews.exports.registry import bring
        from reflections import calibration_exports
        from reflections.experts.shipping import ship
        from reflections.exports import ALL_REPORTS, REPORTS
        from reflections.told_exports import TABLES
        from reflections.transfer_exports import TRANSFER_SUMMARIES

        bring(REPORTS, ALL_REPORTS, TRANSFER_SUMMARIES, *TABLES, *calibration_exports.TABLES)
        post_migrate.connect(ship, sender=self)
