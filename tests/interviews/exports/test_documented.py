"""The programs in docs/researchers.md read the ZIP of everything with the right types."""

import re
from pathlib import Path

import pandas as pd
import pytest

from interviews.exports.archive import archive_chunks, table_chunks
from interviews.exports.columns import Type
from interviews.exports.formats import FORMATS
from interviews.exports.registry import TABLES, shared_tables
from interviews.exports.selection import Selection
from tests.factories import SessionFactory, talk

DOCS = (Path(__file__).parents[3] / "docs" / "researchers.md").read_text(encoding="utf-8")
SAID = ["=1+1", "'quoted", "NA", "None", 'Ünï, "so"\nthen', "007"]
DTYPES = {"string": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean"}


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.+?read_export.+?)```", DOCS, re.DOTALL)[1]


@pytest.mark.django_db
def test_pandas_reads_every_table_with_its_types(tmp_path, monkeypatch):
    talk(SessionFactory(), SAID)
    chunks = archive_chunks(shared_tables(), Selection(), FORMATS["csv"])
    (tmp_path / "all.zip").write_bytes(b"".join(chunks))
    monkeypatch.chdir(tmp_path)
    made: dict = {}
    exec(block("python"), made)
    tables = made["read_export"]("all.zip")
    assert set(tables) == {table.name for table in shared_tables()}
    for name, frame in tables.items():
        assert list(frame.columns) == TABLES[name].header
        for column in TABLES[name].columns:
            is_time = column.type is Type.DATETIME
            dtype = frame[column.name].dtype
            right = (
                isinstance(dtype, pd.DatetimeTZDtype) if is_time else dtype == DTYPES[column.type]
            )
            assert right, f"{name}.{column.name}: {dtype}"
    transcripts = made["transcripts"]
    assert list(transcripts[transcripts["role"] == "participant"]["text"]) == SAID
    assert transcripts["experiment"].isna().all()


@pytest.mark.django_db
def test_pandas_reads_numbers_in_json_lines_as_the_texts_that_they_are(tmp_path, monkeypatch):
    numbers = {"PROLIFIC_PID": "007", "STUDY_ID": "1234e567"}
    SessionFactory(params=numbers)
    chunks = table_chunks(TABLES["sessions"], Selection(), FORMATS["jsonl"])
    (tmp_path / "sessions.jsonl").write_bytes(b"".join(chunks))
    monkeypatch.chdir(tmp_path)
    reads = re.search(r"`(pd\.read_json\(.+?\))`", DOCS)[1]
    [row] = eval(reads, {"pd": pd}).to_dict("records")
    assert (row["prolific_pid"], row["study_id"]) == ("007", "1234e567")
    assert row["started_at"].endswith("Z")


def test_r_knows_every_type_and_undoes_formulas_as_python_does():
    r = block("r")
    kinds = dict(re.findall(r'(\w+) = "(\w)"', re.search(r"types <- c\((.+?)\)", r)[1]))
    readr = {"string": "c", "integer": "i", "number": "d", "boolean": "l", "datetime": "T"}
    assert kinds == readr
    assert set(kinds) == {str(kind) for kind in Type}
    python = re.search(r'^undo = r"(.+)"$', DOCS, re.MULTILINE)[1]
    in_r = re.search(r'sub\("(.+?)", "\\\\1", x\)', r)[1]
    letters = re.sub(r"\\u(\w{4})", lambda found: chr(int(found[1], 16)), in_r)
    assert letters == python.replace(r"\0", "")  # R has no such character in a text
