"""The ZIP of everything: complete, without names, and what the manifest says of it is true."""

import hashlib
import io
import json
import zipfile

import pytest

from interviews.exports.archive import archive_chunks
from interviews.exports.formats import FORMATS
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import READERS

pytestmark = pytest.mark.django_db


def archive(form: str = "csv") -> zipfile.ZipFile:
    tables = [table for table in TABLES.values() if not table.right]
    content = b"".join(archive_chunks(tables, Selection(), FORMATS[form]))
    return zipfile.ZipFile(io.BytesIO(content))


@pytest.mark.parametrize("form", FORMATS)
def test_the_manifest_is_true(form):
    session = talk(SessionFactory(participant__name="Cassiopeia"), ["one", "two"])
    files = archive(form)
    assert files.testzip() is None
    manifest = json.loads(files.read("manifest.json"))
    assert manifest["selection"] == {"synthetic": False, "previews": False}
    named = {one["file"] for one in manifest["files"]} | {"manifest.json"}
    assert named == set(files.namelist())
    for one in manifest["files"]:
        content = files.read(one["file"])
        assert hashlib.sha256(content).hexdigest() == one["sha256"]
        assert len(content) == one["bytes"]
        assert b"Cassiopeia" not in content
        if "rows" in one:
            assert len(READERS[form](content)) == one["rows"]
    plan = f"plans/{session.bot.slug}-v1-{session.plan.signature[:8]}.json"
    assert json.loads(files.read(plan))["content"] == session.plan.content


def test_without_interviews_it_is_whole_all_the_same():
    files = archive()
    assert b"bot,plan_version" in files.read("transcripts.csv")
    assert "codebook.md" in files.namelist()
