from django.conf import settings
from django.db import models


class ExportToken(models.Model):
    """Lets a program export what its user may export. Only its hash is stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="export_tokens"
    )
    name = models.CharField(max_length=60, help_text="The program that uses it.")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        default_permissions = ["add", "view", "delete"]

    def __str__(self) -> str:
        return self.name
