"""What a model makes of all interviews of a study: an order of its codes, and a report."""

from django.db import models

from interviews.models import Session
from plans.jobs import Job
from plans.models import Bot


class ThemeSuggestions(Job):
    """How a model would order a codebook; its content is typed in themes.theme_suggestions."""

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, related_name="theme_suggestions")
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "theme suggestions"
        default_permissions = []
        constraints = Job.Meta.constraints

    def __str__(self) -> str:
        return f"Themes for {self.bot}"


class StudyReport(Job):
    """Statements on the themes of a study; its content is typed in themes.written."""

    name, title = "study_report", "Report on findings"
    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, related_name="study_report")
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = []  # the rights are those of excerpts and of reviews
        constraints = Job.Meta.constraints

    def __str__(self) -> str:
        return f"{self.title}: {self.bot}"


class ReportSource(models.Model):
    """An interview that a report is written from; deleting it takes its words out of the report."""

    report = models.ForeignKey(StudyReport, on_delete=models.CASCADE, related_name="sources")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="report_sources")

    class Meta:
        verbose_name = "place in a report on findings"
        verbose_name_plural = "places in reports on findings"
        default_permissions = []
        constraints = [
            models.UniqueConstraint(fields=["report", "session"], name="source_once_a_report")
        ]

    def __str__(self) -> str:
        return f"{str(self.session_id)[:8]} in {self.report_id}"
