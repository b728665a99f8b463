"""Names of files: paths, directions of writing, and what can't be seen."""

from hypothesis import given
from hypothesis import strategies as st

from plans.documents import FileKind
from plans.documents.file_types import clean, kind_of_name
from plans.documents.limits import NAME_CHARACTERS
from tests.each import each


@each(
    ("name", "expected"),
    [
        ("prices.xlsx", "prices.xlsx"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\notes.md", "notes.md"),
        ("folder/", "folder"),
        ("", "document"),
        ("..", "document"),
        ("a\x00b\r\n.pdf", "a b .pdf"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("a\u200b\u2066b.py", "ab.py"),
        ("\ud800.txt", "\ufffd.txt"),
        ("Прайс.xlsx", "Прайс.xlsx"),
        ("-rf", "-rf"),
        ("x" * 300 + ".docx", "x" * (NAME_CHARACTERS - 5) + ".docx"),
    ],
)
def test_a_name_is_cleaned(name, expected):
    assert clean(name) == expected


@given(st.text())
def test_any_name_comes_out_short_and_stays_as_it_is_when_cleaned_again(name):
    cleaned = clean(name)

    assert 0 < len(cleaned) <= NAME_CHARACTERS
    assert "/" not in cleaned
    assert "\x00" not in cleaned
    assert clean(cleaned) == cleaned


@each(
    ("name", "kind"),
    [
        ("a.TXT", FileKind.TEXT),
        ("a.b.MD", FileKind.MARKDOWN),
        ("run.sql", FileKind.CODE),
        ("Makefile", FileKind.CODE),
        ("a.unheard-of", None),
        (".py", None),
        ("plain", None),
    ],
)
def test_a_name_promises_a_kind(name, kind):
    assert kind_of_name(name) == kind
