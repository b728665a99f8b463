"""`make transcripts`: writes one file for each protocol, mode and language into transcripts/."""

import argparse
import os
from pathlib import Path

import django
from django.core.management import call_command

import tests.environment  # noqa: F401  a world of its own, before the settings are read


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.transcripts", description=__doc__)
    options.add_argument("protocols", nargs="*", help="life_story …; all if none is named")
    options.add_argument("--folder", type=Path, default=Path("transcripts"))
    options.add_argument("--language", default="en", choices=("en", "it", "ru"))
    options.add_argument("--seed", type=int, default=1, help="other words of the scripted model")
    given = options.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "interviewsite.settings"
    django.setup()
    call_command("migrate", verbosity=0)
    from tests.transcripts import files  # needs the settings

    for path in files.write(given.folder, given.protocols, given.seed, given.language):
        print(path)


if __name__ == "__main__":
    main()
