import gc

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class InterviewsiteConfig(AppConfig):
    name = "interviewsite"

    def ready(self) -> None:
        from interviews import protocols  # noqa: F401
        from interviewsite import checks  # noqa: F401
        from interviewsite.admin.roles import make_roles

        post_migrate.connect(make_roles, sender=self)
        gc.freeze()
        gc.enable()
