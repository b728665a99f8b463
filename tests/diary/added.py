"""An app that adds the protocol before the others are ready, as two lines would."""

import os

from django.apps import AppConfig


class Added(AppConfig):
    name = "tests.diary"

    def ready(self) -> None:
        import interviews.protocols
        import plans.protocols

        for package in (plans.protocols, interviews.protocols):
            package.__path__.append(f"{os.environ['OUTSIDE']}/{package.__name__}")

        from interviews.protocols.diary import PROTOCOL
        from plans.protocols.diary.bot_options import DIARY

        plans.protocols.PROTOCOLS["diary"] = DIARY
        interviews.protocols.PROTOCOLS["diary"] = PROTOCOL
