"""What is made of an interview after its end."""

from django.apps import AppConfig


class ReflectionsConfig(AppConfig):
    name = "reflections"
    verbose_name = "Results"

    def ready(self) -> None:
        """Brings its tables to the exports."""
        from interviews.exports.registry import bring
        from reflections.exports import ALL_REPORTS, REPORTS
        from reflections.transfer_exports import TRANSFER_SUMMARIES

        bring(REPORTS, ALL_REPORTS, TRANSFER_SUMMARIES)
