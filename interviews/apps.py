"""How an interview is led: sessions, turns, transcript."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.module_loading import module_has_submodule

PARTS = ("rows", "exports", "admin")  # modules by which a protocol registers what is its own


class InterviewsConfig(AppConfig):
    name = "interviews"
    verbose_name = "Fieldwork"

    def ready(self) -> None:
        """Imports what protocols register, in the order of their table."""
        from interviews.protocols import PROTOCOLS

        for name in PROTOCOLS:
            folder = import_module(f"interviews.protocols.{name}")
            for part in PARTS:
                if module_has_submodule(folder, part):
                    import_module(f"{folder.__name__}.{part}")
