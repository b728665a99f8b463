"""Coding an interview on its page, and its excerpts in every export."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviews.exports.refi_qda.project import codebook_chunks, project_chunks
from interviews.exports.selection import Selection
from interviews.models import TranscriptEntry
from interviews.turns.withdrawal import withdraw
from interviewsite.admin.roles import make_roles
from plans.models import Experiment, Team
from reflections.coding.codebook import add_excerpt, merge_codes
from reflections.models import CodebookCode, Excerpt
from tests.conftest import make_bot
from tests.interviews.exports.qdpx import read_project, validate
from tests.interviews.exports.reading import read
from tests.interviews.exports.test_refi_qda import ANY_TEXT
from tests.pages import markup
from tests.reflections.coding import EMOJI, HEBREW, address, coded_study, do, select
from tests.reflections.telling import ANSWERS, told_session

pytestmark = pytest.mark.django_db


def excerpts() -> list[tuple[str, str, str]]:
    rows = Excerpt.objects.select_related("code", "entry").order_by("id")
    return [(one.code.name, one.quote, one.memo) for one in rows]


def project():
    return read_project(b"".join(project_chunks(Selection())))


def signed_in(client, role: str, *teams: Team) -> User:
    make_roles()
    user = User.objects.create_user(role.lower(), password="x", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    user.teams.set(teams)
    client.force_login(user)
    return user


def test_words_are_coded_with_a_memo_and_freed_again(client):
    signed_in(client, "Researcher")
    session = told_session((EMOJI, HEBREW, *ANSWERS))
    select(client, session, 3, " 👩‍👩‍👧 three, Zoe\u0301 ", "  Family  ties ", memo="Who is Zoé?")
    select(client, session, 3, "Zoe\u0301 and I", "family TIES")
    page = select(client, session, 5, "והדייגים היו שרים", "Sea")
    family, ties = "👩‍👩‍👧 three, Zoe\u0301", "Family ties"
    assert excerpts() == [
        (ties, family, "Who is Zoé?"),
        (ties, "Zoe\u0301 and I", ""),
        ("Sea", "והדייגים היו שרים", ""),
    ]
    assert '<mark class="coding-mark">והדייגים היו שרים</mark>' in page
    assert '<mark class="coding-mark coding-deep">Zoe\u0301</mark>' in page
    first = Excerpt.objects.order_by("id")[0]
    do(client, session, f"memo {first.pk}", **{f"memo-{first.pk}": " Her aunt. "})
    select(client, session, 5, "והדייגים היו שרים", "Sea")  # the same once more
    before = timezone.now()
    do(client, session, f"remove {Excerpt.objects.order_by('id')[1].pk}")
    assert Selection(changed_since=before).queryset().get() == session
    assert [memo for _, _, memo in excerpts()] == ["Her aunt.", ""]
    withdraw(session)
    assert not Excerpt.objects.exists()
    assert CodebookCode.objects.count() == 2


def test_words_that_two_people_code_alike_keep_the_memos_of_both(admin_client):
    session = told_session()
    for memo in ("Her trade?", "", "trade", "Compare with Ada.", "trade"):
        select(admin_client, session, 3, "kept bees", "Animals", memo=memo)
    assert excerpts() == [("Animals", "kept bees", "Her trade?\ntrade\nCompare with Ada.")]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"quote": "their words"}, "Select them again"),
        ({"position": 99}, "Select them again"),
        ({"start": 9, "end": 3, "quote": ""}, "Select some words first"),
        ({"code": "  "}, "Choose a code"),
        ({"do": "guess"}, "Choose what to do"),
        ({"do": "memo 99"}, "has been removed"),
        ({"do": "accept"}, "Choose suggestions first"),
        ({"do": "suggest"}, "model"),
    ],
)
def test_what_cannot_be_coded_is_said(admin_client, wrong, says):
    session = told_session()
    right = {"position": 3, "start": 0, "end": 2, "quote": "My", "code": "Self", "do": "add"}
    page = admin_client.post(address(session), right | wrong, follow=True).content.decode()
    assert says in page
    assert excerpts() == []


def test_a_codebook_has_levels_and_keeps_its_names_apart(admin_client):
    session = told_session()
    for name in ("Work", "Stress", "Rest"):
        do(admin_client, session, "new", name=name, meaning=f"What is said of {name}.")
    work, stress, rest = CodebookCode.objects.order_by("id")

    def store(code, **changes) -> str:
        values = {"name": code.name, "meaning": code.description, "parent": "", **changes}
        data = {f"{key}-{code.pk}": value for key, value in values.items()}
        return do(admin_client, session, f"store {code.pk}", **data)

    store(stress, parent="work")
    store(rest, parent="Stress", name="Quiet")
    assert "be below itself" in store(work, parent="Quiet")
    assert "no code called “Wrok”" in store(stress, parent="Wrok")
    assert "another code called “quiet”" in store(stress, name="quiet", parent="Work")
    assert "Write the code’s name" in store(stress, name=" ")
    select(admin_client, session, 3, "kept bees", "quiet")
    [row] = read("excerpts")
    assert (row["excerpt"], row["path"], row["memo"]) == ("kept bees", "Work > Stress > Quiet", "")
    assert [(one["path"], one["excerpts"]) for one in read("codes")] == [
        ("Work", "0"),
        ("Work > Stress", "0"),
        ("Work > Stress > Quiet", "1"),
    ]
    do(admin_client, session, f"delete {rest.pk}")
    assert Excerpt.objects.count() == 1
    do(admin_client, session, f"delete {rest.pk}", **{f"sure-{rest.pk}": "on"})
    assert (Excerpt.objects.count(), CodebookCode.objects.count()) == (0, 2)


def test_what_somebody_else_has_written_meanwhile_is_not_overwritten(admin_client):
    session = told_session()
    do(admin_client, session, "new", name="Life")
    select(admin_client, session, 3, "kept bees", "Animals", memo="Hives?")
    key, one = CodebookCode.objects.get(name="Animals").pk, Excerpt.objects.get().pk
    page = markup(admin_client.get(address(session)))
    shown = dict(re.findall(r'name="(was-[a-z]+-\d+)" value="([^"]*)"', page))
    theirs = {f"name-{key}": "Beasts", f"meaning-{key}": "Kept or wild.", f"parent-{key}": "Life"}
    do(admin_client, session, f"store {key}", **shown | theirs)
    do(
        admin_client,
        session,
        f"memo {one}",
        **shown | {f"memo-{one}": "Six hives.", f"against-{one}": "on"},
    )
    do(admin_client, session, f"memo {one}", **shown | {f"memo-{one}": "Hives?"})
    mine = {f"name-{key}": "Animals", f"meaning-{key}": "", f"parent-{key}": ""}
    do(admin_client, session, f"store {key}", **shown | mine)  # as the page had it
    page = do(
        admin_client, session, f"store {key}", **shown | mine | {f"meaning-{key}": "Only bees."}
    )
    assert "Not saved: “Only bees.”" in page
    assert "Not saved: “Ask.”" in do(
        admin_client, session, f"memo {one}", **shown | {f"memo-{one}": "Ask."}
    )
    code = CodebookCode.objects.get(pk=key)
    assert (code.name, code.description, str(code.parent)) == ("Beasts", "Kept or wild.", "Life")
    assert excerpts() == [("Beasts", "kept bees", "Six hives.")]
    assert Excerpt.objects.get().against


def test_a_description_is_shown_again_where_the_code_could_not_be_changed(admin_client):
    session = told_session()
    do(admin_client, session, "new", name="Life")
    do(admin_client, session, "new", name="Animals", meaning="Kept.")
    key = CodebookCode.objects.get(name="Animals").pk
    shown = {f"was-name-{key}": "Animals", f"was-meaning-{key}": "Kept.", f"was-parent-{key}": ""}
    mine = {f"name-{key}": "Life", f"meaning-{key}": "Only bees.", f"parent-{key}": ""}
    lost = "The description wasn’t saved either: “Only bees.”"
    assert lost in do(admin_client, session, f"store {key}", **shown | mine)
    as_it_was = {f"meaning-{key}": "Kept."}
    assert lost[:15] not in do(admin_client, session, f"store {key}", **shown | mine | as_it_was)
    CodebookCode.objects.filter(pk=key).update(name="Beasts")
    mine[f"name-{key}"] = "Insects"
    assert lost in do(admin_client, session, f"store {key}", **shown | mine)
    CodebookCode.objects.get(pk=key).delete()
    assert lost in do(admin_client, session, f"store {key}", **shown | mine)


def test_a_code_adds_the_same_to_a_page_however_many_there_are(admin_client):
    session = told_session(("We kept bees.",) * 20)

    def added(count: int) -> int:
        before = len(admin_client.get(address(session)).content)
        number = CodebookCode.objects.count()
        CodebookCode.objects.bulk_create(
            CodebookCode(bot=session.bot, name=f"Code {one:03}", created_by="anna")
            for one in range(number, number + count)
        )
        return len(admin_client.get(address(session)).content) - before

    few = added(10)
    assert added(140) < 14.5 * few


def test_who_may_not_code_reads(client):
    session = told_session()
    select_by = {"position": 3, "start": 0, "end": 2, "quote": "My", "code": "Self", "do": "add"}
    signed_in(client, "Reviewer")
    page = markup(client.get(address(session)))
    assert "coding-bar" not in page
    assert client.post(address(session), select_by).status_code == 403
    signed_in(client, "Editor")
    assert client.get(address(session)).status_code == 403


def test_who_may_read_interviews_but_no_excerpts_sees_no_codes(client):
    session = told_session()
    offered = f'href="{address(session)}"'
    for role, status in (("Reviewer", 200), ("Fieldwork", 403)):
        signed_in(client, role)
        page = markup(client.get(reverse("admin:interviews_session_change", args=[session.pk])))
        assert (offered in page) == (status == 200)
        assert client.get(address(session)).status_code == status


def test_arms_share_a_codebook_and_other_teams_see_none_of_it(client):
    ours = told_session()
    theirs = told_session(bot=make_bot(slug="theirs"))
    arm = told_session(bot=make_bot(slug="arm"))
    experiment = Experiment.objects.create(title="Both", slug="both")
    of_others = told_session(bot=make_bot(slug="of-others"))
    for session in (ours, arm, of_others):
        experiment.arms.create(name=session.bot.slug, bot=session.bot)
    for session, name in ((theirs, "Zebra"), (of_others, "Quagga")):
        CodebookCode.objects.create(bot=session.bot, name=name, created_by="x")
    team = Team.objects.create(name="Ours")
    team.bots.add(ours.bot, arm.bot)
    signed_in(client, "Researcher", team)
    select(client, ours, 3, "kept bees", "Animals")
    select(client, arm, 3, "kept bees", "animals")
    assert CodebookCode.objects.filter(name="Animals").get().bot == ours.bot
    assert Excerpt.objects.filter(code__name="Animals").count() == 2
    page = client.get(address(ours)).content.decode()
    assert "Zebra" not in page
    assert "Quagga" not in page
    assert client.get(address(theirs)).status_code == 404
    for chosen in (
        Selection(bot=arm.bot.pk),
        Selection(user=User.objects.get(username="researcher")),
    ):
        assert {row["code"] for row in read("codes", chosen=chosen)} == {"Animals"}
        content = b"".join(codebook_chunks(chosen))
        assert b"Animals" in content
        assert b"Zebra" not in content


def test_twenty_interviews_are_read_back_word_for_word():
    sessions = coded_study(20, (EMOJI, HEBREW, *ANSWERS))
    found = project()
    coded = [one for one in found.selections if one.by == "anna"]
    quotes = [one.quote for one in Excerpt.objects.select_related("entry")]
    assert sorted(one.text for one in coded) == sorted(quotes)
    assert len(coded) == 20 * 5 * 3
    assert len(found.texts) == len(found.cases) == len(sessions)
    assert {tuple(one.codes) for one in coded} == {
        ("Place",), ("Place", "Home"), ("Place", "Leaving")
    }  # fmt: skip
    assert {one.memo for one in coded if one.codes[-1] == "Leaving"} == {"Why?\nAsk."}
    nested = [(one.start, one.end) for one in coded if one.source == coded[0].source]
    assert any(a[0] < b[0] < a[1] < b[1] for a in nested for b in nested)
    assert any(a[0] <= b[0] and b[1] < a[1] for a in nested for b in nested)
    assert project().xml == found.xml
    validate(b"".join(codebook_chunks(Selection())), "Codebook.xsd")


def test_deleting_a_bot_says_that_its_coding_goes_with_it(admin_client):
    session = told_session()
    select(admin_client, session, 3, "kept bees", "Animals")
    url = reverse("admin:plans_bot_delete", args=[session.bot_id])
    picked = {"action": "delete_selected", "_selected_action": [session.bot_id]}
    bots = reverse("admin:plans_bot_changelist")
    for page in (admin_client.get(url), admin_client.post(bots, picked)):
        assert "interviews is deleted, too:</b> codes, passages, memos" in markup(page)
    admin_client.post(url, {"post": "yes"})
    assert excerpts() == []
    assert read("transcripts")


def test_what_speaks_against_a_code_says_so_in_projects(admin_client):
    session = told_session()
    select(admin_client, session, 3, "kept bees", "Animals", memo="Hives.")
    select(admin_client, session, 3, "bees", "Animals")
    select(admin_client, session, 3, "kept", "Animals")
    kept = Excerpt.objects.latest("pk")
    Excerpt.objects.exclude(pk=kept.pk).update(against=True)
    memos = {one.text: one.memo for one in project().selections if one.by == "admin"}
    said = "Speaks against the code."
    assert memos == {"kept bees": f"{said}\nHives.", "bees": said, "kept": ""}


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT.filter(lambda text: bool(text.strip())), data=st.data())
def test_whatever_was_said_a_selection_is_its_quote(text, data):
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    Excerpt.objects.all().delete()
    TranscriptEntry.objects.all().delete()
    session = told_session((text or "x",))
    entry = session.entries.get(position=3)
    code = CodebookCode.objects.create(bot=session.bot, name="Any", created_by="anna")
    start = data.draw(st.integers(0, len(entry.text) - 1))
    end = data.draw(st.integers(start + 1, len(entry.text)))
    row = Excerpt.objects.create(
        session=session, entry=entry, code=code, start=start, end=end, created_by="anna"
    )
    [found] = [one for one in project().selections if one.by == "anna"]
    quote = re.sub("\r\n|[\r\x0b\x0c\x85\u2028\u2029]", "\n", row.quote)
    assert len(found.text) == len(quote)
    assert all(a in (b, "\ufffd") for a, b in zip(found.text, quote, strict=True))


def test_a_passage_that_two_merged_codes_hold_on_opposite_sides_says_so(admin_user):
    session = told_session()
    bot, entry = session.bot, session.entries.get(position=3)
    alone, solitude = (
        CodebookCode.objects.create(bot=bot, name=name, created_by="anna")
        for name in ("Alone", "Solitude")
    )
    for code, against in ((alone, True), (solitude, False)):
        add_excerpt(entry, code, 0, 14, "anna", against=against)
    merge_codes(bot, admin_user, alone.pk, solitude.pk)
    [row] = read("excerpts")
    assert (row["code"], row["against"]) == ("Solitude", "false")
    assert row["memo"] == "Spoke against “Alone”, which was merged into this code."


@pytest.mark.parametrize("change", ["store", "delete"])
def test_excerpts_under_lower_codes_change_with_the_code_above(admin_client, change):
    session = told_session()
    other = told_session(bot=session.bot)
    work = CodebookCode.objects.create(bot=session.bot, name="Work", created_by="anna")
    bees = CodebookCode.objects.create(bot=session.bot, name="Bees", parent=work, created_by="anna")
    add_excerpt(session.entries.get(position=3), bees, 0, 14, "anna")
    before = timezone.now()
    Excerpt.objects.update(created_at=before - timedelta(days=1))
    sent = {f"name-{work.pk}": "Labour", f"meaning-{work.pk}": "", f"sure-{work.pk}": "on"}
    do(admin_client, other, f"{change} {work.pk}", **sent)
    [row] = read("excerpts", chosen=Selection(changed_since=before))
    assert row["path"] == ("Labour > Bees" if change == "store" else "Bees")
