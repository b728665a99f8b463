from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from interviews.models import Session, TranscriptEntry
from interviewsite.operations import backups
from interviewsite.processes import background


class Command(BaseCommand):
    help = "Restore a backup into an empty database, and migrate it to this version."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what manage.py backup has written")

    def handle(self, *args: Any, **options: Any) -> None:
        background.lock_data_dir()
        try:
            manifest = backups.restore(options["file"])
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        call_command("migrate", verbosity=0)
        sessions, entries = Session.objects.count(), TranscriptEntry.objects.count()
        self.stdout.write(
            f"Restored the backup of {manifest['made']} (version {manifest['version']}): "
            f"{sessions:,} interviews, {entries:,} transcript entries."
        )
        self.stdout.write(
            "Start the site with the same SECRET_KEY and DATA_KEYS, or contact data can't be read."
        )
