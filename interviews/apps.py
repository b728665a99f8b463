from importlib import import_module

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.module_loading import module_has_submodule

PARTS = ("rows", "exports", "admin")  # modules in which protocols register their own parts


class InterviewsConfig(AppConfig):
    name = "interviews"
    verbose_name = "Fieldwork"

    def ready(self) -> None:
        from interviews.protocols import PROTOCOLS
        from interviews.search.index import make_index
        from interviews.turns.withdrawal import lock_unless_gone
        from llm.calls.log import store_only_if

        store_only_if(lock_unless_gone)
        post_migrate.connect(make_index, sender=self)
        for name in PROTOCOLS:
            folder = import_module(f"interviews.protocols.{name}")
            for part in PARTS:
                if module_has_submodule(folder, part):
                    import_module(f"{folder.__name__}.{part}")
