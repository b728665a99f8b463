from django.apps import AppConfig


class LLMConfig(AppConfig):
    name = "llm"
    verbose_name = "Models"

    def ready(self) -> None:
        from llm import checks  # noqa: F401  (registers them)
