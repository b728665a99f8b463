"""Coding in the admin: codes are stored, corrected by a person, and the same everywhere."""

import csv
import io
import json
from datetime import timedelta
from itertools import pairwise

import networkx as nx
import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection
from interviews.models import Code, CodeSuggestion, CodingStep, Node, Session
from interviews.protocols.laddering.codes.assignment import code_interviews
from interviews.protocols.laddering.exports.graphml import graphml_of
from llm.models import LLMCall
from tests.factories import AnswerFactory, SessionFactory, TurnFactory
from tests.interviews.graphed import add_node, graphed, make_ladder_bot, tie
from tests.interviews.laddering.five import PEOPLE, steps
from tests.interviews.leaving import gone
from tests.pages import markup
from tests.scripted import scripted

pytestmark = pytest.mark.django_db
CODES = "/admin/interviews/session/codes/"
LADDERS = "/admin/interviews/session/ladders/"
A, F = "attribute", "functional_consequence"


@pytest.fixture
def bot():
    return make_ladder_bot()


def said(bot, *nodes: tuple[str, str], **fields) -> Session:
    """An interview in which these were said, each leading to the next."""
    session = SessionFactory(bot=bot, **fields)
    AnswerFactory(turn=TurnFactory(session=session, number=1), text="It is like that.")
    made = [add_node(session, text, kind) for text, kind in nodes]
    for source, target in pairwise(made):
        tie(source, target)
    return session


def code(text: str, kind: str = "") -> int:
    """The key of the code under which this was said."""
    found = Node.objects.filter(text=text, **({"type": kind} if kind else {}))
    return found.latest("id").code_id


def send(client, bot, do: str, **data):
    response = client.post(f"{CODES}?bot={bot.pk}", {"do": do, **data})
    assert response.status_code == 302
    return response


def listed(client, bot) -> dict[str, list[str]]:
    """The codes of the downloaded file, with their nodes."""
    response = client.get(LADDERS, {"bot": bot.pk, "file": "codes"})
    rows = csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"), newline=""))
    return {row["code"]: row["nodes"].splitlines() for row in rows}


def page(client, bot) -> str:
    response = client.get(f"{CODES}?bot={bot.pk}")
    assert response.status_code == 200
    return markup(response)


# -- by themselves


def test_interviews_that_have_ended_are_coded_and_others_wait(bot):
    one = said(bot, ("warm light", A), ("eyes rest", F))
    said(bot, ("Warm light", A), ("no tired eyes", F))
    said(bot, ("warm light", A), status=SessionStatus.WAITING_ANSWER)
    code_interviews(bot.pk)
    assert Code.objects.filter(bot=bot).count() == 3
    assert code("Warm light") == one.nodes.get(key="n1").code_id
    assert Node.objects.filter(code=None).count() == 1


def test_what_comes_later_falls_into_the_code_that_says_the_same(admin_client, bot):
    said(bot, ("warm light", A))
    said(bot, ("soft yellowish lamp", A))
    code_interviews(bot.pk)
    keys = [code("warm light"), code("soft yellowish lamp")]
    send(admin_client, bot, "merge", code=keys, name="gentle light")
    said(bot, ("a soft yellowish lamp", A), ("no warm light", A), ("I do not like warm light", A))
    assert len(listed(admin_client, bot)["gentle light"]) == 3
    assert code("no warm light") not in keys
    assert code("I do not like warm light") not in keys


def test_of_a_code_that_was_split_the_larger_part_takes_what_comes_later(admin_client, bot):
    for _ in range(3):
        said(bot, ("warm light", A))
    code_interviews(bot.pk)
    apart = Node.objects.earliest("id")
    send(admin_client, bot, "move", node=[apart.pk], target="", name="light as a mood")
    said(bot, ("warm light", A))
    assert {name: len(nodes) for name, nodes in listed(admin_client, bot).items()} == {
        "warm light": 3,
        "light as a mood": 1,
    }


def test_codes_are_found_once_and_not_with_every_page(admin_client, bot, django_assert_num_queries):
    said(bot, ("warm light", A))
    code_interviews(bot.pk)
    with django_assert_num_queries(1):
        code_interviews(bot.pk)


# -- by a person


@pytest.fixture
def three(bot):
    """Codes for warm light, soft light and rested eyes, said by three people."""
    said(bot, ("warm light", A), ("rested eyes", F))
    said(bot, ("gentle lamp", A), ("rested eyes", F))
    said(bot, ("warm light", A), ("pupils at ease", F))
    code_interviews(bot.pk)
    return bot


def test_merged_codes_are_one_in_matrix_map_and_every_export(admin_client, three):
    eyes, pupils = code("rested eyes"), code("pupils at ease")
    send(admin_client, three, "merge", code=[code("warm light"), code("gentle lamp")])
    send(admin_client, three, "merge", code=[eyes, pupils], name="eyes at rest")
    assert set(listed(admin_client, three)) == {"warm light", "eyes at rest"}
    matrix = markup(admin_client.get(LADDERS, {"bot": three.pk, "file": "matrix"}))
    assert "3.00" in matrix
    lines = markup(admin_client.get(LADDERS, {"bot": three.pk, "file": "map", "cut": "3"}))
    assert "eyes at rest" in lines
    nodes = {row.text: (row.code_id, row.code) for row in TABLES["nodes"].rows(Selection())}
    assert nodes["pupils at ease"] == nodes["rested eyes"] == (eyes, "eyes at rest")
    edges = {row.target_text: row.target_code_id for row in TABLES["edges"].rows(Selection())}
    assert edges["pupils at ease"] == eyes
    session = Node.objects.get(text="pupils at ease").session
    read = nx.parse_graphml(graphml_of(session).decode())
    assert read.nodes["n2"]["code"] == "eyes at rest"
    assert read.nodes["n2"]["code_id"] == eyes


def test_a_statement_is_moved_to_another_code_or_to_a_new_one(admin_client, three):
    node = Node.objects.filter(text="warm light").latest("id")
    send(admin_client, three, "move", node=[node.pk], target=code("gentle lamp"))
    assert len(listed(admin_client, three)["gentle lamp"]) == 2
    send(admin_client, three, "move", node=[node.pk], target="", name="cosy")
    assert len(listed(admin_client, three)["cosy"]) == 1


def test_codes_are_renamed_and_set_on_another_rung(admin_client, three):
    warm = code("warm light")
    send(admin_client, three, "rename", code=[warm], name="  colour \n of the light ")
    send(admin_client, three, "retype", code=[warm], type=F)
    assert (Code.objects.get(pk=warm).name, Code.objects.get(pk=warm).type) == (
        "colour of the light",
        F,
    )
    rows = {row.text: row for row in TABLES["nodes"].rows(Selection())}
    assert (rows["warm light"].type, rows["warm light"].code_type) == (A, F)


def test_a_statement_alone_is_set_on_another_rung(admin_client, three):
    node = Node.objects.filter(text="rested eyes").earliest("id")
    send(admin_client, three, "retype", node=[node.pk], type="psychosocial_consequence")
    node.refresh_from_db()
    assert node.code.type == "psychosocial_consequence"
    assert node.type == F
    assert node.code_id != code("rested eyes")


def test_each_step_is_undone_and_done_again(admin_client, three):
    before = listed(admin_client, three)
    send(admin_client, three, "merge", code=[code("warm light"), code("gentle lamp")], name="soft")
    send(admin_client, three, "retype", code=[code("warm light")], type=F)
    send(
        admin_client, three, "move", node=[Node.objects.earliest("id").pk], target="", name="alone"
    )
    after = listed(admin_client, three)
    for _ in range(3):
        send(admin_client, three, "undo")
    assert listed(admin_client, three) == before
    assert Code.objects.get(pk=code("warm light")).type == A
    for _ in range(3):
        send(admin_client, three, "redo")
    assert listed(admin_client, three) == after
    send(admin_client, three, "undo")
    send(admin_client, three, "rename", code=[code("warm light")], name="other")
    shown = page(admin_client, three)
    assert 'value="redo"' not in shown  # what was undone before something else stays undone
    assert "(undone)" in shown
    assert "renamed “soft” to “other”" in shown


@pytest.mark.parametrize(
    ("do", "data", "why"),
    [
        ("merge", {}, "Choose two codes or more"),
        ("move", {"node": ["999999"]}, "Choose statements"),
        ("rename", {"name": "x"}, "Choose one code to rename"),
        ("rename", {}, "Write the new name first"),
        ("retype", {"type": "nonsense"}, "Choose a rung first"),
        ("undo", {}, "There is nothing to undo"),
        ("redo", {}, "There is nothing to redo"),
        ("accept", {}, "Choose suggestions first"),
        ("nonsense", {}, "Choose what to do"),
    ],
)
def test_what_makes_no_sense_changes_nothing_and_says_so(admin_client, three, do, data, why):
    response = admin_client.post(f"{CODES}?bot={three.pk}", {"do": do, **data}, follow=True)
    assert why in markup(response)
    assert not CodingStep.objects.exists()


def test_codes_of_another_bot_are_out_of_reach(admin_client, three):
    other = make_ladder_bot()
    said(other, ("warm light", A), ("gentle lamp", A))
    code_interviews(other.pk)
    theirs = list(Code.objects.filter(bot=other).values_list("pk", flat=True))
    for do in ("merge", "move", "rename", "retype"):
        data = {"code": theirs, "name": "stolen", "type": F, "node": [Node.objects.latest("id").pk]}
        send(admin_client, three, do, **data)
    assert not Code.objects.filter(bot=other, name="stolen").exists()
    assert not CodingStep.objects.exists()


def test_reading_takes_the_right_to_see_interviews_and_coding_one_of_its_own(client, three):
    user = User.objects.create_user("somebody", password="x", is_staff=True)
    client.force_login(user)
    assert client.get(f"{CODES}?bot={three.pk}").status_code == 403
    rights = Permission.objects.filter(content_type__app_label="interviews")
    user.user_permissions.add(rights.get(codename="view_session"))
    assert 'name="code"' not in page(client, three)
    keys = [code("warm light"), code("gentle lamp")]
    assert client.post(f"{CODES}?bot={three.pk}", {"do": "merge", "code": keys}).status_code == 403
    user.user_permissions.add(rights.get(codename="change_code"))
    assert 'name="code"' in page(client, three)
    send(client, three, "merge", code=keys)
    assert CodingStep.objects.get().by == "somebody"


@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_codes_go_that_nobody_else_stands_behind(three, how):
    session = Node.objects.get(text="gentle lamp").session
    lamp = code("gentle lamp")
    gone(session, how)
    assert not Code.objects.filter(pk=lamp).exists()
    assert Code.objects.filter(pk=code("rested eyes")).exists()


@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_steps_go_that_name_such_codes(admin_client, three, how):
    lamp, light = code("gentle lamp"), code("warm light")
    send(admin_client, three, "rename", code=[lamp], name="her husband's lamp")
    send(admin_client, three, "rename", code=[light], name="warm")
    gone(Node.objects.get(text="gentle lamp").session, how)
    assert [list(step.after["codes"]) for step in CodingStep.objects.all()] == [[str(light)]]


# -- suggestions


@pytest.fixture
def people(bot):
    """Five interviews about the same lamp, with nearly the same ladders."""
    for chains in PEOPLE:
        session = SessionFactory(bot=bot)
        AnswerFactory(turn=TurnFactory(session=session, number=1), text="It is like that.")
        nodes: dict[tuple[str, str], Node] = {}
        for chain in chains:
            made = []
            for text, kind in steps(chain):
                if (text, kind) not in nodes:
                    nodes[text, kind] = add_node(session, text, kind)
                made.append(nodes[text, kind])
            for source, target in pairwise(made):
                tie(source, target)
    code_interviews(bot.pk)
    return bot


@pytest.fixture
def model(settings):
    settings.LLM_PROVIDER = "scripted"
    return scripted


def test_codes_with_words_in_common_are_suggested_and_opposites_never(admin_client, bot):
    said(bot, ("warm light", A), ("sleeping well", F), ("freedom", "terminal_value"))
    said(bot, ("light that is warm", A), ("not sleeping well", F), ("security", "terminal_value"))
    send(admin_client, bot, "suggest")
    groups = [set(one.codes) for one in CodeSuggestion.objects.all()]
    assert not any({code("sleeping well"), code("not sleeping well")} <= one for one in groups)
    assert not any({code("freedom"), code("security")} <= one for one in groups)


def test_suggestions_are_accepted_and_refused_one_by_one_and_in_bulk(admin_client, people):
    send(admin_client, people, "suggest")
    first, second, *rest = CodeSuggestion.objects.all()
    count = len(listed(admin_client, people))
    assert len(rest) > 2
    keep = first.codes[:2]
    send(admin_client, people, f"accept {first.pk}", **{f"in-{first.pk}": keep})
    assert len(listed(admin_client, people)) == count - 1
    send(admin_client, people, f"refuse {second.pk}")
    chosen = {f"in-{one.pk}": one.codes for one in rest}
    send(admin_client, people, "accept", suggestion=[one.pk for one in rest], **chosen)
    merged = sum(len(one.codes) - 1 for one in rest)
    assert len(listed(admin_client, people)) == count - 1 - merged
    send(admin_client, people, "suggest")
    again = [set(one.codes) for one in CodeSuggestion.objects.filter(refused=False)]
    assert not any(set(second.codes[:2]) <= one for one in again)
    send(admin_client, people, "forget")
    assert not CodeSuggestion.objects.filter(refused=True).exists()


@pytest.mark.django_db(transaction=True)  # a call is recorded in a thread of its own
def test_a_models_groups_are_suggested_and_what_makes_no_sense_is_dropped(
    admin_client, people, model
):
    eyes = ["eyes don't hurt", "my eyes stay rested", "no tired eyes"]
    keys = [code(text) for text in eyes]
    groups = [
        {"codes": [*keys, 999999], "name": "eyes stay  rested"},
        {"codes": [keys[0], code("saving money")], "name": "twice"},
        {"codes": [code("feeling free")], "name": "alone"},
    ]
    model.reply("laddering.codes", json.dumps({"groups": groups}))
    send(admin_client, people, "suggest")
    [found] = CodeSuggestion.objects.filter(by_model=True)
    assert (set(found.codes), found.name) == (set(keys), "eyes stay rested")
    assert 'value="eyes stay rested"' in page(admin_client, people)
    call = LLMCall.objects.get()
    assert call.task == "laddering.codes"
    assert (call.request, call.response) == ({}, "")  # a withdrawal couldn't find its words
    asked = model.requests[0].messages[0].text
    assert "eyes don't hurt" in asked or "eyes don&#x27;t hurt" in asked


@pytest.mark.django_db(transaction=True)  # a call is recorded in a thread of its own
def test_without_an_answer_of_the_model_words_are_compared(admin_client, people, model):
    response = admin_client.post(f"{CODES}?bot={people.pk}", {"do": "suggest"}, follow=True)
    assert "Found by comparing words, because no model answered" in markup(response)
    assert CodeSuggestion.objects.filter(by_model=False).exists()


def test_what_people_said_is_never_markup(admin_client, bot):
    said(bot, ("<img src=x onerror=alert(1)>", A))
    assert "<img src=x" not in page(admin_client, bot)


def test_the_ladders_lead_to_the_codes(admin_client, bot):
    graphed(5, bot)
    shown = markup(admin_client.get(LADDERS, {"bot": bot.pk, "cut": "2"}))
    assert f'href="{reverse("admin:interviews_session_codes")}?bot={bot.pk}"' in shown


@pytest.mark.parametrize("taken", ["step", "undo", "redo"])
def test_a_step_is_a_change_and_so_is_taking_it_back(admin_client, bot, taken):
    session = said(bot, ("warm light", A), status=SessionStatus.COMPLETED)
    code_interviews(bot.pk)
    before = timezone.now()
    for do in ("rename", "undo", "redo"):
        Session.objects.update(changed_at=before - timedelta(days=1))
        CodingStep.objects.update(at=before - timedelta(days=1))
        send(admin_client, bot, do, code=[code("warm light")], name="warmth")
        if do == taken or (do, taken) == ("rename", "step"):
            break
    assert list(Selection(changed_since=before).queryset()) == [session]


def test_interviews_that_are_coded_once_they_have_ended_have_changed(admin_client, bot):
    session = said(bot, ("warm light", A), status=SessionStatus.STOPPED)
    before = timezone.now()
    Session.objects.update(changed_at=before - timedelta(days=1))
    assert admin_client.get(LADDERS, {"bot": bot.pk}).status_code == 200
    [row] = TABLES["nodes"].rows(Selection(changed_since=before))
    assert (row.session.session, row.code) == (session, "warm light")


@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_a_code_that_loses_its_words_is_a_change_of_those_who_said_the_same(
    bot, how, django_capture_on_commit_callbacks
):
    first, other = said(bot, ("Warm light", A)), said(bot, ("warm light", A))
    said(bot, ("no cable", A))
    code_interviews(bot.pk)
    before = timezone.now()
    Session.objects.update(changed_at=before - timedelta(days=1))
    with django_capture_on_commit_callbacks(execute=True):
        gone(first, how)
    [row] = TABLES["nodes"].rows(Selection(changed_since=before))
    assert (row.session.session, row.code) == (other, "warm light")
