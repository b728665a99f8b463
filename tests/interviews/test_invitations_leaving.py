"""What is left of an invitation elsewhere: after withdrawing, in exports, from the command line."""

import csv
import io
from pathlib import Path

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.exports.registry import allowed_tables
from interviews.exports.selection import Selection
from interviews.models import Invitation, InvitationKey, Mail, Participant, Session
from interviews.recruitment.invitations.changes import delete, erase_contacts, invite
from interviews.recruitment.invitations.letters import request_letter
from interviews.recruitment.invitations.people_file import Invitee
from interviews.recruitment.invitations.redeem import new_path
from interviews.security.access import digest
from interviews.security.links import key_in
from interviews.turns.withdrawal import withdraw
from plans.models import Bot
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import csv_rows, export
from tests.interviews.test_withdrawing import holding

pytestmark = pytest.mark.django_db
CANARY = "Zanzibarquail"
PERSON = Invitee(CANARY, f"{CANARY}@example.org", "en", f"R-{CANARY}", params={"pid": CANARY})


def given(bot: Bot) -> Session:
    """An interview that came by an invitation."""
    made = invite(bot, [PERSON])[0]
    new_path(made)
    request_letter(made, Mail.Kind.REMINDER)
    session = SessionFactory(
        bot=bot,
        invitation=made,
        participant=made.participant,
        status=SessionStatus.WAITING_ANSWER,
        params={"pid": CANARY},
    )
    return talk(session, ["We had a boat house."])


@pytest.mark.django_db(transaction=True)
def test_withdrawing_leaves_nothing_of_who_was_invited(bot):
    session = given(bot)
    user = User.objects.create_user("ed")
    LogEntry.objects.log_actions(user.pk, [session.invitation], CHANGE, "Created a new link.")
    assert holding(CANARY)
    withdraw(Session.objects.get(pk=session.pk))
    assert holding(CANARY) == []
    left = Invitation.objects.get()
    assert left.revoked_at is not None
    assert not InvitationKey.objects.exists()
    assert not Mail.objects.exists()
    assert not Participant.objects.exists()


def test_references_are_with_the_interviews_and_contacts_apart(bot):
    session = given(bot)
    row = csv_rows(export("sessions"))[0]
    assert row["invitation"] == str(session.invitation_id)
    assert row["reference"] == f"R-{CANARY}"
    contact = csv_rows(export("invited"))[0]
    assert (contact["name"], contact["email"]) == (CANARY, f"{CANARY}@example.org")
    assert contact["session_id"] == str(session.pk)
    assert f"{CANARY}@".encode() not in export("sessions") + export("contacts")
    SessionFactory(bot=bot)
    assert {one["reference"] for one in csv_rows(export("sessions"))} == {f"R-{CANARY}", ""}
    assert len(csv_rows(export("invited"))) == 1


def test_the_table_of_contacts_has_its_own_right():
    assert "invited" not in allowed_tables(lambda right: right != "interviews.view_contacts")
    assert "invited" in allowed_tables(lambda right: right == "interviews.view_contacts")


# -- by the command


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("name,email,reference,wave\nIna,ina@example.org,R-1,2\nMia,,R-2,2\n")
    return path


def links_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def run(*args, **options) -> str:
    out = io.StringIO()
    call_command("invite", *map(str, args), stdout=out, **options)
    return out.getvalue()


def test_a_command_invites_and_writes_links_once(bot, people, tmp_path):
    out = tmp_path / "links.csv"
    site = "https://interviews.example/"
    said = run(bot.slug, people, output=out, site=site, expires="2099-05-31", no_reminders=True)
    assert "2 invited" in said
    assert out.stat().st_mode & 0o777 == 0o600
    lines = links_of(out)
    assert [line["reference"] for line in lines] == ["R-1", "R-2"]
    made = {one.reference: one for one in Invitation.objects.all()}
    for line in lines:
        one = made[line["reference"]]
        assert line["link"].startswith(f"https://interviews.example/join/{one.pk}/#key=")
        assert one.keys.get().digest == digest(key_in(line["link"]))
        assert (one.reminders, one.expires_at.year) == (2, 2099)
    assert key_in(lines[0]["link"]) not in said
    with pytest.raises(CommandError, match="is there already"):
        run(bot.slug, people, output=out)


def test_the_command_leaves_out_what_looks_like_contact_data_unless_it_is_named(bot, people):
    people.write_text("Full Name,Phone Number,wave\nAda Novak,1234,2\n")
    said = run(bot.slug, people, output=people.with_name("links.csv"))
    assert "In every export: wave." in said
    assert "Left out: Phone Number. It looks like a phone number; to export it, add" in said
    assert Invitation.objects.get().params == {"wave": "2"}
    Invitation.objects.all().delete()
    run(bot.slug, people, output=people.with_name("more.csv"), export=["Phone Number"])
    assert Invitation.objects.get().params == {"Phone Number": "1234", "wave": "2"}


def test_the_command_names_every_wrong_line_and_stores_nothing(bot, people, tmp_path):
    people.write_text(people.read_text() + "Kim,nothing,R-2,2\n")
    out = tmp_path / "links.csv"
    with pytest.raises(CommandError) as refused:
        run(bot.slug, people, output=out)
    assert refused.value.returncode == 2
    assert "line 4, email: Enter a valid email address." in str(refused.value)
    assert "line 4, reference: “R-2” is already on line 3" in str(refused.value)
    assert not Invitation.objects.exists()
    assert not out.exists()
    run(bot.slug, people, output=out, anyway=True)
    assert Invitation.objects.count() == 2


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("nobody", "people.csv"), "There is no bot “nobody”"),
        (("{bot}",), "Name a file of people"),
        (("{bot}", "nowhere.csv"), "can't be read"),
        (("{bot}", "--count", "2", "--language", "fr"), "isn't available in “fr”. Use one of: en"),
        (("{bot}", "--count", "2", "--expires", "soon"), "is not a date"),
        (("{bot}", "--count", "2", "--expires", "2020-01-01"), "has passed"),
        (("{bot}", "--count", "2", "--expires", "9999-12-31"), "is too late"),
    ],
)
def test_the_command_says_what_it_misses(bot, tmp_path, args, why):
    Bot.objects.update(time_zone="America/New_York")
    told = [one.format(bot=bot.slug) for one in args]
    with pytest.raises(CommandError, match=why):
        run(*told, output=tmp_path / "links.csv")
    assert not Invitation.objects.exists()


def test_nobody_is_invited_whose_link_can_not_be_written(bot, people, tmp_path):
    with pytest.raises(CommandError, match="can't be written: No such file"):
        run(bot.slug, people, output=tmp_path / "no-folder" / "links.csv")
    assert not Invitation.objects.exists()


def test_the_command_makes_links_without_names(bot, tmp_path):
    run(bot.slug, "--count", "3", output=tmp_path / "links.csv")
    assert len({line["link"] for line in links_of(tmp_path / "links.csv")}) == 3


def test_an_interview_put_aside_with_its_invitation_is_a_change_for_exports(bot):
    session = given(bot)
    since = timezone.now()
    assert not Selection(changed_since=since).queryset().exists()
    delete(Invitation.objects.all())
    (found,) = Selection(changed_since=since).queryset()
    assert (found.pk, found.status) == (session.pk, SessionStatus.ARCHIVED)


@pytest.mark.parametrize("happens", ["corrected", "erased", "deleted"])
def test_what_an_interview_has_of_its_invitation_is_a_change_for_exports(
    bot, admin_client, happens, django_capture_on_commit_callbacks
):
    session = given(bot)
    Session.objects.update(status=SessionStatus.COMPLETED)
    since = timezone.now()
    if happens == "corrected":
        page = reverse("admin:interviews_invitation_change", args=[session.invitation_id])
        data = {"reference": "R-2", "email": PERSON.email, "more": f"pid = {CANARY}"}
        with django_capture_on_commit_callbacks(execute=True):
            assert admin_client.post(page, data).status_code == 302
    elif happens == "erased":
        erase_contacts(Invitation.objects.all())
    else:
        delete(Invitation.objects.all())
    [row] = csv_rows(export("sessions", chosen=Selection(changed_since=since)))
    references = {"corrected": "R-2", "erased": PERSON.reference, "deleted": ""}
    assert row["reference"] == references[happens]
