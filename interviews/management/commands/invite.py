from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, transaction
from django.utils import timezone

from interviews.models import Invitation
from interviews.recruitment.invitations.changes import invite
from interviews.recruitment.invitations.people_file import (
    Invitee,
    InviteeFile,
    known_invitees,
    language_problem,
    parse_expiry,
    read_people,
)
from interviews.recruitment.invitations.redeem import new_paths
from plans.forms.bot import text_languages
from plans.models import Bot
from plans.portability.table import write_rows

FIELDS = ("reference", "name", "email", "language")
EXPORT_HELP = "a column that looks like contact data and yet becomes a parameter of every export"
LOCAL = "http://127.0.0.1:8000"


class Command(BaseCommand):
    """`invite BOT people.csv -o links.csv`"""

    help = "Invites the people in a CSV file and writes their links. No letter is sent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("bot", help="the bot's address (slug)")
        add("people", nargs="?", type=Path, help="CSV: name, email, language, reference, expires")
        add("--count", type=int, default=0, help="so many without names, in place of a file")
        add("-o", "--output", type=Path, required=True, help="where the links go, as CSV")
        add("--expires", default="", help="for those without a day of their own: 2030-05-31")
        add("--language", default="", help="for those without one of their own: en")
        add("--site", default="", help="the site's address; default: SITE_URL")
        add("--export", action="append", default=[], metavar="COLUMN", help=EXPORT_HELP)
        add("--anyway", action="store_true", help="invite the others where lines can't be used")
        add("--no-reminders", action="store_true", help="remind nobody by itself")

    def handle(self, *args: Any, **options: Any) -> None:
        bot, output = _bot(options["bot"]), options["output"]
        if output.exists():
            raise _error(f"{output} is there already. Links are written once: name another file.")
        read = _read(bot, options)
        if read.problems and not options["anyway"]:
            raise _error("Nobody was invited:\n" + "\n".join(map(str, read.problems)))
        site = (options["site"] or settings.SITE_URL or LOCAL).rstrip("/")
        with transaction.atomic():  # nobody is invited whose link can't be written
            invited = _invite(bot, self._people(read, options["export"]), options)
            _write(output, invited, site)
        self.stdout.write(
            f"{len(invited):,} invited. Their links are in {output}, and nowhere else."
        )

    def _people(self, read: InviteeFile, wanted: list[str]) -> list[Invitee]:
        """Return the people without columns that look like contact data, unless they are wanted."""
        exported = [one.name for one in read.columns if not one.looks_like or one.name in wanted]
        if exported:
            self.stdout.write(f"In every export: {', '.join(exported)}.")
        for one in read.columns:
            if one.name not in exported:
                self.stdout.write(
                    f"Left out: {one.name}. It looks like {one.looks_like}; ", ending=""
                )
                self.stdout.write(f'to export it, add --export "{one.name}".')
        return read.with_columns(exported)


def _bot(slug: str) -> Bot:
    bot = Bot.objects.filter(slug=slug).first()
    if bot is None:
        known = ", ".join(Bot.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise _error(f"There is no bot “{slug}”. There are: {known}.")
    return bot


def _read(bot: Bot, options: dict[str, Any]) -> InviteeFile:
    path, count = options["people"], options["count"]
    if bool(path) == bool(count > 0):
        raise _error("Name a file of people, or say how many with --count.")
    if not path:
        return InviteeFile([Invitee()] * count)
    try:
        return read_people(path.read_bytes(), known_invitees(bot, timezone.now()))
    except OSError as error:
        raise _error(f"{path} can't be read: {error.strerror}.") from error


def _invite(bot: Bot, people: list[Invitee], options: dict[str, Any]) -> list[Invitation]:
    if not people:
        raise _error("There is nobody to invite.")
    if problem := language_problem(options["language"], text_languages(bot)):
        raise _error(problem)
    try:
        return invite(
            bot,
            people,
            expires=_expires(options["expires"], bot),
            language=options["language"],
            remind=not options["no_reminders"],
        )
    except IntegrityError as error:
        raise _error("Somebody else has just invited one of them. Try again.") from error


def _expires(text: str, bot: Bot) -> datetime | None:
    try:
        return parse_expiry(text, ZoneInfo(bot.time_zone), timezone.now())
    except ValueError as error:
        raise _error(str(error)) from error


def _write(path: Path, invitations: list[Invitation], site: str) -> None:
    rows = [
        {name: getattr(one, name) for name in FIELDS} | {"link": site + link}
        for one, link in zip(invitations, new_paths(invitations), strict=True)
    ]
    try:
        path.touch(mode=0o600, exist_ok=False)  # anyone with a link can open the interview
        path.write_text(write_rows((*FIELDS, "link"), rows), encoding="utf-8", newline="")
    except OSError as error:
        raise _error(f"{path} can't be written: {error.strerror}.") from error


def _error(why: str) -> CommandError:
    return CommandError(why, returncode=2)
