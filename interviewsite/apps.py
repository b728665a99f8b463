import gc

from django.apps import AppConfig


class InterviewsiteConfig(AppConfig):
    name = "interviewsite"

    def ready(self) -> None:
        from interviews import protocols  # noqa: F401
        from interviewsite import checks  # noqa: F401

        gc.freeze()
        gc.enable()
