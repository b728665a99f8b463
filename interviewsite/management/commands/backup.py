from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from interviewsite.operations import backups


class Command(BaseCommand):
    help = "Back up the database into one file, while the site is running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="where backups go, such as /var/backups")
        parser.add_argument("--keep", type=int, help="remove all but so many of the newest")
        parser.add_argument("--keys", type=Path, help="write SECRET_KEY and DATA_KEYS to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        folder, keep, keys = options["folder"], options["keep"], options["keys"]
        if keep is not None and keep < 1:
            raise CommandError("--keep must be at least 1.")
        try:
            path = backups.back_up(folder)
            if keys:
                backups.write_keys(keys)
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{path} ({path.stat().st_size:,} bytes)")
        if keys:
            self.stdout.write(f"Keys: {keys}. Store them apart from backups.")
        for old in backups.remove_all_but(folder, keep) if keep else []:
            self.stdout.write(f"Removed {old}")
