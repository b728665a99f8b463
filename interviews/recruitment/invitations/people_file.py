"""A file of people: every line is read, and what is wrong with it is told by its number."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.dateparse import parse_date, parse_datetime

from interviews.models import Invitation
from interviews.recruitment.panel_parameters import LONGEST_NAME, LONGEST_VALUE, MOST
from plans.models import Bot
from plans.models.eligibility import RESERVED
from plans.models.script import validate_language
from plans.portability.decoder import LIMIT, checked
from plans.portability.problems import BrokenDocument, Problem, broken
from plans.portability.table import restore

KNOWN = ("name", "email", "language", "reference", "expires")
NAMING = ("name", "email", "reference")  # one of them shows that the first line is a heading
ALIASES = {"e-mail": "email", "mail": "email"}
MOST_PEOPLE = 10_000
DAY_IN_WORDS = "%d.%m.%Y"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class Invitee:
    """Somebody who is to be invited. `params` go into the interview."""

    name: str = ""
    email: str = ""
    language: str = ""
    reference: str = ""
    expires: datetime | None = None
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> tuple[str, str]:
        """By which they would be known a second time; a family may share a mailbox."""
        return (self.email.lower(), self.name.lower())


@dataclass(slots=True)
class KnownInvitees:
    """Who has been invited before, and when and where a line is read."""

    now: datetime
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    references: dict[str, str] = field(default_factory=dict)  # to where they stand
    addresses: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(slots=True)
class InviteeFile:
    """What a file came to: people that can be invited, and what is wrong with the other lines."""

    people: list[Invitee] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class LineForm(forms.Form):
    """The cells that have a meaning of their own."""

    name = forms.CharField(required=False, max_length=200)
    email = forms.EmailField(required=False, max_length=254)
    language = forms.CharField(required=False, max_length=12, validators=[validate_language])
    reference = forms.CharField(required=False, max_length=100)


def known_of(bot: Bot, now: datetime) -> KnownInvitees:
    """Who has been invited to that bot."""
    known = KnownInvitees(now, ZoneInfo(bot.time_zone))
    rows = Invitation.objects.filter(bot=bot).values_list("reference", "email", "name")
    for reference, email, name in rows.iterator():
        _remember(known, Invitee(name, email, reference=reference), "is invited already")
    return known


def read_people(content: bytes, known: KnownInvitees) -> InviteeFile:
    """The people in a CSV file. `known` learns of them, so that nobody is in it twice."""
    read = InviteeFile()
    try:
        for line, cells in _rows(decoded(content)):
            _take(read, known, line, cells)
    except BrokenDocument as error:
        return InviteeFile(problems=error.problems)
    if not read.people and not read.problems:
        read.problems.append(Problem("there is nobody in it"))
    return read


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8 or in what Excel calls Unicode. Raises BrokenDocument."""
    if len(content) > LIMIT:
        raise broken("The file is larger than 2 MB. Send it in parts.")
    encoding = "utf-16" if content.startswith(UTF16) else "utf-8-sig"
    try:
        return checked(content.decode(encoding))
    except UnicodeDecodeError as error:
        raise broken(
            "The letters in this file can't be read. Save it as “CSV UTF-8”.",
            content.count(b"\n", 0, error.start) + 1,
        ) from error


def until(text: str, zone: ZoneInfo) -> datetime:
    """A time, or the end of a day. Raises ValueError for what is neither."""
    day = parse_date(text) or _day_in_words(text)
    at = datetime.combine(day, time.max) if day else parse_datetime(text)
    if at is None:
        raise ValueError(text)
    return at if at.tzinfo else at.replace(tzinfo=zone)


def _day_in_words(text: str) -> Any:
    try:
        return datetime.strptime(text, DAY_IN_WORDS).date()
    except ValueError:
        return None


# -- lines


def _take(
    read: InviteeFile, known: KnownInvitees, line: int, cells: Mapping[str, str] | str
) -> None:
    """One line, to the people or to the problems."""
    if isinstance(cells, str):
        read.problems.append(Problem(cells, line))
        return
    form = LineForm({name: " ".join(cells.get(name, "").split()) for name in KNOWN})
    wrong = [
        Problem(str(said[0]), line, name) for name, said in form.errors.items() if name in KNOWN
    ]
    person = _person(form, cells)
    try:
        person = replace(person, expires=_expires(cells.get("expires", ""), known))
    except ValueError as error:
        wrong.append(Problem(str(error), line, "expires"))
    wrong += [Problem(said, line, name) for name, said in _twice(person, known)]
    if wrong or (long := _too_long(person)):
        read.problems += wrong or [
            Problem(f"is longer than {LONGEST_VALUE} characters", line, long)
        ]
        return
    _remember(known, person, f"stands in line {line} already")
    read.people.append(person)


def _person(form: LineForm, cells: Mapping[str, str]) -> Invitee:
    told = {name: str(form.cleaned_data.get(name, "")) for name in form.fields}
    return Invitee(
        name=told["name"],
        email=told["email"],
        language=told["language"],
        reference=told["reference"],
        params={name: text for name, text in cells.items() if name not in KNOWN and text},
    )


def _expires(cell: str, known: KnownInvitees) -> datetime | None:
    """Raises ValueError with what to say."""
    if not cell.strip():
        return None
    try:
        at = until(cell.strip(), known.zone)
    except ValueError:
        said = f"“{cell.strip()}” is no day. Write it as 2030-05-31."
        raise ValueError(said) from None
    if at <= known.now:
        raise ValueError(f"“{cell.strip()}” is over already")
    return at


def _twice(person: Invitee, known: KnownInvitees) -> Iterator[tuple[str, str]]:
    if person.reference in known.references:
        yield "reference", f"“{person.reference}” {known.references[person.reference]}"
    if person.email and person.address in known.addresses:
        yield "email", f"“{person.email}” {known.addresses[person.address]}"


def _too_long(person: Invitee) -> str:
    """The column whose words wouldn't fit into an interview."""
    return next((name for name, text in person.params.items() if len(text) > LONGEST_VALUE), "")


def _remember(known: KnownInvitees, person: Invitee, where: str) -> None:
    if person.reference:
        known.references[person.reference] = where
    if person.email:
        known.addresses[person.address] = where


# -- cells


def _rows(text: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Each line that holds something by its columns, or what is wrong with it."""
    lines = _lines(text)
    heading = _heading(next(lines, (1, []))[1])
    count = 0
    for line, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        count += 1
        if count > MOST_PEOPLE:
            raise broken(f"there are more than {MOST_PEOPLE:,} people. Send it in parts.", line)
        yield line, _by_column(heading, cells)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line that each begins on; quoted cells may span several."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, [restore(cell) for cell in cells]
            begins = reader.line_num + 1
    except csv.Error as error:
        raise broken(f"This is not valid CSV: {error}.", begins) from error


def _delimiter(text: str) -> str:
    """Comma, or what Excel writes in its place where the comma is for decimals."""
    heading = text.split("\n", 1)[0]
    return max(",;\t", key=heading.count)


def _heading(cells: Cells) -> list[str]:
    """The columns' names; empty where a column has none. Raises BrokenDocument."""
    names = [_column(cell) for cell in cells]
    while names and not names[-1]:
        names.pop()
    problems = [
        Problem(f"the column “{name}” is there twice", 1)
        for name in sorted({name for name in names if name and names.count(name) > 1})
    ]
    if not set(names) & set(NAMING):
        problems.append(
            Problem("the first line names the columns: name, email or reference among them", 1)
        )
    problems += [
        Problem(f"“{name}” has a meaning of its own on the start page", 1)
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


def _column(cell: str) -> str:
    """Known ones in whichever case; the names of params stay as they are."""
    plain = " ".join(cell.split())
    known = ALIASES.get(plain.lower(), plain.lower())
    return known if known in KNOWN else plain


def _by_column(heading: Sequence[str], cells: Cells) -> dict[str, str] | str:
    more = [cell for cell in cells[len(heading) :] if cell.strip()]
    if more or len(cells) < len(heading):
        return f"{len(cells)} cells, where the heading has {len(heading)}"
    named = [(name, cell.strip()) for name, cell in zip(heading, cells, strict=False)]
    lost = next((cell for name, cell in named if cell and not name), "")
    return f"“{lost}” stands in a column without a name" if lost else dict(named)
