"""`manage.py export`, as scripts call it."""

import io
import json
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from interviews.models import Session
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import READERS, column, csv_rows, export

pytestmark = pytest.mark.django_db
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def run(capsysbinary, *args: str) -> bytes:
    call_command("export", *args)
    return capsysbinary.readouterr().out


def test_standard_output_has_the_file_and_nothing_else(capsysbinary):
    session = talk(SessionFactory(), ["=1+1", "two"])
    content = run(capsysbinary, session.bot.slug, "--table", "transcripts", "--format", "csv")
    assert content == export("transcripts")
    assert run(capsysbinary, "all") == content


def test_it_can_be_called_with_a_stream_of_text():
    talk(SessionFactory(), ["ж\r\n"])
    out = io.StringIO()
    call_command("export", "all", stdout=out)
    assert out.getvalue().encode() == export("transcripts")
    with pytest.raises(CommandError):
        call_command("export", "all", format="xlsx", stdout=out)


@pytest.mark.parametrize("form", READERS)
def test_a_file(tmp_path, form):
    talk(SessionFactory(), ["one"])
    path = tmp_path / f"t.{form}"
    call_command("export", "all", "--format", form, "-o", str(path))
    assert len(READERS[form](path.read_bytes())) == 4
    assert list(tmp_path.iterdir()) == [path]


def test_options(capsysbinary):
    real = SessionFactory()
    made = SessionFactory(synthetic=True, bot=real.bot, started_at="2026-04-02T23:30:00Z")
    slug = real.bot.slug

    def ids(*options: str) -> list[str]:
        return column(
            csv_rows(run(capsysbinary, slug, "--table", "sessions", *options)), "session_id"
        )

    assert ids() == [str(real.pk)]
    assert ids("--synthetic") == [str(real.pk), str(made.pk)]
    assert ids("--synthetic", "--session", str(made.pk)) == [str(made.pk)]
    assert ids("--synthetic", "--since", "2026-04-02") == [str(made.pk)]
    assert ids("--synthetic", "--since", "2026-04-03") == []
    assert ids("--synthetic", "--until", "2026-04-02") == [str(real.pk), str(made.pk)]
    assert ids("--synthetic", "--until", "2026-04-01") == [str(real.pk)]
    assert ids("--status", "STOPPED") == []
    assert ids("--language", "ru") == []
    assert run(capsysbinary, slug, "--bom").startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nobody"], "There is no bot “nobody”"),
        (["all", "--table", "nothing"], "There is no table “nothing”. There are: transcripts"),
        (["all", "-o", "/nowhere/at/all.csv"], "can't be written"),
        (["all", "-o", f"{__file__}/all.csv"], "can't be written"),
        (["all", "--status", "DONE"], "invalid choice"),
        (["all", "--session", "x"], "invalid UUID"),
        (["all", "--since", "2026-03-02", "--until", "2026-03-01"], "--until is before --since"),
        (["all", "--format", "qdpx", "--codebook"], "--codebook is for tables"),
        (["all", "--format", "qdc", "--codebook"], "--codebook is for tables"),
        (["all", "--language", "xx"], "There is no language “xx”"),
        (["all", "--language", "EN"], "There is no language “EN”"),
        (["all", "--session", UNKNOWN], f"There is no interview {UNKNOWN}"),
        (["all", "--format", "qdc", "--session", UNKNOWN], f"There is no interview {UNKNOWN}"),
        (["all", "--changed-since", "0001-01-01T00:00+14:00"], "changed-since"),
        (["all", "--changed-since", "9999-12-31T23:00-14:00"], "changed-since"),
    ],
)
def test_mistakes_are_named(args, says):
    with pytest.raises(CommandError, match=says) as error:
        call_command("export", *args)
    assert error.value.returncode in (1, 2)


def test_an_interview_of_another_bot_is_unknown(capsysbinary):
    ours, theirs = SessionFactory(), SessionFactory(language="zz", preview=True)
    with pytest.raises(CommandError, match=f"There is no interview {theirs.pk}"):
        named = ("--session", str(ours.pk), "--session", str(theirs.pk))
        call_command("export", ours.bot.slug, *named)
    there = ("--session", str(theirs.pk), "--language", "zz")
    assert csv_rows(run(capsysbinary, theirs.bot.slug, *there)) == []  # previews weren't asked for


def test_everything_in_one_file(tmp_path):
    import zipfile

    talk(SessionFactory(), ["one"])
    call_command("export", "all", "--table", "all", "-o", str(tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert {one["file"] for one in manifest["files"]} >= {"transcripts.csv", "codebook.csv"}


def test_only_what_changed(capsysbinary):
    old, new = SessionFactory(), SessionFactory()
    Session.objects.filter(pk=old.pk).update(changed_at=datetime(2026, 3, 1, tzinfo=UTC))
    asked = ("--table", "sessions", "--changed-since", "2026-03-01T00:01")
    rows = csv_rows(run(capsysbinary, "all", *asked))
    assert [row["session_id"] for row in rows] == [str(new.pk)]
    with pytest.raises(CommandError, match="changed-since"):
        call_command("export", "all", "--changed-since", "lately")
