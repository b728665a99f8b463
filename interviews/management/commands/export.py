import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from interviews.choices import SessionStatus
from interviews.exports import codebook
from interviews.exports.downloads import file_chunks
from interviews.exports.formats import FORMATS
from interviews.exports.refi_qda.project import PROJECT_FORMATS
from interviews.exports.registry import EVERYTHING, TABLES, shared_tables
from interviews.exports.selection import Selection, days
from interviews.models import Session
from llm.languages import is_known
from plans.models import Bot
from plans.models.script import LANGUAGE_TAG


class Command(BaseCommand):
    """`export BOT --table transcripts --format csv -o transcripts.csv`"""

    help = "Writes a table of interviews, or the interviews with their codes (REFI-QDA)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("bot", help="the bot's address (slug), or “all”")
        among = f"{', '.join(TABLES)}, or “all”: a ZIP of those that need no right of their own"
        add("--table", default="transcripts", help=among)
        formats = [*FORMATS, *PROJECT_FORMATS]
        add("--format", default="csv", choices=formats, help="default: csv")
        add("-o", "--output", type=Path, help="a file; default: standard output")
        add(
            "--bom", action="store_true", help="begin CSV with a byte order mark, as Excel likes it"
        )
        add("--codebook", action="store_true", help="write what the columns mean instead (CSV)")
        add("--synthetic", action="store_true", help="interviews answered by programs too")
        add("--previews", action="store_true", help="interviews that were only tried out too")
        add("--since", type=date.fromisoformat, help="begun on that day (UTC) or later: 2026-03-01")
        add("--changed-since", type=_time, help="changed since a time (UTC): 2026-03-01T09:30")
        add("--until", type=date.fromisoformat, help="begun on that day (UTC) or earlier")
        add(
            "--status",
            action="append",
            choices=SessionStatus.values,
            default=[],
            help="can be repeated",
        )
        add("--language", default="", help="tag of the interview's language: en")
        add("--session", action="append", type=UUID, default=[], help="one interview; repeatable")

    def handle(self, *args: Any, **options: Any) -> None:
        chunks = _chunks(options)
        if options["output"]:
            _to_file(options["output"], chunks)
        else:
            self._to_standard_output(chunks, options)

    def _to_standard_output(self, chunks: Iterator[bytes], options: dict[str, Any]) -> None:
        binary: IO[bytes] | None = getattr(self.stdout, "buffer", None)
        table, form = options["table"], options["format"]
        is_text = form == "qdc" or (
            form in FORMATS and table != EVERYTHING and FORMATS[form].is_text
        )
        if not is_text and not options["codebook"] and (binary is None or self.stdout.isatty()):
            raise _error("This is no text: name a file with -o, or send it through a pipe.")
        try:
            for chunk in chunks:
                if binary is None:
                    self.stdout.write(chunk.decode(), ending="")
                else:
                    binary.write(chunk)
            self.stdout.flush()
        except BrokenPipeError:  # the reader has seen enough
            sys.stderr.close()


def _chunks(options: dict[str, Any]) -> Iterator[bytes]:
    chosen, table, form = _selection(options), options["table"], options["format"]
    if form in FORMATS and table not in (*TABLES, EVERYTHING):
        raise _error(f"There is no table “{table}”. There are: {', '.join(TABLES)}.")
    if form in PROJECT_FORMATS and options["codebook"]:
        raise _error("--codebook is for tables. For the codes alone, use --format qdc.")
    if options["codebook"]:
        tables = shared_tables() if table == EVERYTHING else [TABLES[table]]
        return iter([codebook.as_csv(tables, options["bom"])])
    return file_chunks(TABLES, table, chosen, form, options["bom"])[0]


def _selection(options: dict[str, Any]) -> Selection:
    since, before = days(options["since"], options["until"])
    if since and before and since >= before:
        raise _error("--until is before --since.")
    bot = _bot(options["bot"])
    return Selection(
        bot=bot,
        sessions=_sessions(bot, options["session"]),
        since=since,
        before=before,
        changed_since=options["changed_since"],
        statuses=tuple(options["status"]),
        language=_language(options["language"]),
        synthetic=options["synthetic"],
        previews=options["previews"],
    )


def _time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:  # the year 0 or 10,000 there
        raise ArgumentTypeError(f"{text} is no time in UTC") from error


def _bot(slug: str) -> int | None:
    known = dict(Bot.objects.values_list("slug", "pk"))
    if slug not in known and slug != EVERYTHING:
        there = ", ".join(sorted(known)) or "none yet"
        raise _error(f"There is no bot “{slug}”. There are: {there}.")
    return known.get(slug)


def _sessions(bot: int | None, keys: Sequence[UUID]) -> tuple[UUID, ...]:
    chosen = Selection(bot=bot, sessions=tuple(keys), synthetic=True, previews=True)
    known = chosen.queryset().values_list("pk", flat=True) if keys else ()
    if unknown := set(keys).difference(known):
        where = "" if bot is None else " of this bot"
        raise _error(f"There is no interview {', '.join(sorted(map(str, unknown)))}{where}.")
    return chosen.sessions


def _language(tag: str) -> str:
    known = re.fullmatch(LANGUAGE_TAG, tag) and is_known(tag)
    if tag and not known and not Session.objects.filter(language=tag).exists():
        raise _error(f"There is no language “{tag}”. Use a tag such as en, it, ru or pt-BR.")
    return tag


def _to_file(path: Path, chunks: Iterator[bytes]) -> None:
    # a partial file never has the requested name
    half = path.with_name(f".{path.name}.half")
    try:
        with half.open("wb") as out:
            for chunk in chunks:
                out.write(chunk)
        half.replace(path)
    except OSError as error:
        raise _error(f"{path} can't be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            half.unlink()


def _error(why: str) -> CommandError:
    return CommandError(why, returncode=2)
