"""docs/researchers.md says what the tables begin with, and how they are joined."""

import re
from pathlib import Path

import pytest

from interviews.exports.registry import TABLES

DOCS = (Path(__file__).parents[3] / "docs" / "researchers.md").read_text(encoding="utf-8")
BEGIN = re.search(r"Every table but `(\w+)` starts with the same eight columns: (.+?)\.", DOCS)


@pytest.mark.parametrize("name", TABLES)
def test_tables_begin_and_join_as_the_docs_say(name):
    columns = [column.name for column in TABLES[name].columns]
    common = re.findall(r"`(\w+)`", BEGIN[2])
    assert len(common) == 8
    assert (columns[:8] == common) == (name != BEGIN[1])
    assert "session_id" in columns
    assert (columns[-2:] == ["experiment", "arm"]) == (name != BEGIN[1])
