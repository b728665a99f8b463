"""Graphs in the admin: of one interview, of a bot's interviews together, in the trace of a turn."""

import csv
import io
import json
import re
import zipfile

import pytest
from django.urls import reverse
from django.utils.html import escape

from interviews.choices import SessionStatus
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection
from interviews.models import AccessRecord, Session
from interviews.protocols.laddering.admin import ladders_page, pooled
from llm.concurrency.threads import in_database
from tests.conftest import make_bot
from tests.factories import SessionFactory
from tests.interviews.graphed import FORMULA, add_node, graphed, make_ladder_bot, tie
from tests.interviews.laddering.valid_graphml import problems
from tests.interviews.talk import begin
from tests.pages import markup
from tests.people import somebody
from tests.queries import counted

pytestmark = pytest.mark.django_db
LADDERS = "/admin/interviews/session/ladders/"
LIST = "/admin/interviews/session/"
NASTY = '</script><script>alert("x")</script><img src=x onerror=alert(1)>{{ 7|add:7 }}'


def page(session: Session) -> str:
    return reverse("admin:interviews_session_graph", args=[session.pk])


def transcript(session: Session) -> str:
    return reverse("admin:interviews_session_change", args=[session.pk])


def text(response, status: int = 200) -> str:
    assert response.status_code == status
    return markup(response)


def rows(response) -> list[dict[str, str]]:
    """A downloaded CSV."""
    assert response.status_code == 200
    content = b"".join(response) if response.streaming else response.content
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


# -- of one interview


def test_a_graph_stands_there_as_a_drawing_and_as_a_table(admin_client):
    session = graphed(5, participant__name="Cassiopeia")
    shown = text(admin_client.get(page(session)))
    assert "Graph of Cassiopeia, A reading lamp" in shown
    for place in range(1, 6):
        assert f'href="#n{place}" data-node="n{place}" data-in-rung="{place - 1}"' in shown
    assert 'aria-label="I stay calm. Psychosocial consequence, 2 ties."' in shown
    assert "it dims by itself – leads to – I need not get up again</title>" in shown
    assert len(re.findall(r'<path class="graph-edge"', shown)) == 4
    details = shown.partition('<article class="graph-details" id="n1"')[2].partition("</article>")[
        0
    ]
    assert '<dt>Elements</dt><dd dir="auto">dimming by itself</dd>' in details
    assert "<h3>Leads to</h3>" in details
    assert 'href="#n2" dir="auto">I need not get up again</a>' in details
    assert "What leads to it" not in details
    assert f'href="{transcript(session)}#e3">answer 3</a>' in details
    assert f'href="{transcript(session)}#e3">answer 3</a>' in shown
    assert '<a class="study-link" href="#n4" dir="auto">being rested</a>' in shown


def test_what_people_said_is_never_markup(admin_client):
    session = graphed(2)
    add_node(session, NASTY)
    shown = text(admin_client.get(page(session)))
    assert "<img src=x" not in shown
    assert "</script><script>alert" not in shown
    assert f"<title>{escape(NASTY)}</title>" in shown
    assert "&lt;img src=x" in text(admin_client.get(transcript(session)))


def test_an_empty_graph_says_so(admin_client):
    session = graphed(1)
    session.nodes.all().delete()
    shown = text(admin_client.get(page(session)))
    assert "This graph is empty" in shown
    assert "data-graph" not in shown
    session.status = SessionStatus.WAITING_ANSWER
    session.save()
    assert "This graph is empty yet" in text(admin_client.get(page(session)))


def test_elements_say_how_far_they_were_talked_about(admin_client):
    session = graphed(5)
    session.nodes.filter(key__in=["n2", "n3"]).update(elements=["dimming"])
    shown = text(admin_client.get(page(session)))
    assert "<b>1</b> of 6 elements covered" in shown
    row = re.search(r"dimming by itself</th>(.*?)</tr>", shown)[1]
    assert "<td>3</td>" in row
    assert "<td>60 %</td>" in row


def test_the_number_of_queries_does_not_grow_with_the_graph(admin_client):
    bot = make_ladder_bot()
    small, large = graphed(5, bot), graphed(60, bot)
    for address in (page, transcript):
        for session in (small, large):  # that each was read is put on record here
            text(admin_client.get(address(session)))
        with counted() as few:
            text(admin_client.get(address(small)))
        with counted() as more:
            text(admin_client.get(address(large)))
        assert len(more) == len(few), address


def test_a_graph_takes_the_right_to_read_interviews(client):
    session = graphed(5)
    somebody(client, "view_bot", "view_node", "view_participant")
    assert client.get(page(session)).status_code == 403
    assert client.get(LADDERS).status_code == 403
    assert client.get(page(session), {"graphml": ""}).status_code == 403


def test_names_and_files_take_rights_of_their_own(client):
    session = graphed(5, participant__name="Cassiopeia")
    somebody(client, "view_session")
    shown = text(client.get(page(session)))
    assert "Cassiopeia" not in shown
    assert "graphml" not in shown
    assert client.get(page(session), {"graphml": ""}).status_code == 403
    shown = text(client.get(LADDERS))
    assert "file=" not in shown
    for name in ("matrix", "map", "codes", "graphs"):
        assert client.get(LADDERS, {"file": name}).status_code == 403, name
    assert not AccessRecord.objects.filter(what__startswith="Exported").exists()


def test_reading_and_taking_along_are_on_record(admin_client):
    session = graphed(5)
    text(admin_client.get(page(session)))
    text(admin_client.get(page(session)))
    assert AccessRecord.objects.filter(what="Read the graph.").count() == 1
    response = admin_client.get(page(session), {"graphml": ""})
    assert response["Content-Disposition"] == f'attachment; filename="{session.pk}.graphml"'
    assert "it dims by itself" in text(response)
    assert AccessRecord.objects.filter(what__startswith="Exported graph as graphml").exists()


def test_downloaded_graphs_are_valid_graphml(admin_client):
    session = graphed(7)
    odd = add_node(session, NASTY + " ]]> \x07", elements=["price", "look"])
    tie(odd, session.nodes.get(key="n3"), "hinders")
    alone = text(admin_client.get(page(session), {"graphml": ""}))
    response = admin_client.get(LADDERS, {"file": "graphs"})
    with zipfile.ZipFile(io.BytesIO(b"".join(response))) as archive:
        (among_others,) = (archive.read(name).decode() for name in archive.namelist())
    assert alone == among_others
    assert problems(alone) == []


def test_only_interviews_that_build_graphs_lead_to_one(admin_client):
    other = SessionFactory(bot=make_bot())
    assert page(other) not in text(admin_client.get(transcript(other)))
    assert LADDERS not in text(admin_client.get(LIST))
    session = graphed(5)
    assert page(session) in text(admin_client.get(transcript(session)))
    assert LADDERS in text(admin_client.get(LIST))
    nowhere = page(session).replace(str(session.pk), "00000000-0000-0000-0000-000000000000")
    assert admin_client.get(nowhere).status_code == 404


def test_an_answer_leads_to_its_nodes(admin_client):
    session = graphed(5)
    shown = text(admin_client.get(transcript(session)))
    for key, words in (("n1", "it dims by itself"), ("n5", "health")):
        assert f'<a class="study-link" href="{page(session)}#{key}" dir="auto">{words}</a>' in shown
    assert f'href="{page(session)}">5 nodes</a>' in shown


# -- the trace of a turn


@pytest.mark.django_db(transaction=True)
async def test_a_turn_tells_why_its_question_was_asked(async_client, admin_user):
    talking = await begin(await in_database(make_ladder_bot))
    await talking.say("I like the warm light because it rests my eyes, so that I feel calm.")
    await talking.say("I don't know.")
    session = await talking.session()
    await async_client.aforce_login(admin_user)
    shown = text(await async_client.get(transcript(session)))
    for piece in (
        "Why this question",
        "Reasons",
        "What the answer added",
        f'href="{page(session)}#n1"',
    ):
        assert piece in shown, piece
    turn = (await talking.turns())[1]
    material = await in_database(lambda: session.plan.content["material"])
    names = {one["id"]: one["name"] for one in material["methodology"]["strategies"]}
    assert f"<b>{names[turn.decision['details']['strategy']]}</b>" in shown
    assert "options" not in shown  # loaded when they are opened
    address = reverse("admin:interviews_session_scores", args=[session.pk, turn.number])
    assert f'hx-get="{address}"' in shown
    scores = text(await async_client.get(address))
    for piece in ("Meaning", "options", "<b>asked</b>"):
        assert piece in scores, piece
    for signal in turn.decision["details"]["signals"]:
        assert signal in scores, signal
    assert (await async_client.get(address.replace("/1/", "/99/"))).status_code == 404


def test_scores_take_the_right_to_see_interviews(client):
    session = graphed(5)
    address = reverse("admin:interviews_session_scores", args=[session.pk, 1])
    somebody(client, "view_bot")
    assert client.get(address).status_code == 403


@pytest.mark.django_db(transaction=True)
async def test_decisions_are_a_table_that_joins_to_the_answers():
    talking = await begin(await in_database(make_ladder_bot))
    await talking.say("I like the warm light because it rests my eyes, so that I feel calm.")
    await talking.say("It dims by itself, so I needn't get up.")
    made = await in_database(lambda: list(TABLES["decisions"].rows(Selection())))
    said = await in_database(lambda: list(TABLES["transcripts"].rows(Selection())))
    answers = {(one.session, one.position): one for one in said if one.role == "participant"}
    assert [one.turn for one in made] == [1, 2]
    turns = {turn.number: turn.decision["details"] for turn in await talking.turns()}
    for one in made:
        assert answers[one.session, one.position].turn == one.turn
        details = turns[one.turn]
        assert one.strategy == details["strategy"]
        assert json.loads(one.signals) == details["signals"]
        assert json.loads(one.scores) == details["table"]
        for text in (one.signals, one.scores):  # the same on every database
            assert text == json.dumps(json.loads(text), ensure_ascii=False, sort_keys=True)
        pair = (one.strategy, details.get("meant", one.focus))
        best = {(row["strategy"], row["focus"]): row["score"] for row in details["table"]}
        assert one.score == best[pair]
    assert "n1" in made[0].nodes_added.split()


# -- of several interviews


@pytest.fixture
def bot():
    """Three ended interviews and one of a program.

    By hand: dims > not get up > calm > rested > health in all three; in two of them the price is
    tied to security as well, directly in one and over saving money in the other.
    """
    bot = make_ladder_bot()
    graphed(5, bot)
    for direct in (True, False):
        session = graphed(5, bot)
        price = add_node(session, "the price", "attribute")
        security = add_node(session, "security", "terminal_value")
        if direct:
            tie(price, security)
        else:
            saving = add_node(session, "I save money", "functional_consequence")
            tie(price, saving)
            tie(saving, security)
    graphed(5, bot, synthetic=True)
    graphed(5, bot, status=SessionStatus.WAITING_ANSWER)
    return bot


def matrix_of(client, **query: str) -> dict[tuple[str, str], str]:
    """The cells of the downloaded matrix, by the words of their codes."""
    found = rows(client.get(LADDERS, {"file": "matrix", **query}))
    named = {row["number"]: row["code"] for row in found}
    return {
        (row["code"], named[number]): cell
        for row in found
        for number, cell in row.items()
        if number in named and cell
    }


def test_the_matrix_counts_interviews_as_it_was_worked_out_by_hand(admin_client, bot):
    cells = matrix_of(admin_client)
    assert cells["it dims by itself", "I need not get up again"] == "3.00"
    assert cells["it dims by itself", "health"] == "0.03"
    assert cells["the price", "security"] == "1.01"
    assert cells["the price", "I save money"] == "1.00"
    assert ("health", "it dims by itself") not in cells
    assert len(cells) == 10 + 3


def test_synthetic_interviews_count_when_asked_for(admin_client, bot):
    assert "<b>3</b> interviews" in text(admin_client.get(LADDERS))
    assert "<b>4</b> interviews" in text(admin_client.get(LADDERS, {"synthetic": "on"}))
    cells = matrix_of(admin_client, synthetic="on")
    assert cells["it dims by itself", "I need not get up again"] == "4.00"


def test_the_page_shows_matrix_and_map(admin_client, bot, template_contexts):
    response = admin_client.get(LADDERS, {"cut": "2"})
    shown, data = text(response), response.context["drawing"]
    assert {node.text for node in data.nodes} == {
        "it dims by itself",
        "I need not get up again",
        "I stay calm",
        "being rested",
        "health",
        "the price",
        "security",
    }
    lines = {(edge.note, edge.weight) for edge in data.edges}
    assert lines == {("in 3 (3 directly)", 1.0), ("in 2 (1 directly)", 0.0)}
    calm = next(one for one in data.details if one["node"].text == "I stay calm")
    assert calm["node"].facts[1] == ("Interviews", "3 of 3")
    assert len(calm["quotes"]) == 3
    for key, quote in zip(calm["node"].quotes, calm["quotes"], strict=True):
        session, node = key.split()
        assert quote.url.endswith(f"/{session}/graph/#{node}")
        assert f'href="{quote.url}"' in shown
    assert {line["width"] for line in data.edge_lines} == {1.25, 4}
    assert "87 % of all direct ties" in shown  # 13 of 15


def test_the_matrix_on_the_page_marks_what_the_map_draws(admin_client, bot):
    shown = text(admin_client.get(LADDERS, {"cut": "2"}))
    assert '<td class="graph-drawn">3.00</td>' in shown
    assert '<td class="graph-drawn">1.01</td>' in shown
    assert "<td>1.00</td>" in shown  # the price saves money, in one interview
    assert "<td>0.03</td>" in shown  # held by three, but by none directly


def test_the_matrix_on_the_page_has_no_empty_rows_and_columns(admin_client, bot):
    matrix = text(admin_client.get(LADDERS)).partition("graph-matrix")[2]
    columns, _, rows = matrix.partition("<tbody>")
    leading = {"it dims by itself", "I need not get up again", "I stay calm", "being rested"}
    assert set(re.findall(r'<span dir="auto">(.*?)</span>', rows)) == {
        *leading,
        *("the price", "I save money"),
    }
    assert set(re.findall(r'<span class="graph-up" dir="auto">(.*?)</span>', columns)) == {
        *(leading - {"it dims by itself"}),
        *("health", "I save money", "security"),
    }


def test_cut_offs_are_offered_with_the_share_that_they_show(admin_client, bot):
    shown = text(admin_client.get(LADDERS, {"cut": "2", "synthetic": "on"}))
    # four interviews hold the ladder of four ties; of the other three ties one is held by two
    offered = re.findall(r'<a class="study-link" href="(.*?)"><b>(\d)</b></a> (\d+) %', shown)
    assert [(cut, share) for _, cut, share in offered] == [
        ("1", "100"),
        ("2", "89"),
        ("3", "84"),
        ("4", "84"),
    ]
    assert offered[2][0] == "?cut=3&amp;synthetic=on"
    assert re.search(r'aria-current="true"><a [^>]*><b>2</b>', shown)


def test_the_page_of_a_bot_leads_to_its_ladders(admin_client, client):
    bot = make_ladder_bot()
    change = reverse("admin:plans_bot_change", args=[bot.pk])
    shown = text(admin_client.get(change))
    assert f'href="{LADDERS}?bot={bot.pk}">Ladders</a>' in shown
    assert "Means-end chain" in shown
    other = reverse("admin:plans_bot_change", args=[make_bot().pk])
    assert LADDERS not in text(admin_client.get(other))
    somebody(client, "view_bot")
    assert LADDERS not in text(client.get(change))


def test_a_bot_that_held_none_yet_is_told_of_and_stays_chosen(admin_client, bot):
    none = make_ladder_bot(title="Not held yet")
    shown = text(admin_client.get(LADDERS, {"bot": str(none.pk)}))
    assert f'<option value="{none.pk}" selected>Not held yet</option>' in shown
    assert "Only finished interviews with people count" in shown
    assert "Not held yet" not in text(admin_client.get(LADDERS))


def test_a_cut_off_that_is_too_high_leaves_no_map(admin_client, bot):
    shown = text(admin_client.get(LADDERS, {"cut": "4"}))
    assert "No line is found in 4 or more interviews" in shown
    assert "data-graph" not in shown
    assert "<td>3.00</td>" in shown


def test_files_of_map_and_codes(admin_client, bot):
    lines = rows(admin_client.get(LADDERS, {"file": "map", "cut": "2"}))
    assert len(lines) == 5
    assert {(line["source"], line["target"], line["interviews"]) for line in lines} >= {
        ("the price", "security", "2"),
        ("being rested", "health", "3"),
    }
    codes = rows(admin_client.get(LADDERS, {"file": "codes"}))
    assert [code["number"] for code in codes] == [str(i) for i in range(1, 9)]
    assert codes[0]["code"] == "it dims by itself"
    assert codes[0]["interviews"] == "3"
    assert len(codes[0]["nodes"].splitlines()) == 3


def test_formulas_are_defused_in_these_files_too(admin_client, bot):
    session = Session.objects.filter(bot=bot).earliest("started_at")
    tie(add_node(session, FORMULA), session.nodes.get(key="n2"))
    for name in ("matrix", "map", "codes"):
        content = text(admin_client.get(LADDERS, {"file": name, "cut": "1"}))
        assert "'=HYPERLINK" in content, name
        assert not re.search(r'(^|,)"?=HYPERLINK', content, re.M), name


def test_all_graphs_of_a_bot_come_in_a_zip(admin_client, bot):
    response = admin_client.get(LADDERS, {"file": "graphs"})
    content = b"".join(response)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert len(archive.namelist()) == 3
    record = AccessRecord.objects.get(what__startswith="Exported graphs as graphml")
    assert "3 interviews" in record.what


def test_files_are_of_what_the_page_shows(admin_client, bot):
    shown = text(admin_client.get(LADDERS, {"cut": "3", "synthetic": "on"}))
    found = re.search(r'href="(\?[^"]*file=map)"', shown)[1].replace("&amp;", "&")
    lines = rows(admin_client.get(LADDERS + found))
    assert {line["interviews"] for line in lines} == {"4"}


def test_without_any_ladders_the_page_says_so(admin_client):
    assert "after the first laddering interview" in text(admin_client.get(LADDERS))
    bot = graphed(5, synthetic=True).bot
    shown = text(admin_client.get(LADDERS, {"bot": str(bot.pk)}))
    assert "Only finished interviews with people count" in shown


@pytest.mark.parametrize(
    "query",
    [
        {"bot": "nonsense"},
        {"bot": "9" * 40},
        {"bot": "-1"},
        {"cut": "0"},
        {"cut": "many"},
        {"language": "xx"},
        {"file": "everything"},
    ],
)
def test_what_makes_no_sense_breaks_nothing(admin_client, bot, query):
    response = admin_client.get(LADDERS, query)
    assert response.status_code in (200, 400)
    assert "Ladders" in response.content.decode()


def test_interviews_in_several_languages_can_be_told_apart(admin_client, bot):
    assert 'name="language"' not in text(admin_client.get(LADDERS))
    graphed(5, bot, language="it")
    shown = text(admin_client.get(LADDERS, {"language": "it"}))
    assert "<b>1</b> interview<" in shown.replace("\n", "")


def test_too_many_interviews_are_told_of(admin_client, bot, monkeypatch):
    monkeypatch.setattr(pooled, "MOST", 2)
    monkeypatch.setattr(ladders_page, "MOST", 2)
    shown = text(admin_client.get(LADDERS))
    assert "There are 3 interviews. This page covers the latest 2" in shown


def test_a_large_matrix_shows_what_most_interviews_hold(admin_client, bot, monkeypatch):
    monkeypatch.setattr(ladders_page, "SHOWN", 5)
    shown = text(admin_client.get(LADDERS))
    assert "The 5 most frequent codes are shown. The file has all 8." in shown
