import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.turns.replay import first_difference


class Command(BaseCommand):
    """`replay SESSION` or `replay --all`; exit status 1 if anything differs."""

    help = "Makes interviews again without a model, and says whether they come out the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("session", nargs="*", type=UUID, help="ids of interviews")
        parser.add_argument("--all", action="store_true", help="every interview that has content")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["session"] and not options["all"]:
            raise CommandError("Name an interview, or say --all.", returncode=2)
        different = 0
        for session in _sessions(options["session"], options["all"]):
            difference = first_difference(session)
            different += bool(difference)
            self.stdout.write(f"{session.pk} {difference or 'same'}")
        if different:
            sys.exit(1)


def _sessions(keys: list[UUID], every: bool) -> Iterator[Session]:
    sessions = Session.objects.select_related("participant", "plan").order_by("started_at", "id")
    if every:
        return sessions.exclude(status=SessionStatus.WITHDRAWN).iterator(chunk_size=100)
    by_id = sessions.in_bulk(keys)
    missing = [str(key) for key in keys if key not in by_id]
    if missing:
        raise CommandError(f"There is no interview {', '.join(missing)}.", returncode=2)
    return iter([by_id[key] for key in keys])
