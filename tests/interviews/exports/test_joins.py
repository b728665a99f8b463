"""docs/researchers.md says what the tables begin with, and how they are joined."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission

from interviews.exports.registry import TABLES, shared_tables
from tests.each import each

DOCS = (Path(__file__).parents[3] / "docs" / "researchers.md").read_text(encoding="utf-8")
BEGIN = re.search(r"Every table but (.+?) starts with the same eight columns: (.+?)\.", DOCS)


@each("name", TABLES)
def test_tables_begin_and_join_as_the_docs_say(name):
    columns = [column.name for column in TABLES[name].columns]
    others, common = (re.findall(r"`(\w+)`", part) for part in BEGIN.groups())
    assert len(common) == 8
    assert (columns[:8] == common) == (name not in others)
    assert "session_id" in columns or name in ("experiments", "codes", "findings")
    assert (columns[-2:] == ["experiment", "arm"]) == (name not in others)


def rows_of(header: str) -> list[list[str]]:
    """The rows of the table in the document that has this header."""
    body = DOCS.partition(header + "\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body.split("\n")[1:]]


@pytest.mark.django_db
def test_the_document_lists_every_table_and_permission():
    listed = [cell.strip("`") for cell, *_ in rows_of("| table | one row is | use it for |")]
    assert sorted(listed) == sorted(TABLES)
    named = {f"{one.content_type.app_label}.{one.codename}": one.name for one in permissions()}
    needed = {
        name: right.strip("*")
        for names, right in rows_of("| tables | permission |")
        for name in re.findall(r"`(\w+)`", names)
    }
    expected = {name: named[table.right] for name, table in TABLES.items() if table.right}
    assert needed == expected
    assert set(TABLES) - set(expected) == {table.name for table in shared_tables()}


def permissions():
    return Permission.objects.select_related("content_type")
