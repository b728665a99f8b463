"""Who may open and export what: every role, every page, every export; and another team's rows."""

import io
import re
import zipfile
from functools import cache
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.urls import get_resolver, reverse
from django.utils import timezone, translation
from django.views.defaults import permission_denied

from interviews.exports.registry import TABLES
from interviews.models import AccessRecord, Fact, Invitation, Mail, Session, Webhook
from interviewsite.admin.roles import ROLES, make_roles
from interviewsite.management.commands import setup
from interviewsite.theme.navigation import groups
from plans.admin.base import TeamRows
from plans.bots.teams import _theirs, visible
from plans.models import Bot, Document, Experiment, LadderConcept, LadderMethodology, Team, Topic
from plans.portability.bots import bot_document
from plans.portability.formats import write
from reflections.models import (
    Batch,
    Calibration,
    CodebookCode,
    Evaluation,
    Judgement,
    Reflection,
    StudyReport,
    ThemeSuggestions,
)
from reflections.reviews import Opinion, judge
from tests.conftest import make_bot
from tests.factories import CallFactory, SessionFactory, talk
from tests.pages import markup
from tests.plans.pages import form_of
from tests.test_admin_addresses import addresses

OURS, THEIRS = "Antelope", "Zebra"
SESSIONS = "/admin/interviews/session/"
EXPORT, CODES = SESSIONS + "export/", SESSIONS + "codes/"
STUDIES = {"bot", "experiment", "script", "ladderconcept", "laddermethodology", "plan", "expert"}
RESULTS = {"session", "turn", "transcriptentry", "fact", "reflection", "calibration", "batch"}
FIELD = {"session", "participant", "invitation", "mail"}
LISTS = {  # what each role finds in the navigation
    "Owner": STUDIES
    | RESULTS
    | FIELD
    | {"accessrecord", "llmcall", "llmprice", "evaluation", "exporttoken", "webhook"}
    | {"webhookdelivery"},
    "Editor": STUDIES | {"evaluation"},
    "Fieldwork": STUDIES - {"expert"} | FIELD,
    "Reviewer": STUDIES | RESULTS | {"evaluation"},
    "Researcher": STUDIES | RESULTS | {"evaluation", "exporttoken"},
    "Observer": STUDIES - {"expert"},
}
CONTACTS = {name for name, table in TABLES.items() if table.right in (
    "interviews.view_participant", "interviews.view_contacts", "interviews.view_collectedvalue"
)}  # fmt: skip
MAY_EXPORT = {"Owner": set(TABLES), "Researcher": set(TABLES) - CONTACTS}


@cache
def admin_addresses() -> tuple[str, ...]:
    found = (one for one in addresses(get_resolver()) if one.startswith("/admin/"))
    return tuple(one for one in found if "(?P" not in one)


def test_every_list_of_the_admin_stands_in_the_navigation(rf, admin_user):
    request = rf.get("/admin/")
    request.user = admin_user
    lists = {one["admin_url"] for app in admin.site.get_app_list(request) for one in app["models"]}
    shown = {item["link"] for group in groups(request) for item in group["items"]}
    assert lists <= shown


@pytest.mark.parametrize(
    ("place", "marked"),
    [(EXPORT, EXPORT), (f"{SESSIONS}overview/1/", SESSIONS), (SESSIONS, SESSIONS)],
)
def test_the_navigation_marks_one_page(rf, admin_user, place, marked):
    request = rf.get(place)
    request.user = admin_user
    items = [item for group in groups(request) for item in group["items"]]
    assert [item["link"] for item in items if item["active"]] == [marked]


@pytest.mark.parametrize(
    ("place", "group", "name"),
    [
        ("/admin/plans/bot/", "Studies", "Bots"),
        ("/admin/plans/team/add/", "System", "Teams"),
        ("/admin/plans/siteidentity/", "System", "Site"),
        ("/admin/auth/user/", "System", "Users"),
        ("/admin/interviews/webhook/", "System", "Webhooks"),
        (SESSIONS, "Fieldwork", "Sessions"),
    ],
)
def test_a_page_is_under_its_group_of_the_navigation(admin_client, place, group, name):
    page = markup(admin_client.get(place, follow=True))
    heading = re.search(r"<h1.*?</h1>", page)[0]
    parts = re.findall(r"<(?:a|span)[^>]*truncate[^>]*>([^<]*)<", heading)
    assert [part.strip() for part in parts[:2]] == [group, name]


def member(role: str, *teams: Team) -> User:
    make_roles()
    user = User.objects.create_user(f"{role}-{len(teams)}".lower(), password="x", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    user.teams.set(teams)
    return user


def study(word: str) -> SimpleNamespace:
    """Rows of every kind that name the word, all of one team's bot."""
    bot = make_bot(title=f"{word} study", slug=f"{word}-study".lower(), host=word)
    script = bot.scripts.get()
    type(script).objects.filter(pk=script.pk).update(name=f"{word} script")
    script.sections.update(title=f"{word} section")
    session = talk(SessionFactory(bot=bot, participant__name=f"{word} Smith"), [f"My {word}."] * 2)
    session.title = f"{word} study"
    session.save()
    entry = session.entries.get(position=3)
    invitation = Invitation.objects.create(
        bot=bot, participant=session.participant, name=word, email=f"{word}@example.org"
    )
    team = Team.objects.create(name=f"Team {word}")
    rows = {
        "bot": bot,
        "script": script,
        "section": script.sections.get(),
        "plan": session.plan,
        "topic": Topic.objects.create(bot=bot, key=word.lower(), label=f"{word} topic"),
        "document": Document.objects.create(
            bot=bot, name=f"{word}.txt", size=1, digest=word, status="ready"
        ),
        "experiment": Experiment.objects.create(title=f"{word} experiment", slug=f"{word}-x"),
        "ladderconcept": LadderConcept.objects.create(key=word, name=f"{word} concept"),
        "laddermethodology": LadderMethodology.objects.create(key=word, name=f"{word} method"),
        "session": session,
        "participant": session.participant,
        "turn": session.turns.last(),
        "transcriptentry": entry,
        "invitation": invitation,
        "mail": Mail.objects.create(kind="invitation", invitation=invitation, to=invitation.email),
        "fact": Fact.objects.create(
            session=session, entry=entry, number=1, text=word, confidence=0.9, question="a"
        ),
        "reflection": Reflection.objects.create(
            session=session, name="summary", status="ready", content={"text": word, "sections": []}
        ),
        "calibration": Calibration.objects.create(
            session=session, method="held_out", created_by=word
        ),
        "batch": Batch.objects.create(bot=bot, created_by=word),
        "evaluation": Evaluation.objects.create(bot=bot, name=word, created_by=word),
        "llmcall": CallFactory(session=str(session.pk), bot=bot.slug, response=word),
        "accessrecord": AccessRecord.objects.create(name=word, what="Read.", bot=bot),
    }
    rows["experiment"].arms.create(name=f"{word} arm", bot=bot)
    for field in ("bot", "experiment"):
        getattr(team, f"{field}s").add(rows[field])
    team.concepts.add(rows["ladderconcept"])
    team.methodologies.add(rows["laddermethodology"])
    _write_report(bot, session, word)
    return SimpleNamespace(team=team, **rows)


def _write_report(bot: Bot, session, word: str) -> None:
    """A report on findings that was accepted, and a theme that a model suggests."""
    place = {"session": str(session.pk), "position": 3, "start": 0, "end": 2}
    cited = [{"number": 1, "code": 0, **place}]
    said = {"text": f"{word} says so.", "quotes": [{"position": 1, "text": "My"}]}
    sections = [{"title": word, "statements": [said]}]
    made = {"status": "ready", "created_by": word, "finished_at": timezone.now()}
    content = {"sections": sections, "excerpts": cited, "made_by": "model"}
    report = StudyReport.objects.create(bot=bot, content=content, **made)
    report.sources.create(session=session)
    judge(report, Opinion(Judgement.State.ACCEPTED), word, 0)
    code = CodebookCode.objects.create(bot=bot, name=f"{word} code", created_by=word)
    proposal = {"key": 1, "kind": "place", "code": code.pk, "name": f"{word} theme"}
    ThemeSuggestions.objects.create(bot=bot, content={"proposals": [proposal]}, **made)


@pytest.fixture
def two(db):
    return study(OURS), study(THEIRS)


def opens(client, address: str):
    response = client.get(address)
    body = response.content.decode() if not response.streaming else ""
    return response.status_code, THEIRS.lower() in body.lower()


def test_a_team_sees_nothing_of_another_one_on_any_page(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team))
    assert opens(client, f"/admin/plans/bot/{ours.bot.pk}/change/")[0] == 200
    leaks, reached = [], []
    for pattern in admin_addresses():
        named = re.match(r"/admin/\w+/(\w+)/", pattern)
        own = vars(theirs).get(named[1]) if named else None
        by_kind = {"<int": {theirs.bot, theirs.experiment}, "<uuid": {theirs.session}}
        kind = next((one for one in by_kind if one in pattern), "<")
        rows = by_kind.get(kind, {own or theirs.bot})
        for key in {str(row.pk) for row in rows} if "<" in pattern else {""}:
            address = re.sub("<[^>]+>", key, pattern)
            status, leaks_word = opens(client, address)
            assert status < 500, address
            leaks += [address] if leaks_word else []
            if own is not None and key == str(own.pk) and status == 200:
                reached.append(address)
    assert leaks == []
    asked = {"_form_submitted": "True", "title": "x", "name": "x", "key": "x"}
    for dialog in reached:  # which asks what to do, without a word of the row
        assert client.post(dialog, asked, headers={"HX-Request": "true"}).status_code == 404, dialog


def test_their_rows_are_404_by_id(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team))
    for address in (
        f"{SESSIONS}{theirs.session.pk}/live/",
        f"{SESSIONS}overview/{theirs.bot.pk}/",
        f"{SESSIONS}experiment/{theirs.experiment.pk}/",
        f"{SESSIONS}prolific/{theirs.bot.pk}/",
        f"{SESSIONS}findings/{theirs.bot.pk}/",
        f"{SESSIONS}findings/{theirs.bot.pk}/report/",
        f"/admin/reflections/batch/bot/{theirs.bot.pk}/",
        f"/admin/reflections/reflection/of/{theirs.session.pk}/",
        f"/admin/reflections/calibration/add/?bot={theirs.bot.pk}",
    ):
        assert opens(client, address)[0] == 404, address
    for page in ("overview/{}/", "findings/{}/", "findings/{}/report/"):
        assert opens(client, SESSIONS + page.format(ours.bot.pk)) == (200, False)
    for address, refused in ((reverse("admin:interviews_session_ladders"), 400), (CODES, 404)):
        assert opens(client, f"{address}?bot={ours.bot.pk}") == (200, False)
        assert opens(client, f"{address}?bot={theirs.bot.pk}") == (refused, False)
    add = "/admin/reflections/calibration/add/?"
    for query in ("session={}", "_changelist_filters=session__id__exact%3D{}"):
        assert "Smith" in markup(client.get(add + query.format(ours.session.pk)))
        assert opens(client, add + query.format(theirs.session.pk)) == (200, False)


def test_nothing_of_theirs_is_offered_or_taken(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team))
    for model, field in (("experimentarm", "bot"), ("bot", "scripts")):
        query = f"?app_label=plans&model_name={model}&field_name={field}&term="
        assert opens(client, f"/admin/autocomplete/{query}") == (200, False)
    asked = {"bot": theirs.bot.pk, "count": 1}
    assert client.post("/admin/interviews/invitation/invite/", asked).status_code == 400
    file = {"content": f"title: Mine\nslug: {theirs.bot.slug}\nprotocol: life_story\n"}
    assert client.post("/admin/plans/bot/import/", file).status_code != 302
    delete = {"action": "delete_selected", "_selected_action": [theirs.session.pk], "post": "yes"}
    client.post(SESSIONS, delete)
    theirs.session.refresh_from_db()


def exported(client, table: str, **asked) -> bytes:
    response = client.post(EXPORT, {"table": table, "format": "csv"} | asked)
    if not response.streaming:
        return b""
    content = b"".join(response.streaming_content)
    if table != "all" or asked.get("format") == "qdc":
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def test_an_export_holds_only_the_team(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team))
    for table in ("all", *TABLES):
        assert THEIRS.lower().encode() not in exported(client, table).lower(), table
    assert ours.session.pk.hex.encode() in exported(client, "sessions").replace(b"-", b"")
    assert f"{OURS} says so.".encode() in exported(client, "findings")
    for form in ("qdpx", "qdc"):
        content = exported(client, "all", format=form)
        assert OURS.lower().encode() in content.lower()
        assert THEIRS.lower().encode() not in content.lower()
    named = exported(client, "transcripts", sessions=str(theirs.session.pk))
    assert len(named.splitlines()) == 1
    assert exported(client, "sessions", bot=theirs.bot.slug) == b""


@pytest.mark.parametrize("role", ROLES)
def test_a_role_opens_its_lists_and_no_others(client, two, role):
    client.force_login(member(role))
    lists = (re.fullmatch(r"/admin/(?!pass)\w+/(\w+)/", one) for one in admin_addresses())
    models = {one[1]: one[0] for one in lists if one}
    parts = {"topic", "section", "document"}  # lists that lead to their bot's or script's
    opened = {name for name, url in models.items() if client.get(url).status_code == 200}
    assert opened - parts == LISTS[role]
    page = client.get(f"{SESSIONS}{two[0].session.pk}/change/")
    assert (page.status_code == 200) == ("session" in LISTS[role])
    figures = client.get(f"{SESSIONS}overview/{two[0].bot.pk}/")
    assert figures.status_code == 200
    results = reverse("admin:plans_experiment_results", args=[two[0].experiment.pk])
    assert client.get(results, follow=True).status_code == 200


@pytest.mark.parametrize("role", ROLES)
def test_a_role_exports_its_tables_and_no_others(client, two, role):
    client.force_login(member(role))
    taken = {table for table in TABLES if exported(client, table)}
    assert taken == MAY_EXPORT.get(role, set())


@pytest.mark.parametrize("role", ["Reviewer", "Researcher"])
def test_no_page_shows_contacts_to_a_role_without_them(client, two, role):
    client.force_login(member(role))
    for url in (one for one in admin_addresses() if "<" not in one):
        body = client.get(url).content.decode()
        assert "@example.org" not in body.replace("ask@example.org", ""), url
        assert f"{OURS} Smith" not in body, url


def test_who_deletes_bots_sees_neither_codes_nor_people(client, db):
    bot = make_bot()
    bot.reward_codes.create(code="CODE-7K2")
    Invitation.objects.create(bot=bot, reference="Person 12")
    client.force_login(member("Editor"))
    asked = {"action": "delete_selected", "_selected_action": [bot.pk]}
    page = markup(client.post("/admin/plans/bot/", asked))
    assert str(bot) in page
    assert "CODE-7K2" not in page
    assert "Person 12" not in page
    client.post("/admin/plans/bot/", asked | {"post": "yes"})
    assert not Bot.objects.exists()


def test_a_script_that_another_team_s_bot_asks_isn_t_deleted(client, two):
    ours, theirs = two
    theirs.bot.scripts.add(ours.script)
    client.force_login(member("Owner", ours.team))
    selected = {"action": "delete_selected", "_selected_action": [ours.script.pk]}
    for url, asked in (
        (f"/admin/plans/script/{ours.script.pk}/delete/", {}),
        ("/admin/plans/script/", selected),
    ):
        page = markup(client.post(url, asked | {"post": "yes"}))
        assert "a bot of another team asks its questions" in page
        assert THEIRS not in page
    assert theirs.bot.scripts.count() == 2
    theirs.bot.scripts.remove(ours.script)
    client.post("/admin/plans/script/", selected | {"post": "yes"})
    assert not type(ours.script).objects.filter(pk=ours.script.pk).exists()


def test_no_form_takes_a_row_of_another_team(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team))
    second = make_bot()
    ours.team.bots.add(second)
    Bot.objects.update(status="draft")  # of which nothing is missing
    ours.experiment.arms.create(name="Second", bot=second)
    bot = f"/admin/plans/bot/{ours.bot.pk}/change/"
    experiment = f"/admin/plans/experiment/{ours.experiment.pk}/change/"
    for url, field, row in (
        (bot, "scripts", theirs.script),
        (experiment, "arms-0-bot", theirs.bot),
        (experiment, "arms-0-plan", theirs.plan),
    ):
        form = form_of(client.get(url))
        assert client.post(url, form | {field: [row.pk]}).status_code == 200, field
        assert client.post(url, form).status_code == 302, field
    assert theirs.script not in ours.bot.scripts.all()
    assert not ours.experiment.arms.filter(bot=theirs.bot).exists()
    client.post("/admin/interviews/invitation/add/", {"bot": theirs.bot.pk, "name": "Ann"})
    assert not Invitation.objects.filter(bot=theirs.bot).exclude(pk=theirs.invitation.pk).exists()
    told = {"name": "Ours", "url": "https://1.1.1.1/", "events": ["data.exported"]}
    client.post("/admin/interviews/webhook/add/", told | {"bot": theirs.bot.pk})
    assert not Webhook.objects.exists()
    client.post("/admin/interviews/webhook/add/", told | {"bot": ours.bot.pk})
    assert Webhook.objects.get().bot == ours.bot


def test_a_merge_leaves_out_facts_of_another_team(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team))
    said = {"session": ours.session, "entry": ours.transcriptentry, "question": "a"}
    second = Fact.objects.create(**said, number=2, text="Horns.", confidence=0.9)
    keys = ",".join(str(fact.pk) for fact in (ours.fact, second, theirs.fact))
    url = f"/admin/interviews/fact/merge/?facts={keys}"
    assert client.post(url, form_of(client.get(url))).status_code == 302
    merged = Fact.objects.exclude(merged_into=None)
    assert merged.count() == 1
    assert not merged.filter(pk=theirs.fact.pk).exists()


def test_a_team_has_no_rights_over_the_whole_site(two):
    user = member("Owner", two[0].team)
    user.user_permissions.set(apps.get_model("auth", "Permission").objects.all())
    user = User.objects.get(pk=user.pk)
    for right in ("auth.change_user", "plans.change_team", "llm.view_llmcall"):
        assert not user.has_perm(right)
    assert not user.has_perm("plans.change_siteidentity")
    assert not user.has_perm("reflections.change_expert")
    assert user.has_perm("plans.change_bot")


def test_what_a_team_makes_is_its_own(client, two):
    ours, _ = two
    client.force_login(member("Editor", ours.team))
    made = {"name": "Fresh", "language": "en", "intro": "Hello.", "outro": "Bye."}
    rows = {
        f"{kind}-{name}": 0
        for kind in ("sections", "questions")
        for name in ("TOTAL_FORMS", "INITIAL_FORMS")
    }
    assert client.post("/admin/plans/script/add/", made | rows).status_code == 302
    assert visible(ours.script.__class__.objects.filter(name="Fresh"), member("Owner", ours.team))
    assert ours.team.scripts.get().name == "Fresh"


def test_a_methodology_of_nobody_is_read_and_not_changed(client, two):
    shared = LadderMethodology.objects.create(key="shared", name="Shared")
    client.force_login(member("Owner", two[0].team))
    url = f"/admin/plans/laddermethodology/{shared.pk}/change/"
    assert opens(client, url)[0] == 200
    assert client.post(url, {"source": "id: x"}).status_code == 403
    own = f"/admin/plans/laddermethodology/{two[0].laddermethodology.pk}/change/"
    assert client.post(own, {"source": "id: x"}).status_code != 403


def test_a_copy_stays_in_the_teams_of_its_bot(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team, theirs.team))
    copying = {"_form_submitted": "True", "title": "Another"}
    client.post(f"/admin/plans/bot/{ours.bot.pk}/duplicate/", copying)
    assert list(Bot.objects.get(title="Another").teams.all()) == [ours.team]


def test_deleting_a_bot_says_that_a_team_loses_its_interviews(client, two, admin_user):
    ours, lost = two[0], "no longer by members of a team"
    ours.bot.arms.all().delete()  # they protect it
    urls = (f"/admin/plans/bot/{ours.bot.pk}/delete/", "/admin/plans/bot/")
    picked = {"action": "delete_selected", "_selected_action": [ours.bot.pk]}
    for user, told in ((member("Owner", ours.team), True), (admin_user, False)):
        client.force_login(user)
        for page in (client.get(urls[0]), client.post(urls[1], picked)):
            assert "can still be read and exported" in markup(page)
            assert (lost in markup(page)) is told


def test_deleting_a_team_says_that_its_members_see_nothing_then(admin_client, two):
    ours = two[0]
    user, url = member("Owner", ours.team), "/admin/plans/team/"
    picked = {"action": "delete_selected", "_selected_action": [ours.team.pk]}
    one = f"{url}{ours.team.pk}/delete/"
    for page in (admin_client.get(one), admin_client.post(url, picked)):
        assert "Members of no other team then see nothing" in markup(page)
    assert visible(Bot.objects.all(), user)
    admin_client.post(one, {"post": "yes"})
    sees_nothing(user)


def sees_nothing(user: User) -> None:
    user = User.objects.get(pk=user.pk)
    assert not user.get_all_permissions()
    for model in (Bot, LadderMethodology, Session, Invitation):
        assert not visible(model.objects.all(), user)


def test_leaving_the_last_team_opens_nothing(client, two):
    ours, theirs = two
    user = member("Owner", ours.team)
    client.force_login(user)
    theirs.team.members.add(user)
    ours.team.members.remove(user)
    assert list(visible(Bot.objects.all(), User.objects.get(pk=user.pk))) == [theirs.bot]
    theirs.team.members.clear()
    sees_nothing(user)
    assert client.get("/admin/plans/bot/").status_code == 403
    assert client.get("/api/exports/tables").status_code in (401, 403)


def test_only_an_accounts_page_lets_somebody_see_all_studies_again(admin_client, two):
    ours, theirs = two
    user = member("Researcher", ours.team)
    url = f"/admin/auth/user/{user.pk}/change/"
    told = form_of(admin_client.get(url))
    assert told["only_teams"] == ["on"], told
    admin_client.post(url, told | {"teams": []})
    sees_nothing(user)
    admin_client.post(url, {k: v for k, v in told.items() if k != "only_teams"})  # still in a team
    assert list(visible(Bot.objects.all(), User.objects.get(pk=user.pk))) == [ours.bot]
    left = {k: v for k, v in told.items() if k not in ("only_teams", "teams")}
    assert admin_client.post(url, left).status_code == 302
    assert theirs.bot in visible(Bot.objects.all(), User.objects.get(pk=user.pk))


def test_without_teams_a_role_sees_every_study(two):
    user = member("Researcher")
    assert {*visible(Bot.objects.all(), user)} == {one.bot for one in two}
    assert user.has_perm("interviews.view_session")


def test_every_admin_of_a_team_s_rows_filters_them():
    for model, page in admin.site._registry.items():
        assert isinstance(page, TeamRows) or not _theirs(model, (0,)), model
    assert _theirs(Bot, (0,))


def test_ready_made_groups_keep_their_changes(db):
    make_roles()
    Group.objects.get(name="Observer").permissions.clear()
    make_roles()
    assert not Group.objects.get(name="Observer").permissions.exists()
    assert Group.objects.filter(name__in=ROLES).count() == len(ROLES)


def test_a_page_that_a_role_may_not_open_says_what_to_do(client, db):
    client.force_login(member("Observer"))
    refused = client.get("/admin/interviews/session/export/")
    assert refused.status_code == 403
    page = markup(refused)
    assert "You are signed in as <b>observer-0</b>. Ask an administrator for the role" in page
    assert '<a href="/admin/">' in page


def test_a_participant_is_told_it_in_their_language(rf, db):
    with translation.override("it"):
        refused = permission_denied(rf.get("/s/whatever/"), PermissionDenied())
    assert refused.status_code == 403
    assert "Apra di nuovo il link che ha ricevuto." in refused.content.decode()


def test_a_first_start_makes_the_roles_once(db, settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    called = []
    monkeypatch.setattr(setup, "call_command", lambda name, **_: called.append(name))
    Group.objects.all().delete()
    for _ in range(2):
        (tmp_path / "prepared").unlink(missing_ok=True)  # as after an upgrade
        setup._prepare(static=False)
        names = Group.objects.values_list("name", flat=True)
        assert sorted(names) == [
            "Editor",
            "Fieldwork",
            "Observer",
            "Owner",
            "Researcher",
            "Reviewer",
        ]
    assert called.count("migrate") == 2
    assert Group.objects.get(name="Editor").permissions.filter(codename="change_bot").exists()


def test_whoever_opens_contacts_is_on_record_once(client, two):
    ours, _ = two
    user = member("Fieldwork")
    client.force_login(user)
    for _ in range(2):
        client.get("/admin/interviews/invitation/")
        client.get(f"/admin/interviews/invitation/{ours.invitation.pk}/change/")
    records = AccessRecord.objects.filter(user=user)
    assert {(one.what, one.bot) for one in records} == {
        ("Saw names and addresses.", None),
        ("Saw names and addresses.", ours.bot),
    }
    assert records.count() == 2


def test_a_new_user_gets_a_role_and_a_team_at_once(admin_client, two):
    make_roles()
    page = admin_client.get("/admin/auth/user/add/").content.decode()
    assert ROLES["Fieldwork"].does in page.replace("&#x27;", "'")
    role = Group.objects.get(name="Fieldwork")
    told = {"username": "mo", "usable_password": "true", "password1": "Kq83-lmnop"}
    told |= {"password2": "Kq83-lmnop", "groups": [role.pk], "teams": [two[0].team.pk]}
    assert admin_client.post("/admin/auth/user/add/", told).status_code == 302
    user = User.objects.get(username="mo")
    assert (user.is_staff, *user.groups.all(), *user.teams.all()) == (True, role, two[0].team)


def test_a_role_that_a_user_gets_later_is_enough_to_sign_in(admin_client):
    told = {"username": "mo", "usable_password": "true", "password1": "Kq83-lmnop"}
    admin_client.post("/admin/auth/user/add/", told | {"password2": "Kq83-lmnop"})
    user = User.objects.get(username="mo")
    assert user.is_staff
    page = markup(admin_client.get(f"/admin/auth/user/{user.pk}/change/"))
    assert "Designates" not in page
    assert "Can enter the admin" in page


def test_a_bots_file_changes_nothing_of_another_team(client, two):
    ours, theirs = two
    client.force_login(member("Owner", ours.team))
    ours.bot.topics.all().delete()  # a life story's file has none
    text = write(bot_document(ours.bot), "yaml").replace(f"{OURS} script", f"{THEIRS} script")
    url = f"/admin/plans/bot/{ours.bot.pk}/import/"

    client.post(url, form_of(client.post(url, {"text": text})))

    assert theirs.script.sections.get().title == f"{THEIRS} section"
    assert theirs.script not in ours.bot.scripts.all()


def test_an_admin_whose_status_was_taken_is_left_as_they_are(db):
    User.objects.create_user(setup.ADMIN)
    assert setup._create_admin() == ""
    assert not User.objects.filter(is_superuser=True).exists()
