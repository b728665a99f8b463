from django.db import models

from interviews.models.session import Session
from plans.models import ExperimentArm


class Assignment(models.Model):
    """The arm an interview was sent to, and its place in the order of its stratum.

    A place is free again once its interview is neither completed nor alive, so that places may be
    held several times, one after the other. Retention leaves the places of completed interviews
    taken, without an interview.
    """

    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, null=True, related_name="assignment"
    )
    arm = models.ForeignKey(ExperimentArm, on_delete=models.CASCADE, related_name="assignments")
    stratum = models.CharField(max_length=600, blank=True)
    place = models.PositiveIntegerField()

    class Meta:
        default_permissions = ["view"]
        indexes = [models.Index(fields=["arm", "stratum"], name="assignment_of_stratum")]

    def __str__(self) -> str:
        return f"{self.arm}: place {self.place}"
