from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from plans.demo.loader import load_demo


class Command(BaseCommand):
    help = (
        "Makes the shipped bots and scripts that are not there yet. What people have changed or "
        "deleted is left alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reset", action="store_true", help="Make them as they are shipped, changes or not."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = load_demo(reset=options["reset"])
        for title in loaded.made:
            self.stdout.write(f"Loaded: {title}")
        for title in loaded.skipped:
            self.stdout.write(f"Skipped: {title} (its kind of interview is not part of this site)")
        if loaded.left and options["verbosity"] > 1:
            self.stdout.write(f"Left as they are: {', '.join(loaded.left)}")
