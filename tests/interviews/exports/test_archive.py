"""The ZIP of everything: complete, without names, and what the manifest says of it is true."""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from interviews.exports import methods
from interviews.exports.archive import archive_chunks
from interviews.exports.formats import FORMATS
from interviews.exports.methods import methods_facts, paragraph
from interviews.exports.registry import TABLES, shared_tables
from interviews.exports.selection import Selection
from interviews.exports.verification import verify
from interviews.models import Assignment, Consent, ConsentText, Session
from llm.models import LLMCall
from llm.tasks.task import all_tasks
from llm.tasks.templates import load
from plans.models import Experiment
from plans.portability.bots import apply_bot, bot_document
from plans.portability.formats import write
from plans.portability.reader import read_bot
from tests.conftest import make_bot
from tests.factories import CallFactory, SessionFactory, talk
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


@pytest.mark.parametrize("form", FORMATS)
def test_of_two_only_the_manifests_differ(form):
    study()
    first, second = archive(form), archive(form)
    assert {one.date_time for one in first.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    differ = {name for name in first.namelist() if first.read(name) != second.read(name)}
    assert differ <= {"manifest.json"}
    one, other = (json.loads(files.read("manifest.json")) for files in (first, second))
    assert {**one, "made_at": other["made_at"]} == other


def test_without_interviews_it_is_whole_all_the_same():
    files = archive()
    assert b"bot,plan_version" in files.read("transcripts.csv")
    assert "codebook.md" in files.namelist()


# -- methods, prompts and consent texts


def study() -> None:
    """Four interviews: two completed, one stopped, one withdrawn; consents and calls."""
    bot = make_bot(title="Bread", slug="bread")
    first, second, third = (
        talk(SessionFactory(bot=bot, participant=None, language=language, status=status), words)
        for language, status, words in (
            ("en", "COMPLETED", ["one", "two", "three"]),
            ("it", "COMPLETED", ["uno"]),
            ("en", "STOPPED", ["one"]),
        )
    )
    SessionFactory(bot=bot, participant=None, status="WITHDRAWN")
    SessionFactory(bot=bot, participant=None, preview=True)
    text = ConsentText.objects.create(digest="ab" * 32, language="en", text="You may stop.")
    at = first.started_at
    for session in (first, third):
        Consent.objects.create(bot=bot, session=session, text=text, decision="agreed", at=at)
    Consent.objects.create(bot=bot, text=text, decision="declined", at=at)
    version = load(LEAD.template).version
    for session, used, outcome in ((first, version, "ok"), (second, "0", "failed")):
        CallFactory(session=str(session.pk), task=LEAD.name, template_version=used, outcome=outcome)


LEAD = next(task for task in all_tasks() if task.name == "life_story.lead")


def test_one_call_of_a_model_was_one_time():
    session = talk(SessionFactory(), ["one"])
    CallFactory(session=str(session.pk), task=LEAD.name, outcome="failed")
    text = " ".join(archive().read("methods.md").decode().split())
    assert "called 1 time, after" in text
    assert "1 of these calls (100%) failed or was cancelled." in text


def test_deleted_calls_were_made_all_the_same():
    kept, other = (talk(SessionFactory(), ["one"]) for _ in range(2))
    for session in (kept, other):
        CallFactory(session=str(session.pk))
    LLMCall.objects.filter(session=str(other.pk)).delete()
    told = paragraph(methods_facts(Selection()))
    gone = "For 1 interview in which a language model worded replies, the log of calls has been"
    assert "called 1 time, after" in told
    assert gone in told
    alone = paragraph(methods_facts(Selection(sessions=(other.pk,))))
    assert gone in alone
    assert "No language model was called" not in alone
    other.turns.update(source="rules")
    alone = paragraph(methods_facts(Selection(sessions=(other.pk,))))
    assert "No language model was called" in alone


def test_the_methods_are_counted():
    study()
    text = " ".join(archive().read("methods.md").decode().split())
    for fact in (
        "4 interviews began on 2026-03-01 (UTC)",
        "under 1 version of the interview plan",
        "By kind of interview: life story 4. By language: English 3, Italian 1.",
        "2 (50%) were completed, 1 (25%) was ended by the participant before the end and "
        "1 (25%) was withdrawn and deleted.",
        "median of 2 minutes, pauses left out (range 1 to 3)",
        "median of 2 answers (range 1 to 3)",
        "recorded 2 times before an interview (version abababab in English 2); 1 person declined.",
        "called 2 times, after the interviews included: tale-1 (scripted) 2; 1 of these calls (50",
        "Previews and interviews answered by programs are left out.",
    ):
        assert fact in text


def test_a_choice_of_interviews_does_not_say_how_many_declined():
    study()
    chosen = tuple(Session.objects.values_list("pk", flat=True))
    for selection in (Selection(statuses=("COMPLETED", "STOPPED")), Selection(sessions=chosen)):
        told = paragraph(methods_facts(selection))
        assert "recorded 2 times before an interview (version abababab in English 2)." in told
        assert "declined" not in told


def test_the_page_of_exports_says_them_for_what_is_chosen(admin_client):
    study()
    asked = {"table": "all", "format": "csv", "language": "it", "methods": ""}
    page = admin_client.post("/admin/interviews/session/export/", asked)
    assert "1 interview began on 2026-03-01 (UTC)" in page.text
    assert "By language: Italian 1." in page.text


def test_prompts_models_and_consent_texts_are_in_it():
    study()
    files = archive()
    assert files.read("consents/en-abababab.txt") == b"You may stop."
    current, changed = sorted(json.loads(files.read("models.json")), key=lambda one: one["failed"])
    assert files.read(current["prompt"]) == LEAD.template.read_bytes()
    assert (changed["prompt"], changed["prompt_version"]) == (None, "0")  # it has changed since


def test_arms_of_one_name_are_those_of_their_experiments():
    for slug in ("bread", "tea"):
        experiment = Experiment.objects.create(title=slug, slug=slug)
        arm = experiment.arms.create(name="Calm", bot=make_bot())
        Assignment.objects.create(arm=arm, session=SessionFactory(bot=arm.bot), place=0)
        told = paragraph(methods_facts(Selection()))
        both = "bread: Calm 1, tea: Calm 1."
        assert f"to these arms: {'Calm 1.' if slug == 'bread' else both}" in told


# -- checked


def written(path: Path, form: str = "csv") -> Path:
    tables = [table for table in TABLES.values() if not table.right]
    path.write_bytes(b"".join(archive_chunks(tables, Selection(), FORMATS[form])))
    return path


def altered(path: Path, change: Callable[[dict[str, bytes]], Any]) -> Path:
    with zipfile.ZipFile(path) as before:
        files = {name: before.read(name) for name in before.namelist()}
    change(files)
    with zipfile.ZipFile(path, "w") as after:
        for name, content in files.items():
            after.writestr(name, content)
    return path


def recounted(files: dict[str, bytes]) -> None:
    manifest = json.loads(files["manifest.json"])
    manifest["files"][0]["rows"] += 1
    files["manifest.json"] = json.dumps(manifest).encode()


@pytest.mark.parametrize("form", FORMATS)
def test_a_whole_archive_is_verified(form, tmp_path, capsys):
    study()
    call_command("verify_archive", written(tmp_path / "all.zip", form))
    said = capsys.readouterr().out
    assert "is as it was exported at 20" in said
    assert "SHA-256 of its manifest: " in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda files: files.update({"sessions.csv": files["sessions.csv"] + b"x"}), "damaged"),
        (lambda files: files.update({"sessions.csv": files["sessions.csv"][:-9]}), "damaged"),
        (lambda files: files.pop("codebook.md"), "codebook.md: missing"),
        (lambda files: files.update({"more.csv": b""}), "more.csv: added"),
        (recounted, "transcripts.csv: has 16 rows, the manifest says 17"),
        (lambda files: files.pop("manifest.json"), "no manifest"),
        (lambda files: files.update({"manifest.json": b"{}"}), "no manifest"),
        (lambda files: files.update({"manifest.json": b"["}), "can't be read as an archive"),
    ],
)
def test_a_changed_archive_is_refused_and_what_changed_is_named(change, said, tmp_path):
    study()
    path = altered(written(tmp_path / "all.zip"), change)
    with pytest.raises(CommandError, match=re.escape(said)):
        call_command("verify_archive", path)


def test_flipped_bytes_and_other_files(tmp_path):
    study()
    path = written(tmp_path / "all.zip")
    content = bytearray(path.read_bytes())
    content[200] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(CommandError, match=r"transcripts\.csv: damaged"):
        call_command("verify_archive", path)
    for other in (b"no archive", b""):
        path.write_bytes(other)
        with pytest.raises(CommandError, match="can't be read as an archive"):
            call_command("verify_archive", path)
    with pytest.raises(CommandError, match="can't be read"):
        call_command("verify_archive", tmp_path / "nowhere.zip")


def test_an_archive_with_a_bot_that_was_imported_again_is_whole(tmp_path):
    bot = make_bot(slug="bread")
    text = write(bot_document(bot), "yaml")
    talk(SessionFactory(bot=bot), ["One."])
    bot.delete()
    talk(SessionFactory(bot=apply_bot(read_bot(text))), ["Two."])
    path = tmp_path / "all.zip"
    path.write_bytes(b"".join(archive_chunks(shared_tables(), Selection(), FORMATS["csv"])))
    assert verify(path)[1] == []


def test_a_call_that_was_repaired_has_not_failed():
    session = SessionFactory()
    for outcome in ("invalid", "repaired"):
        CallFactory(session=str(session.pk), outcome=outcome)
    [use] = methods_facts(Selection()).models
    assert (use.calls, use.failed) == (2, 1)


def test_pauses_and_calls_of_interviews_that_are_read_in_several_parts(monkeypatch):
    monkeypatch.setattr(methods, "BATCH", 1)
    for day in (1, 2):
        session = talk(SessionFactory(away_total=60), ["one", "two", "three"])
        at = session.started_at + timedelta(days=day)
        CallFactory(session=str(session.pk), outcome="failed", created_at=at)
    facts = methods_facts(Selection())
    assert facts.minutes == [pytest.approx(125 / 60)] * 2  # three minutes, five seconds, less one
    [use] = facts.models
    assert (use.calls, use.failed, (use.last - use.first).days) == (2, 2, 1)


@pytest.mark.parametrize("form", FORMATS)
def test_an_archive_with_a_very_long_answer_is_whole(form, tmp_path):
    talk(SessionFactory(), ["long " * 30_000])
    assert verify(written(tmp_path / "all.zip", form))[1] == []


def test_a_file_that_is_stored_twice_is_named(tmp_path):
    path = written(tmp_path / "all.zip")
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("sessions.csv", archive.read("sessions.csv"))
    assert verify(path)[1] == ["sessions.csv: stored more than once"]


def test_the_codebook_in_it_explains_each_of_its_tables():
    rows = READERS["csv"](archive().read("codebook.csv"))
    assert {row["table"] for row in rows} == {table.name for table in shared_tables()}
