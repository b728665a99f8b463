import gc

from django.apps import AppConfig, apps
from django.apps.registry import Apps


class InterviewsiteConfig(AppConfig):
    name = "interviewsite"

    def ready(self) -> None:
        from interviews import protocols  # noqa: F401
        from interviewsite import checks  # noqa: F401

        if not apps.is_installed("allauth.mfa"):
            _keep_second_factors_sealed()
        gc.freeze()
        gc.enable()


def _keep_second_factors_sealed() -> None:
    """Have second factors resealed that stay in the database when `MFA` is switched off."""
    from django.db.models import JSONField, Model

    from interviews.security.key_rotation import SEALED

    class Authenticator(Model):  # noqa: DJ008  # nobody sees one
        data = JSONField()

        class Meta:
            apps = Apps()  # unknown to everything else
            app_label = "mfa"
            db_table = "mfa_authenticator"
            managed = False
            verbose_name_plural = "second factors"

    SEALED[Authenticator, "data"] = ("secret", "seed")
