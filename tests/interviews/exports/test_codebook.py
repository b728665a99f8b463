"""The codebook explains every column of every table, and nothing else."""

import re

import pytest
from django.core.management import call_command

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.exports import codebook
from interviews.exports.columns import Type
from interviews.exports.registry import TABLES
from interviews.protocols.topic_exploration.exploration import Phase
from interviews.protocols.topic_exploration.phases import PhaseRow
from plans.protocols import PROTOCOLS
from tests.interviews.exports.reading import csv_rows

NAME = re.compile(r"[a-z][a-z0-9_]*")
UNITS = {"questions", "topics", "rounds", "turns"}
COLUMNS = [(table, column) for table in TABLES.values() for column in table.columns]


def test_every_column_is_explained():
    assert [(table.name, one.name) for table, one in COLUMNS if not explained(one)] == []


def explained(column):
    named = NAME.fullmatch(column.name) and isinstance(column.type, Type)
    return named and len(column.meaning) > 8 and column.meaning.endswith(".")


def test_no_two_columns_differ_by_case_alone():
    for table in TABLES.values():
        names = [name.lower() for name in table.header]
        assert len(set(names)) == len(names), table.name


def test_as_a_table():
    rows = csv_rows(codebook.as_csv(TABLES.values()))
    assert [(r["table"], r["column"]) for r in rows] == [(t.name, c.name) for t, c in COLUMNS]
    by_column = {(r["table"], r["column"]): r for r in rows}
    assert "COMPLETED: Completed" in by_column["sessions", "status"]["values"]


def test_as_text():
    text = codebook.as_markdown(TABLES.values())
    for table, column in COLUMNS:
        assert f"## {table.name}\n" in text
        assert f"| `{column.name}` |" in text


def test_values_are_those_that_the_code_uses():
    columns = {(table.name, column.name): column for table, column in COLUMNS}
    assert set(columns["sessions", "status"].values) == set(SessionStatus.values)
    assert set(columns["transcripts", "role"].values) == set(SpeakerRole.values)
    assert set(columns["transcripts", "kind"].values) == set(EntryKind.values)
    assert set(columns["sessions", "protocol"].values) == set(PROTOCOLS)
    assert set(columns["sessions", "progress_unit"].values) == UNITS
    assert set(columns["signals", "phase"].values) == set(Phase)
    assert set(columns["signals", "rule"].values) == set(PhaseRow)


@pytest.mark.django_db
def test_from_the_command(capsysbinary):
    call_command("export", "all", table="sessions", codebook=True)
    rows = csv_rows(capsysbinary.readouterr().out)
    assert [row["column"] for row in rows] == TABLES["sessions"].header
