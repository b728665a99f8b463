"""Reads a CSV file of people to invite; problems are reported by line number."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.dateparse import parse_date, parse_datetime

from interviews.models import Invitation
from interviews.recruitment.invitations.columns import (
    KNOWN,
    NAME_PARTS,
    ParameterColumn,
    full_name,
    known_column,
    parameter_columns,
)
from interviews.recruitment.panel_parameters import LONGEST_NAME, LONGEST_VALUE, MOST
from plans.forms.bot import text_languages
from plans.models import Bot
from plans.models.eligibility import RESERVED, known_params
from plans.models.script import validate_language
from plans.portability.decoder import LIMIT, checked
from plans.portability.problems import BrokenDocument, Problem, broken
from plans.portability.table import numbered_rows
from plans.text.languages import match_language

OWN_COLUMNS = {*KNOWN, *NAME_PARTS}
REQUIRED_COLUMNS = {"name", "first", "last", "email", "reference"}  # one of them at least
MOST_PEOPLE = 10_000
DAY = re.compile(r"(?P<first>\d{1,2})(?P<mark>[./])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})")
UTF16 = (b"\xff\xfe", b"\xfe\xff")
Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class Invitee:
    """A person to invite. `params` become the interview's link parameters."""

    name: str = ""
    email: str = ""
    language: str = ""
    reference: str = ""
    expires: datetime | None = None
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> tuple[str, str]:
        """What identifies a duplicate; a family may share a mailbox."""
        return (self.email.lower(), self.name.lower())


@dataclass(slots=True)
class KnownInvitees:
    """Who was invited before, and the time, zone and languages by which lines are read."""

    now: datetime
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    languages: Sequence[str] = ()  # the bot's
    declared: Sequence[str] = ()  # parameters that the bot itself names
    references: dict[str, str] = field(default_factory=dict)  # to where they were seen
    addresses: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(slots=True)
class InviteeFile:
    """`columns` become parameters of every export, unless they are left out."""

    people: list[Invitee] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    columns: list[ParameterColumn] = field(default_factory=list)

    def with_columns(self, names: Container[str]) -> list[Invitee]:
        """Return the people with these parameters only."""
        return [
            replace(one, params={name: v for name, v in one.params.items() if name in names})
            for one in self.people
        ]


class LineForm(forms.Form):
    name = forms.CharField(required=False, max_length=200)
    email = forms.EmailField(required=False, max_length=254)
    language = forms.CharField(required=False, max_length=12, validators=[validate_language])
    reference = forms.CharField(required=False, max_length=100)


def known_invitees(bot: Bot, now: datetime) -> KnownInvitees:
    declared = [spelling for param in known_params(bot) for spelling in param.spellings]
    known = KnownInvitees(now, ZoneInfo(bot.time_zone), text_languages(bot), declared)
    rows = Invitation.objects.filter(bot=bot).values_list("reference", "email", "name")
    for reference, email, name in rows.iterator():
        _register(known, Invitee(name, email, reference=reference), "is already invited")
    return known


def read_people(content: bytes, known: KnownInvitees) -> InviteeFile:
    """Read a CSV file. Adds its people to `known`, so that duplicates are found."""
    file = InviteeFile()
    try:
        for line, cells in _rows(decode(content)):
            _add_line(file, known, line, cells)
    except BrokenDocument as error:
        return InviteeFile(problems=error.problems)
    if not file.people and not file.problems:
        file.problems.append(Problem("the list is empty"))
    rows = [((one.name, one.email), one.params) for one in file.people]
    file.columns = parameter_columns(rows, known.declared)
    return file


def decode(content: bytes) -> str:
    """Decode UTF-8, or UTF-16 as Excel writes it. Raises BrokenDocument."""
    if len(content) > LIMIT:
        raise broken("The file is larger than 2 MB. Split it.")
    encoding = "utf-16" if content.startswith(UTF16) else "utf-8-sig"
    try:
        return checked(content.decode(encoding))
    except UnicodeDecodeError as error:
        raise broken(
            "The characters in this file can't be read. Save it as “CSV UTF-8”.",
            content.count(b"\n", 0, error.start) + 1,
        ) from error


def parse_deadline(text: str, zone: ZoneInfo) -> datetime:
    """Parse a time, or a date as the end of that day. Raises ValueError."""
    day = parse_date(text) or _european_date(text)
    at = datetime.combine(day, time.max) if day else parse_datetime(text)
    if at is None:
        raise ValueError(text)
    return at if at.tzinfo else at.replace(tzinfo=zone)


def parse_expiry(text: str, zone: ZoneInfo, now: datetime) -> datetime | None:
    """Parse when an invitation ends, to come; empty means never. Raises ValueError, saying why."""
    if not text:
        return None
    try:
        at = parse_deadline(text, zone).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"“{text}” is too late. Leave it empty for never") from None
    except ValueError:
        raise ValueError(f"“{text}” is not a date. Write it as 2030-05-31.") from None
    if at <= now:
        raise ValueError(f"“{text}” has passed")
    return at


def language_problem(tag: str, languages: Sequence[str]) -> str:
    """Return what is wrong with a language tag of an invitation to a bot with these languages."""
    if not tag or not languages or match_language(tag, languages):
        return ""
    return f"The bot isn't available in “{tag}”. Use one of: {', '.join(languages)}."


def _european_date(text: str) -> date | None:
    """Parse 31.5.2030 or 31/5/2030. With slashes the day must tell itself from the month."""
    parts = DAY.fullmatch(text.strip())
    if parts is None:
        return None
    first, second, year = int(parts["first"]), int(parts["second"]), int(parts["year"])
    if parts["mark"] == "/" and max(first, second) <= 12 and first != second:
        return None  # Europe and America mean different days
    day, month = (second, first) if parts["mark"] == "/" and second > 12 else (first, second)
    try:
        return date(year, month, day)
    except ValueError:
        return None


# -- lines


def _add_line(
    file: InviteeFile, known: KnownInvitees, line: int, cells: Mapping[str, str] | str
) -> None:
    if isinstance(cells, str):
        file.problems.append(Problem(cells, line))
        return
    own = {**cells, "name": full_name(cells)}
    form = LineForm({name: " ".join(own.get(name, "").split()) for name in KNOWN})
    problems = [Problem(str(errors[0]), line, name) for name, errors in form.errors.items()]
    person = _person(form, cells)
    try:
        expires = parse_expiry(cells.get("expires", "").strip(), known.zone, known.now)
        person = replace(person, expires=expires)
    except ValueError as error:
        problems.append(Problem(str(error), line, "expires"))
    if problem := language_problem(person.language, known.languages):
        problems.append(Problem(problem, line, "language"))
    problems += [Problem(text, line, name) for name, text in _duplicates(person, known)]
    if problems or (column := _too_long(person)):
        file.problems += problems or [
            Problem(f"is longer than {LONGEST_VALUE} characters", line, column)
        ]
        return
    _register(known, person, f"is already on line {line}")
    file.people.append(person)


def _person(form: LineForm, cells: Mapping[str, str]) -> Invitee:
    fields: dict[str, Any] = {name: form.cleaned_data.get(name, "") for name in form.fields}
    params = {name: text for name, text in cells.items() if name not in OWN_COLUMNS and text}
    return Invitee(**fields, params=params)


def _duplicates(person: Invitee, known: KnownInvitees) -> Iterator[tuple[str, str]]:
    if person.reference in known.references:
        yield "reference", f"“{person.reference}” {known.references[person.reference]}"
    if person.email and person.address in known.addresses:
        yield "email", f"“{person.email}” {known.addresses[person.address]}"


def _too_long(person: Invitee) -> str:
    return next((name for name, text in person.params.items() if len(text) > LONGEST_VALUE), "")


def _register(known: KnownInvitees, person: Invitee, where: str) -> None:
    if person.reference:
        known.references[person.reference] = where
    if person.email:
        known.addresses[person.address] = where


# -- cells


def _rows(text: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    lines = numbered_rows(text)
    heading = _heading(next(lines, (1, []))[1])
    count = 0
    for line, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        count += 1
        if count > MOST_PEOPLE:
            raise broken(f"there are more than {MOST_PEOPLE:,} people. Split the list.", line)
        yield line, _cells_by_column(heading, cells)


def _heading(cells: Cells) -> list[str]:
    names = [known_column(cell) for cell in cells]
    while names and not names[-1]:
        names.pop()
    problems = [
        Problem(f"there are two columns called “{name}”", 1)
        for name in sorted({name for name in names if name and names.count(name) > 1})
    ]
    if not REQUIRED_COLUMNS & set(names):
        problems.append(
            Problem("the first line must name the columns, including name, email or reference", 1)
        )
    problems += [
        Problem(f"“{name}” is reserved for the start page", 1)
        for name in names
        if name.casefold() in RESERVED and name not in KNOWN
    ]
    if len(names) > MOST:
        problems.append(Problem(f"there are more than {MOST} columns", 1))
    if any(len(name) > LONGEST_NAME for name in names):
        problems.append(Problem("a column's name is too long", 1))
    if problems:
        raise BrokenDocument(problems)
    return names


def _cells_by_column(heading: Sequence[str], cells: Cells) -> dict[str, str] | str:
    has_more = any(cell.strip() for cell in cells[len(heading) :])
    if has_more or len(cells) < len(heading):
        return f"{len(cells)} cells, but the heading has {len(heading)}"
    pairs = [(name, cell.strip()) for name, cell in zip(heading, cells, strict=False)]
    unnamed = next((cell for name, cell in pairs if cell and not name), "")
    return f"“{unnamed}” is in a column without a name" if unnamed else dict(pairs)
