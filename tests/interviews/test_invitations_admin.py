"""Invitations in the admin: made, given out once, extended, revoked; contacts for few."""

import csv
import io
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from interviews.admin.invitations import InvitationAdmin
from interviews.admin.invitations_forms import OneInvitationForm
from interviews.choices import SessionStatus
from interviews.models import Invitation, InvitationKey, Mail
from interviews.recruitment.invitations.changes import erase_invitation, invite, revoke
from interviews.recruitment.invitations.people_file import Invitee
from interviews.security.access import digest
from interviews.security.links import key_in
from plans.models import Bot
from tests.conftest import make_bot
from tests.each import each
from tests.factories import SessionFactory
from tests.pages import markup
from tests.people import somebody
from tests.plans.pages import form_of

pytestmark = pytest.mark.django_db
LIST = "/admin/interviews/invitation/"
MANY = f"{LIST}invite/"
PEOPLE = [
    Invitee("Ines Duarte", "ines@example.org", "en", "R-1", params={"wave": "2"}),
    Invitee("Paolo Neri", "paolo@example.org", "it", "R-2"),
]
FILE = "name;email;reference;wave\nIna;ina@example.org;R-11;2\nMia;nothing;R-12;2\n"


def text(response, status: int = 200) -> str:
    assert response.status_code == status, response.content.decode()[:500]
    return markup(response)


def act(client, action: str, rows=None, **more):
    chosen = [str(row.pk) for row in (rows if rows is not None else Invitation.objects.all())]
    return client.post(LIST, {"action": action, "_selected_action": chosen, **more}, follow=True)


def page(row: Invitation) -> str:
    return reverse("admin:interviews_invitation_change", args=[row.pk])


def here(row: Invitation, action: str) -> str:
    """The same action from the page of one."""
    return reverse(f"admin:interviews_invitation_{action}_here", args=[row.pk])


# -- inviting many


def test_an_empty_list_says_how_to_begin(admin_client):
    assert "Invite people from a list" in text(admin_client.get(LIST))


def test_nothing_is_stored_unless_all_lines_are_right_or_the_others_are_wanted(admin_client, bot):
    upload = SimpleUploadedFile("people.csv", FILE.encode("utf-16"))
    shown = text(admin_client.post(MANY, {"bot": bot.pk, "file": upload, "remind": "on"}), 400)
    assert "Nobody was invited. 1 line can’t be used" in shown
    assert "line 3, email: Enter a valid email address." in shown
    assert "Invite the other 1" in shown
    assert "Ina;ina@example.org;R-11;2" in shown  # to be mended here
    assert not Invitation.objects.exists()
    bot.texts.create(language="it")
    told = {"bot": bot.pk, "text": FILE, "anyway": "1", "until": "2099-05-31", "language": "it"}
    told |= {"reviewed": "wave", "exported": "wave"}
    shown = text(admin_client.post(MANY, told, follow=True))
    assert "1 invitation created." in shown
    made = Invitation.objects.get()
    assert (made.name, made.reference, made.language) == ("Ina", "R-11", "it")
    assert made.params == {"wave": "2"}
    assert made.participant is not None
    assert made.participant.name == ""
    assert made.expires_at.year == 2099
    assert made.reminders == 2  # nobody asked for them
    assert "R-11" in shown
    assert "E-mail sent" in shown  # beside “Email”, the address


ADA = "Full Name,Email,Phone Number,wave\nAda Novak,ada2@example.org,1234,2\n"


def test_columns_are_shown_before_exports_hold_them(admin_client, bot):
    told = {"bot": bot.pk, "text": ADA}
    shown = text(admin_client.post(MANY, told))
    assert "Looks like a phone number. Left out unless you tick it." in shown
    assert not Invitation.objects.exists()
    hidden = {"reviewed": ["a phone number: Phone Number", "wave"]}
    assert all(f'value="{one}"' in shown for one in hidden["reviewed"])
    assert re.findall(r'name="exported" value="([^"]*)" checked', shown) == ["wave"]
    text(admin_client.post(MANY, {**told, **hidden, "exported": ["wave"]}, follow=True))
    made = Invitation.objects.get()
    assert (made.name, made.email) == ("Ada Novak", "ada2@example.org")
    assert made.params == {"wave": "2"}


def test_a_column_that_looks_like_contact_data_can_be_exported(admin_client, bot):
    told = {"bot": bot.pk, "text": ADA, "reviewed": ["a phone number: Phone Number", "wave"]}
    text(admin_client.post(MANY, {**told, "exported": ["Phone Number"]}, follow=True))
    assert Invitation.objects.get().params == {"Phone Number": "1234"}


@each("seen", [["wave"], ["wave", "Phone Number"], ["a phone number: Phone Number"]])
def test_nobody_is_invited_with_columns_that_were_not_shown_like_that(admin_client, bot, seen):
    told = {"bot": bot.pk, "text": ADA, "reviewed": seen, "exported": ["wave", "Phone Number"]}
    assert "Nobody was invited yet." in text(admin_client.post(MANY, told))
    assert not Invitation.objects.exists()


def test_nobody_is_invited_in_a_language_that_the_bot_lacks(admin_client, bot):
    why = "available in “fr”. Use one of: en."
    told = {"bot": bot.pk, "text": "name,language\nIna,fr\n"}
    shown = text(admin_client.post(MANY, told), 400)
    assert "line 2, language: The bot" in shown
    assert why in shown
    told = {"bot": bot.pk, "count": "2", "language": "fr"}
    assert why in text(admin_client.post(MANY, told), 400)
    told = {"bot": bot.pk, "reference": "R-5", "language": "fr"}
    assert why in text(admin_client.post(f"{LIST}add/", told))
    assert not Invitation.objects.exists()


def test_an_invitation_keeps_a_language_that_its_bot_has_lost(admin_client, bot):
    row = invite(bot, [Invitee(language="fr", reference="R-1")])[0]
    admin_client.post(page(row), form_of(admin_client.get(page(row))) | {"reference": "R-2"})
    row.refresh_from_db()
    assert (row.language, row.reference) == ("fr", "R-2")


def test_a_line_with_two_mistakes_is_one_line(admin_client, bot):
    told = {"bot": bot.pk, "text": "email,reference,expires\nnowhere,R-1,2020-01-01\n"}
    shown = text(admin_client.post(MANY, told), 400)
    assert "line 2, email:" in shown
    assert "line 2, expires:" in shown
    assert "Nobody was invited. 1 line can’t be used:" in shown


def test_the_same_list_twice_invites_nobody_twice(admin_client, bot):
    right = "name;email\nIna;ina@example.org\n"
    for status in (200, 400):
        told = {"bot": bot.pk, "text": right}
        shown = text(admin_client.post(MANY, told, follow=status == 200), status)
    assert "is already invited" in shown
    assert Invitation.objects.count() == 1


def test_links_without_names(admin_client, bot):
    admin_client.post(MANY, {"bot": bot.pk, "count": "3", "remind": "on"})
    assert Invitation.objects.values("participant").distinct().count() == 3
    assert set(Invitation.objects.values_list("email", "reminders")) == {("", 0)}


@pytest.mark.parametrize("ways", [{}, {"count": "3", "text": "name\nIna\n"}, {"count": "0"}])
def test_one_way_is_chosen(admin_client, bot, ways):
    text(admin_client.post(MANY, {"bot": bot.pk, **ways}), 400)
    assert not Invitation.objects.exists()


def test_one_is_added_and_changed_by_hand(admin_client, bot):
    told = {"bot": bot.pk, "reference": "R-5", "email": "kim@example.org", "more": "wave = 2"}
    admin_client.post(f"{LIST}add/", told)
    row = Invitation.objects.get()
    assert row.params == {"wave": "2"}
    assert row.participant is not None
    person = row.participant
    admin_client.post(page(row), {**told, "more": "wave = 3\nsite = north"})
    row.refresh_from_db()
    assert row.params == {"wave": "3", "site": "north"}
    assert row.participant == person
    invite(bot, PEOPLE)
    shown = text(admin_client.post(page(row), {**told, "reference": "R-1", "more": "wave"}))
    assert "Somebody else already has this reference." in shown
    assert "Line 1 should look like" in shown


# -- who sees what


def test_the_form_says_until_when_somebody_can_start(admin_client, bot):
    shown = text(admin_client.get(f"{LIST}add/"))
    assert "In UTC. Nobody can start after this; interviews that have started" in shown


def test_contacts_are_for_who_may_see_them(client, bot):
    row = invite(bot, PEOPLE)[0]
    user = somebody(client, "view_invitation", "change_invitation")
    for address in (LIST, page(row)):
        shown = text(client.get(address))
        assert "R-1" in shown
        assert "Ines" not in shown
        assert "ines@example.org" not in shown
    assert "R-1" not in text(client.get(LIST, {"q": "Ines"}))
    assert "Ines" not in act(client, "make_links", confirmed="csv").content.decode()
    assert "Ines" not in text(act(client, "make_links", confirmed="codes"))
    client.post(page(row), {"reference": "R-9"})
    row.refresh_from_db()
    assert (row.reference, row.name, row.email) == ("R-9", "Ines Duarte", "ines@example.org")
    user.user_permissions.add(Permission.objects.get(codename="view_contacts"))
    for address in (LIST, page(row), f"{LIST}?q=ines"):
        assert "ines@example.org" in text(client.get(address))
    assert "Ines" in act(client, "make_links", confirmed="csv").content.decode()


BY_CONTACTS = ("email__startswith=ines", "name__icontains=du", "email=ines@example.org")


def test_nobody_finds_contacts_out_by_filters(client, bot):
    invite(bot, PEOPLE)
    rights = ("view_invitation", "view_session", "view_mail")
    user = somebody(client, *rights)
    for query in BY_CONTACTS:
        assert client.get(f"{LIST}?{query}").status_code == 400
        assert client.get(f"/admin/interviews/session/?invitation__{query}").status_code == 400
        assert client.get(f"{LIST}?participant__invitation__{query}").status_code == 400
    assert "R-1" in text(client.get(f"{LIST}?reference__startswith=R-1"))
    user.user_permissions.add(Permission.objects.get(codename="view_contacts"))
    for query in BY_CONTACTS:
        shown = text(client.get(f"{LIST}?{query}"))
        assert "R-1" in shown
        assert "R-2" not in shown


def test_links_into_interviews_are_for_who_may_read_them(client, bot):
    begun, new = invite(bot, PEOPLE)
    SessionFactory(
        bot=bot, invitation=begun, participant=begun.participant, status=SessionStatus.PAUSED
    )
    user = somebody(client, "view_invitation", "change_invitation")
    shown = text(act(client, "make_links"))
    assert "New links for 1 invitation" in shown
    assert re.search(r"<b>1</b>\s+with an interview you may not read", shown)
    act(client, "make_links", confirmed="csv")
    client.post(here(begun, "links"), {"confirmed": "csv"})
    assert list(InvitationKey.objects.values_list("invitation", flat=True)) == [new.pk]
    user.user_permissions.add(
        Permission.objects.get(codename="view_session", content_type__app_label="interviews")
    )
    act(client, "make_links", [begun], confirmed="csv")
    assert InvitationKey.objects.filter(invitation=begun).count() == 1


# -- what has been taken back


OLD_FORM = {"reference": "R-1", "name": "Ines Duarte", "email": "ines@example.org", "more": "a = b"}


def taken_back(row: Invitation) -> None:
    """As it is when somebody has withdrawn."""
    session = SessionFactory(bot=row.bot, invitation=row, participant=row.participant)
    erase_invitation(session)


def test_a_page_from_before_withdrawal_brings_nothing_back(admin_client, bot):
    row = invite(bot, PEOPLE)[0]
    taken_back(row)
    assert admin_client.post(page(row), OLD_FORM).status_code == 403
    row.refresh_from_db()
    assert (row.name, row.email, row.reference, row.params) == ("", "", "", {})
    shown = text(admin_client.get(page(row)))
    assert 'name="email"' not in shown
    assert 'name="more"' not in shown


def test_who_withdraws_while_a_form_is_on_its_way_stays_forgotten(admin_client, bot, monkeypatch):
    row = invite(bot, PEOPLE)[0]
    asked = InvitationAdmin.get_form

    def meanwhile(self, request, obj=None, **more):
        taken_back(Invitation.objects.get(pk=row.pk))
        return asked(self, request, obj, **more)

    monkeypatch.setattr(InvitationAdmin, "get_form", meanwhile)
    shown = text(admin_client.post(page(row), OLD_FORM))
    assert "This invitation has been revoked" in shown
    row.refresh_from_db()
    assert (row.name, row.email, row.reference, row.params) == ("", "", "", {})


def test_only_what_was_changed_is_stored(admin_client, bot, monkeypatch):
    row = invite(bot, PEOPLE)[0]
    kept = OneInvitationForm.clean

    def meanwhile(self):
        Invitation.objects.filter(pk=row.pk).update(entered_at=timezone.now(), reminders=2)
        return kept(self)

    monkeypatch.setattr(OneInvitationForm, "clean", meanwhile)
    told = {"reference": "R-1", "name": "Ines", "email": "ines@example.org", "language": "en"}
    admin_client.post(page(row), {**told, "more": "wave = 3"})
    row.refresh_from_db()
    assert (row.name, row.params, row.reminders) == ("Ines", {"wave": "3"}, 2)
    assert row.entered_at is not None


def test_who_may_only_look_sees_the_parameters(client, bot):
    row = invite(bot, PEOPLE)[0]
    somebody(client, "view_invitation")
    assert "wave = 2" in text(client.get(page(row)))


def test_who_may_only_look_changes_nothing(client, bot):
    row = invite(bot, PEOPLE)[0]
    somebody(client, "view_invitation")
    for action in ("make_links", "send_letter", "send_reminder", "extend", "revoke"):
        act(client, action, confirmed="yes")
    actions = [here(row, one) for one in ("links", "letter", "reminder", "extend", "revoke")]
    for address in [MANY, f"{LIST}add/", *actions]:
        assert client.get(address).status_code == 403
    assert not InvitationKey.objects.exists()
    assert not Mail.objects.exists()
    assert not Invitation.objects.exclude(revoked_at=None).exists()


# -- what is done with them


def test_links_are_made_when_it_is_meant_and_shown_once(admin_client, bot):
    rows = invite(bot, PEOPLE)
    assert "New links for 2 invitations" in text(act(admin_client, "make_links"))
    assert not InvitationKey.objects.exists()
    made = act(admin_client, "make_links", confirmed="csv")
    assert "no-store" in made["Cache-Control"]
    lines = list(csv.DictReader(io.StringIO(made.content.decode("utf-8-sig"), newline="")))
    assert {line["reference"] for line in lines} == {"R-1", "R-2"}
    stored = set(InvitationKey.objects.values_list("digest", flat=True))
    assert {digest(key_in(line["link"])) for line in lines} == stored
    ids = {row.reference: str(row.pk) for row in rows}
    for line in lines:
        assert line["link"].startswith(f"http://testserver/join/{ids[line['reference']]}/#key=")
    assert LogEntry.objects.filter(change_message="Created a new link.").count() == 2


def test_codes_hold_the_link_and_come_one_to_a_sheet(admin_client, bot):
    invite(bot, PEOPLE)
    shown = text(act(admin_client, "make_links", confirmed="codes"))
    assert shown.count("<svg") == shown.count('class="invitation-sheet"') == 2
    assert len(set(re.findall(r"#key=([\w-]{22})", shown))) == 2


def test_codes_name_the_interview_and_who_runs_it_as_in_its_language(admin_client, bot):
    bot.texts.create(language="it", title="Una chiacchierata", host="La Casa")
    invite(bot, PEOPLE)
    shown = text(act(admin_client, "make_links", confirmed="codes"))
    assert shown.count("Una chiacchierata") == shown.count("La Casa") == 1
    assert re.search(rf"invitation-title[^>]*>\s*{bot.title}\s*<", shown)


def test_a_revoked_invitation_says_so_first(admin_client, bot):
    [row, _] = invite(bot, PEOPLE)
    revoke(Invitation.objects.filter(pk=row.pk))
    shown = text(admin_client.get(page(row)))
    assert shown.index("Revoked") < shown.index("ines@example.org")


def test_those_that_are_over_get_no_link(admin_client, bot):
    invite(bot, PEOPLE, expires=timezone.now())
    shown = text(act(admin_client, "make_links", confirmed="csv"))
    assert "New links for 0 invitations" in shown
    assert not InvitationKey.objects.exists()


def test_letters_go_to_who_may_be_written_to_and_the_others_are_counted(admin_client, bot):
    invite(bot, [*PEOPLE, Invitee(reference="R-3")])
    shown = text(act(admin_client, "send_letter"))
    assert "Send the invitation to 2 people" in shown
    assert re.search(r"<b>1</b>\s+there is no e-mail address", shown)
    assert not Mail.objects.exists()
    shown = text(act(admin_client, "send_letter", confirmed="yes"))
    assert "2 e-mails being sent." in shown
    assert set(Mail.objects.values_list("kind", "to")) == {
        ("invitation", "ines@example.org"),
        ("invitation", "paolo@example.org"),
    }
    text(act(admin_client, "send_reminder", confirmed="yes"))
    assert Mail.objects.filter(kind="reminder", number=1).count() == 2


def test_a_reminder_that_two_people_send_goes_out_once(admin_client, bot):
    invite(bot, PEOPLE)
    act(admin_client, "send_letter", confirmed="yes")
    act(admin_client, "send_reminder", confirmed="yes")
    Mail.objects.filter(to="ines@example.org").update(status="ready")
    Invitation.objects.filter(email="ines@example.org").update(reminded_at=timezone.now())
    shown = text(act(admin_client, "send_reminder", confirmed="yes"))
    assert "0 e-mails being sent." in shown
    assert "2 people got a reminder within the last hour" in shown
    assert Mail.objects.filter(kind="reminder").count() == 2
    Mail.objects.filter(to="paolo@example.org").update(status="failed")
    assert "1 e-mail being sent." in text(act(admin_client, "send_reminder", confirmed="yes"))
    Mail.objects.update(status="ready")
    Invitation.objects.update(reminded_at=timezone.now() - timedelta(hours=2))
    assert "2 e-mails being sent." in text(act(admin_client, "send_reminder", confirmed="yes"))


def test_a_letter_that_failed_goes_out_again(admin_client, bot):
    invite(bot, PEOPLE[:1])
    act(admin_client, "send_letter", confirmed="yes")
    Mail.objects.update(status="failed", attempts=12)
    assert "1 e-mail being sent." in text(act(admin_client, "send_letter", confirmed="yes"))
    assert Mail.objects.get().status == "pending"
    Mail.objects.update(status="ready")
    shown = text(act(admin_client, "send_letter", confirmed="yes"))
    assert "0 e-mails being sent." in shown
    assert "1 person can’t be e-mailed now." in shown


def test_nobody_is_written_to_when_all_places_are_taken(
    admin_client, bot, django_assert_max_num_queries
):
    Bot.objects.update(quota=1)
    SessionFactory(bot=bot)
    invite(bot, [Invitee(email=f"p{number}@example.org") for number in range(40)])
    with django_assert_max_num_queries(16):
        shown = text(act(admin_client, "send_letter"))
    assert re.search(r"<b>40</b>\s+all places are taken", shown)


def test_days_that_are_over_are_refused(admin_client, bot):
    bot.time_zone = "Pacific/Kiritimati"  # where the day begins first
    bot.save()
    here_today = timezone.localdate(timezone=ZoneInfo(bot.time_zone))
    gone = here_today - timedelta(days=1)
    shown = text(admin_client.post(MANY, {"bot": bot.pk, "count": "2", "until": gone}), 400)
    assert "This day has passed." in shown
    assert not Invitation.objects.exists()
    admin_client.post(MANY, {"bot": bot.pk, "count": "2", "until": here_today})
    assert Invitation.objects.filter(expires_at__gt=timezone.now()).count() == 2
    shown = text(act(admin_client, "extend", confirmed="yes", until=gone))
    assert "This day has passed." in shown
    assert Invitation.objects.filter(expires_at__gt=timezone.now()).count() == 2


def test_a_day_that_ends_after_all_dates_is_refused(admin_client, bot):
    Bot.objects.update(time_zone="America/New_York")
    late = {"bot": bot.pk, "count": "2", "until": "9999-12-31"}
    assert "Leave it empty for never." in text(admin_client.post(MANY, late), 400)


def test_extending_and_revoking_ask_first(admin_client, bot):
    first, second = invite(bot, PEOPLE, expires=timezone.now() - timedelta(days=1))
    assert "Expired" in text(admin_client.get(LIST))
    act(admin_client, "extend")
    assert Invitation.objects.filter(expires_at__gt=timezone.now()).count() == 0
    act(admin_client, "extend", confirmed="yes", until="2099-05-31")
    assert Invitation.objects.filter(expires_at__gt=timezone.now()).count() == 2
    assert "Revoke 1 invitation" in text(act(admin_client, "revoke", [first]))
    assert not Invitation.objects.exclude(revoked_at=None).exists()
    act(admin_client, "revoke", [first], confirmed="yes")
    act(admin_client, "extend", confirmed="yes", until="")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.revoked_at is None, first.expires_at is None) == (False, False)
    assert (second.revoked_at, second.expires_at) == (None, None)


def test_all_that_a_filter_finds_can_be_chosen_at_once(admin_client, bot):
    invite(bot, [Invitee(reference=f"R-{i}") for i in range(60)])
    invite(make_bot(), PEOPLE)
    url = f"{LIST}?bot__id__exact={bot.pk}"
    one = Invitation.objects.filter(bot=bot).first()
    told = {"action": "revoke", "_selected_action": [str(one.pk)], "select_across": "1"}
    shown = text(admin_client.post(url, told))
    assert "Revoke 60 invitations" in shown
    assert 'name="select_across" value="1"' in shown
    assert f"bot__id__exact={bot.pk}" in shown
    admin_client.post(url, {**told, "confirmed": "yes"})
    assert Invitation.objects.exclude(revoked_at=None).count() == 60


def test_the_same_is_done_from_the_page_of_one(admin_client, bot):
    first, _second = invite(bot, PEOPLE)
    shown = text(admin_client.get(here(first, "links")))
    assert "New links for 1 invitation" in shown
    assert str(first.pk) in shown
    assert not InvitationKey.objects.exists()


STATES = {
    "not_sent": {},
    "sent": {"sent_at": timezone.now()},
    "opened": {"sent_at": timezone.now(), "entered_at": timezone.now()},
    "expired": {"entered_at": timezone.now(), "expires_at": timezone.now()},
    "revoked": {"revoked_at": timezone.now(), "expires_at": timezone.now()},
}


def test_they_are_found_by_how_far_they_have_come(admin_client, bot):
    names = [*STATES, "begun", "finished"]
    rows = dict(zip(names, invite(bot, [Invitee(reference=f"is-{n}") for n in names]), strict=True))
    for name, fields in STATES.items():
        Invitation.objects.filter(pk=rows[name].pk).update(**fields)
    for name, status in (("begun", SessionStatus.PAUSED), ("finished", SessionStatus.COMPLETED)):
        row = rows[name]
        SessionFactory(bot=bot, invitation=row, participant=row.participant, status=status)
    Invitation.objects.filter(pk=rows["finished"].pk).update(expires_at=timezone.now())
    for name in names:
        shown = text(admin_client.get(LIST, {"state": name}))
        assert re.findall(r">is-(\w+)<", shown) == [name]


def test_the_list_asks_as_often_for_many_as_for_few(
    admin_client, bot, django_assert_max_num_queries
):
    invite(bot, [Invitee(reference=f"R-{i}") for i in range(40)])
    with django_assert_max_num_queries(15):
        text(admin_client.get(LIST))


def test_deleting_says_what_stays(admin_client, bot):
    first, second = invite(bot, PEOPLE)
    going = SessionFactory(
        bot=bot, invitation=first, participant=first.participant, status=SessionStatus.PAUSED
    )
    done = SessionFactory(bot=bot, invitation=second, participant=second.participant)
    shown = text(act(admin_client, "delete_selected"))
    assert "Interviews are kept." in shown
    assert "1 under way" in shown
    act(admin_client, "delete_selected", post="yes")
    assert not Invitation.objects.exists()
    going.refresh_from_db()
    done.refresh_from_db()
    assert (going.status, going.invitation) == (SessionStatus.ARCHIVED, None)
    assert (done.status, done.invitation) == (SessionStatus.COMPLETED, None)


def test_closed_bots_are_not_offered(admin_client, bot):
    Bot.objects.update(status=Bot.Status.CLOSED, title="Long closed")
    assert "Long closed" not in text(admin_client.get(MANY))


def test_an_invitation_with_a_line_break_in_a_parameter_can_be_changed(admin_client, bot):
    (row,) = invite(bot, [Invitee(reference="R-1", params={"note": "a\nb"})])
    data = form_of(admin_client.get(page(row))) | {"reference": "R-2"}
    assert admin_client.post(page(row), data).status_code == 302
    row.refresh_from_db()
    assert (row.reference, row.params) == ("R-2", {"note": "a\nb"})


def test_a_finished_and_revoked_one_gets_no_link(admin_client, bot):
    (row,) = invite(bot, PEOPLE[:1])
    SessionFactory(bot=bot, invitation=row, status=SessionStatus.COMPLETED)
    revoke(Invitation.objects.all())
    assert "New links for 0 invitations" in text(act(admin_client, "make_links", confirmed="csv"))
    assert not InvitationKey.objects.exists()
