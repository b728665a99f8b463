"""Files of people: every line is taken or told of, whatever is in it."""

import csv
import io
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.recruitment.invitations.people_file import (
    Invitee,
    InviteeFile,
    KnownInvitees,
    parse_deadline,
    read_people,
)
from tests.each import each
from tests.examples import examples

NOW = datetime(2030, 3, 1, 12, tzinfo=UTC)
HEAD = "name,email,language,reference,expires,wave\n"


def read(text: str | bytes, zone: str = "UTC", **known) -> InviteeFile:
    content = text if isinstance(text, bytes) else text.encode()
    return read_people(content, KnownInvitees(NOW, ZoneInfo(zone), **known))


def said(text: str | bytes, **known) -> list[str]:
    return [str(problem) for problem in read(text, **known).problems]


def test_columns_have_their_meaning_and_others_become_parameters():
    found = read(
        HEAD + '"Duarte, Ines",ines@example.org,pt-BR,R-1,2030-05-31,2\n' + "\n" + ",,,R-2,,\n"
    )
    assert not found.problems
    ines, other = found.people
    assert (ines.name, ines.email, ines.language) == ("Duarte, Ines", "ines@example.org", "pt-BR")
    assert ines.expires == datetime(2030, 5, 31, 23, 59, 59, 999999, UTC)
    assert ines.params == {"wave": "2"}
    assert other == Invitee(reference="R-2")


@each(
    ("heading", "cells", "name", "email"),
    [
        ("Full Name,Email", "Ada Novak,ada@example.org", "Ada Novak", "ada@example.org"),
        (
            "First Name,Last Name,E-mail Address",
            "Ada,Novak,a@example.org",
            "Ada Novak",
            "a@example.org",
        ),
        ("firstname,Email Address", "Ada,a@example.org", "Ada", "a@example.org"),
        ("Full Name,First Name,Last Name", "Ada M. Novak,Ada,Novak", "Ada M. Novak", ""),
        ("Name,Vorname,E-Mail-Adresse", "Novák,Ada,a@example.org", "Ada Novák", "a@example.org"),
        ("Nom,Prénom,Adresse e-mail", "Novak,Ada,a@example.org", "Ada Novak", "a@example.org"),
        ("Nome,Cognome,Indirizzo e-mail", "Ada,Novak,a@example.org", "Ada Novak", "a@example.org"),
        (
            "Nombre y apellidos,Correo electrónico",
            "Ada Novak,a@example.org",
            "Ada Novak",
            "a@example.org",
        ),
        (
            "Фамилия,Имя,Отчество,Электронная почта",
            "Новак,Ада,Ивановна,a@example.org",
            "Ада Ивановна Новак",
            "a@example.org",
        ),
        ("الاسم الكامل,البريد الإلكتروني", "آدا نوفاك,a@example.org", "آدا نوفاك", "a@example.org"),
    ],
)
def test_usual_headings_say_who_somebody_is(heading, cells, name, email):
    found = read(f"{heading}\n{cells}\n")
    assert not found.problems
    assert found.people == [Invitee(name, email)]
    assert not found.columns


@each(
    ("heading", "value", "kind"),
    [
        ("Phone Number", "1234", "a phone number"),
        ("Mobiltelefon", "1234", "a phone number"),
        ("contact", "+39 06 1234 5678", "a phone number"),
        ("Second e-mail", "", "an address"),
        ("backup", "ada@example.com", "an address"),
        ("Greeting", "Dear Ms Novak", "a name"),
        ("Maiden name", "Kovar", "a name"),
        ("Date of birth", "1980-01-01", "a date of birth"),
        ("access_token", "1", "a secret"),
        ("ref2", "eyJhbGciOiJIUzI1NiIsInR5cCI6", "a secret"),
        ("profile", "https://example.org/ada", "a link"),
        ("wave", "2", ""),
        ("Region", "North-East", ""),
        ("PROLIFIC_PID", "5f1b0c9a8d7e6f5a4b3c2d1e", ""),
    ],
)
def test_columns_that_tell_who_somebody_is_are_flagged(heading, value, kind):
    found = read(f"name,{heading}\nAda Novak,{value or 'x'}\n", declared=["prolific_pid"])
    assert [(one.name, one.looks_like) for one in found.columns] == [(heading, kind)]


def test_a_column_that_is_left_out_is_nowhere():
    found = read("Full Name,Email,Phone Number,wave\nAda Novak,ada2@example.org,1234,2\n")
    wanted = [one.name for one in found.columns if not one.looks_like]
    assert found.with_columns(wanted) == [
        Invitee("Ada Novak", "ada2@example.org", params={"wave": "2"})
    ]


@each(
    "content",
    [
        "Name;E-Mail;Wave\r\nŽofie Černá;zofie@example.org;2\r\n".encode("utf-8-sig"),
        "Name\tE-Mail\tWave\r\nŽofie Černá\tzofie@example.org\t2\r\n".encode("utf-16"),
        "Name,E-Mail,Wave\nŽofie Černá,zofie@example.org,2".encode(),
        "\ufeffName;E-Mail;Wave\rŽofie Černá;zofie@example.org;2\r".encode("utf-16-le"),
    ],
)
def test_what_spreadsheets_save_is_read(content):
    found = read(content)
    assert not found.problems
    assert found.people == [
        Invitee(name="Žofie Černá", email="zofie@example.org", params={"Wave": "2"})
    ]


def test_every_wrong_line_is_told_by_its_number_and_the_others_can_be_taken():
    found = read(
        HEAD
        + "Ina,not an address,,R-1,,\n"
        + "Jon,jon@example.org,Englisch,R-2,,\n"
        + '"Two\nlines",two@example.org,,R-3,,\n'
        + "Kim,kim@example.org,,R-3,soon,\n"
        + "Lea,lea@example.org,,,2029-01-01,\n"
        + "Mia,mia@example.org\n"
        + "Nor,TWO@example.org,,R-9,,\n"
        + "Two lines,TWO@example.org,,R-8,,\n"
    )
    assert [str(problem) for problem in found.problems] == [
        "line 2, email: Enter a valid email address.",
        "line 3, language: Use a language tag such as en, it, ru or pt-BR.",
        "line 6, expires: “soon” is not a date. Write it as 2030-05-31.",
        "line 6, reference: “R-3” is already on line 4",
        "line 7, expires: “2029-01-01” has passed",
        "line 8: 2 cells, but the heading has 6",
        "line 10, email: “TWO@example.org” is already on line 4",
    ]
    assert [person.reference for person in found.people] == ["R-3", "R-9"]
    assert found.people[0].name == "Two lines"


@each(
    ("tag", "fits"),
    [("", True), ("en-GB", True), ("pt", True), ("pt-PT", True), ("it", False), ("xx-yy", False)],
)
def test_a_language_that_the_bot_lacks_is_told(tag, fits):
    why = f"line 2, language: The bot isn't available in “{tag}”. Use one of: en, pt-BR."
    assert said(f"name,language\nIna,{tag}\n", languages=["en", "pt-BR"]) == [why] * (not fits)


def test_who_is_invited_already_is_told():
    known = {"references": {"R-1": "is already invited"}}
    assert said("reference\nR-1\n", **known) == ["line 2, reference: “R-1” is already invited"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the first line must name the columns"),
        (b"Ina;ina@example.org\n", "the first line must name the columns"),
        (b"name,name\nIna,Ina\n", "there are two columns called “name”"),
        (b"name\n", "the list is empty"),
        ("name\nŽofie\n".encode("cp1250"), "can't be read"),
        (b'name\n"Ina\n', "not valid CSV"),
        (b"name\nI\0na\n", "U+0000"),
        (b"name," + b",".join(b"p%d" % i for i in range(60)) + b"\n", "more than 50 columns"),
        (b"name\n" + b"Ina\n" * 10_001, "more than 10,000 people"),
        (b"name,,wave\nIna,x,2\n", "in a column without a name"),
        (b"name,,,wave\nIna,x,,2\n", "“x” is in a column without a name"),
        (b"name,chosen\nIna,x\n", "is reserved"),
        (b"name,wave\nIna," + b"2" * 501 + b"\n", "longer than 500"),
        (b"name\n" + b"x" * 3_000_000, "larger than 2 MB"),
    ],
)
def test_a_file_that_is_none_says_why(content, why):
    found = read(content)
    assert why in str(found.problems[0])
    assert not found.people


def test_a_day_lasts_until_its_end_where_the_bot_is_at_home():
    rome = ZoneInfo("Europe/Rome")
    for text in ("2030-05-31", "31.05.2030", "31.5.2030", "31/05/2030", "05/31/2030"):
        at = parse_deadline(text, rome)
        assert at.astimezone(UTC) == datetime(2030, 5, 31, 21, 59, 59, 999999, UTC)
    assert parse_deadline("2030-05-31 18:00", rome) == datetime(2030, 5, 31, 16, tzinfo=UTC)
    assert parse_deadline("2030-05-31T18:00Z", rome) == datetime(2030, 5, 31, 18, tzinfo=UTC)
    for text in ("", "05/06/2030", "31/31/2030", "31.02.2030", "2030-13-01", "tomorrow"):
        with pytest.raises(ValueError):
            parse_deadline(text, rome)


def test_a_deadline_after_all_dates_is_told():
    late = "email,expires\nines@example.org,9999-12-31\n"
    (problem,) = read(late, "America/New_York").problems
    assert "Leave it empty for never" in str(problem)
    assert read(late, "Asia/Tokyo").people


WORDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
PEOPLE = st.lists(
    st.builds(
        Invitee,
        name=WORDS,
        email=st.sampled_from(["", "someone@example.org", "b.c+d@example.com"]),
        language=st.sampled_from(["", "en", "pt-BR"]),
        reference=WORDS,
        expires=st.none(),
        params=st.fixed_dictionaries({}, optional={"wave": WORDS, "Größe": WORDS}),
    ),
    min_size=1,
    max_size=8,
    unique_by=(lambda person: person.reference, lambda person: person.address),
)


@given(PEOPLE, st.sampled_from(",;\t"), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_what_is_written_is_read_again(people, delimiter, encoding):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerow(["name", "email", "language", "reference", "wave", "Größe"])
    for one in people:
        params = [one.params.get("wave", ""), one.params.get("Größe", "")]
        writer.writerow([one.name, one.email, one.language, one.reference, *params])
    found = read(out.getvalue().encode(encoding))
    assert not found.problems
    assert found.people == [_restored(one) for one in people]


def _restored(person: Invitee) -> Invitee:
    """An apostrophe that guards a formula is taken away, here as in every other file."""
    from plans.portability.table import restore

    told = {name: restore(getattr(person, name)) for name in ("name", "reference")}
    params = {name: restore(text) for name, text in person.params.items()}
    return Invitee(**told, email=person.email, language=person.language, params=params)


@settings(max_examples=examples(200))
@given(st.one_of(st.binary(max_size=400), st.text(max_size=400).map(lambda t: HEAD + t)))
def test_nothing_makes_it_fail(content):
    found = read(content)
    assert found.people or found.problems
    lines = [problem.line for problem in found.problems]
    assert lines == sorted(lines, key=lambda line: line or 0)


@given(st.lists(st.sampled_from(["R-1", "R-2", "not;one", "R-3", ""]), min_size=1, max_size=30))
def test_every_line_is_a_person_or_a_problem(references):
    found = read("reference\n" + "\n".join(f'"{one}"' for one in references) + "\n")
    filled = [one for one in references if one]
    if filled:
        assert len(found.people) + len(found.problems) == len(filled)
        kept = [person.reference for person in found.people]
        assert len(set(kept)) == len(kept)
