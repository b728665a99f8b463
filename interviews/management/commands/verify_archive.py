import hashlib
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from interviews.exports.verification import MANIFEST, NotAnArchive, verify


class Command(BaseCommand):
    """`verify_archive all.zip`"""

    help = "Checks that a ZIP of interviews is as it was exported: nothing changed or missing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what export --table all has written")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"]
        try:
            manifest, problems = verify(path)
        except NotAnArchive as error:
            raise CommandError(str(error), returncode=2) from error
        if problems:
            count = f"{len(problems)} problem{'' if len(problems) == 1 else 's'}"
            raise CommandError("\n".join([f"{path} isn't as it was exported: {count}.", *problems]))
        rows = sum(one.get("rows", 0) for one in manifest["files"])
        with zipfile.ZipFile(path) as archive:
            digest = hashlib.sha256(archive.read(MANIFEST)).hexdigest()
        self.stdout.write(
            f"{path} is as it was exported at {manifest['made_at']} by Interviewsite "
            f"{manifest.get('interviewsite', '?')}: "
            f"{len(manifest['files'])} files, {rows:,} rows.\nSHA-256 of its manifest: {digest}"
        )
