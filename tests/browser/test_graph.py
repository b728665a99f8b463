"""Graphs in a real browser: drawn, found, opened, by pointer, keyboard and finger."""

import json
import re
from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.administrator import Administrator
from tests.browser.complaints import Complaints
from tests.browser.site import GRAPHS, Site

WIDTHS = "all => all.map((one) => parseFloat(getComputedStyle(one).strokeWidth))"
BOXES = "all => all.map((one) => one.getBoundingClientRect().toJSON())"
OVER = """(edges) => {
  const drawn = [...document.querySelectorAll(".graph-box")];
  const boxes = drawn.map((one) => one.getBoundingClientRect());
  const over = (edge) => [0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9].some((part) => {
    const on = edge.getPointAtLength(part * edge.getTotalLength());
    const { x, y } = on.matrixTransform(edge.getScreenCTM());
    return boxes.some((box) => box.left < x && x < box.right && box.top < y && y < box.bottom);
  });
  return edges.filter(over).length;
}"""
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def drawn(stocked_site: Site) -> tuple[Site, Mapping[str, str]]:
    """A site with graphs, and the interviews' ids by the number of their nodes."""
    return stocked_site, json.loads((stocked_site.data / GRAPHS).read_text())


@pytest.fixture
def researcher(page: Page, drawn: tuple[Site, Mapping[str, str]]) -> Administrator:
    admin = Administrator(page, drawn[0].url)
    admin.log_in()
    return admin


@pytest.fixture
def graph(researcher: Administrator, drawn: tuple[Site, Mapping[str, str]]) -> Callable[..., Page]:
    """Opens the graph with so many nodes."""

    def opened(nodes: int, anchor: str = "") -> Page:
        key = drawn[1][str(nodes)]
        researcher.page.goto(f"{researcher.url}/admin/interviews/session/{key}/graph/{anchor}")
        return researcher.page

    return opened


def node(page: Page, key: str):
    return page.locator(f'[data-node="{key}"]')


def panel(page: Page):
    return page.get_by_role("region", name="Selected node")


@pytest.mark.parametrize("nodes", [5, 50, 300])
def test_nodes_lie_in_their_rows_apart_and_edges_lead_around_them(
    graph, complaints: Complaints, nodes: int
) -> None:
    page = graph(nodes)
    expect(page.locator(".graph-node")).to_have_count(nodes)
    expect(page.locator(".graph-label:visible")).to_have_count(nodes)
    rows = page.locator(".graph-row")
    bands = [(row["y"], row["y"] + row["height"]) for row in rows.evaluate_all(BOXES)]
    assert len(bands) % 5 == 0
    for rung in range(1, 6):
        mine = bands[5 - rung :: 5]  # a higher rung stands higher, on every shelf
        for box in page.locator(f".graph-node.graph-rung-{rung} .graph-box").evaluate_all(BOXES):
            assert any(top < box["y"] and box["y"] + box["height"] < end for top, end in mine)
    boxes = page.locator(".graph-box").evaluate_all(BOXES)
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            assert (
                abs(one["x"] - other["x"]) > one["width"]
                or abs(one["y"] - other["y"]) > one["height"]
            ), (one, other)
    edges = page.locator(".graph-edge")
    assert edges.count() >= nodes * 0.8
    assert edges.evaluate_all(OVER) == 0
    assert not complaints


def test_a_node_opens_with_its_words_and_leads_to_the_transcript_and_back(
    graph, complaints: Complaints
) -> None:
    page = graph(5)
    node(page, "n3").click()
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("I stay calm")
    expect(panel(page)).to_contain_text("Psychosocial consequence")
    expect(panel(page)).to_contain_text("It dims by itself, so I need not get up again")
    panel(page).get_by_role("link", name="being rested").click()
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("being rested")
    panel(page).get_by_role("link", name="answer 3").click()
    expect(page.locator("#e3:target")).to_be_in_viewport()
    page.locator("#e3").get_by_role("link", name="I stay calm").click()
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("I stay calm")
    expect(node(page, "n3")).to_have_attribute("aria-current", "true")
    assert not complaints


def test_a_node_at_the_edge_opens_at_the_first_click(graph, complaints: Complaints) -> None:
    page = graph(50)
    page.locator(".graph-stage").scroll_into_view_if_needed()
    boxes = page.locator(".graph-box").evaluate_all(BOXES)
    edge = max(boxes, key=lambda box: box["x"])
    page.mouse.click(edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 2)
    expect(panel(page).get_by_role("heading", level=2)).to_be_visible()
    assert not complaints


def test_closing_takes_the_focus_from_nothing_else(graph) -> None:
    page = graph(5)
    node(page, "n1").press("Enter")
    heading = panel(page).get_by_role("heading", level=2)
    expect(heading).to_be_focused()
    page.evaluate(
        """() => new Promise((closed) => {
          window.addEventListener("hashchange", () => setTimeout(closed, 100));
          window.location.hash = "at-n1";
          document.querySelector("[data-graph] [type=search]").focus();
        })"""
    )
    expect(heading).to_have_count(0)
    expect(page.get_by_role("searchbox", name="Find")).to_be_focused()


def test_by_keyboard(graph, complaints: Complaints) -> None:
    page = graph(50)
    page.locator("[data-rung]").last.focus()
    page.keyboard.press("Tab")
    expect(node(page, "n1")).to_be_focused()
    for key, expected in (("ArrowRight", "n2"), ("ArrowDown", "n3"), ("ArrowLeft", "n2")):
        page.keyboard.press(key)
        expect(node(page, expected)).to_be_focused()
    page.keyboard.press("End")
    expect(node(page, "n50")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    title = panel(page).get_by_role("heading", level=2)
    expect(title).to_have_text("it dims by itself")
    expect(title).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel(page).get_by_role("heading", level=2)).to_have_count(0)
    expect(node(page, "n1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".graph-stage :focus")).to_have_count(0)
    assert not complaints


def test_a_node_among_three_hundred_is_found(graph, complaints: Complaints) -> None:
    page = graph(300)
    page.get_by_label("Find").fill("FREEDOM")
    expect(page.locator("[data-found]")).to_have_text("12 of 300 found")
    page.get_by_label("Find").press("Enter")
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("freedom")
    chosen = page.locator(".graph-node.graph-chosen")
    expect(chosen).to_be_in_viewport()
    page.get_by_label("Find").press("Enter")
    expect(panel(page).get_by_role("heading", level=2)).to_contain_text("freedom, thought of anew")
    page.get_by_label("Find").fill("nowhere at all")
    expect(page.locator("[data-found]")).to_have_text("0 of 300 found")
    page.get_by_label("Find").fill("")
    page.locator('[data-rung="0"]').uncheck()
    expect(page.locator(".graph-node:visible")).to_have_count(240)
    page.locator('[data-rung="0"]').check()
    expect(page.locator(".graph-node:visible")).to_have_count(300)
    assert not complaints


def test_zoom(graph, complaints: Complaints) -> None:
    page = graph(50)
    box = page.locator(".graph-box").first
    width = box.bounding_box()["width"]
    page.get_by_role("button", name="Larger").click()
    assert box.bounding_box()["width"] == pytest.approx(width * 1.25, abs=1)
    page.get_by_role("button", name="Smaller").click()
    assert box.bounding_box()["width"] == pytest.approx(width, abs=1)
    page.get_by_role("button", name="Show all").click()
    stage = page.locator(".graph-stage")
    assert stage.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    assert not complaints


def test_an_empty_graph_says_so(graph, complaints: Complaints) -> None:
    page = graph(0)
    expect(page.get_by_role("heading", name="This graph is empty")).to_be_visible()
    expect(page.locator("[data-graph]")).to_have_count(0)
    assert not complaints


def test_without_a_script_nodes_open_all_the_same(graph, page: Page) -> None:
    page.route("**/static/interviews/graph/*.js", lambda route: route.abort())
    graph(5, "#n3")
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("I stay calm")
    expect(page.get_by_label("Find")).to_be_hidden()
    node(page, "n4").click()
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("being rested")
    panel(page).get_by_role("link", name="Close").click()
    expect(panel(page)).to_have_count(0)
    page.get_by_text("Nodes and ties as a table").click()
    row = page.get_by_role("row", name=re.compile("^I stay calm"))
    expect(row).to_contain_text("3 Psychosocial consequence")


@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_on_a_phone(browser: Browser, drawn: tuple[Site, Mapping[str, str]], colours: str) -> None:
    context: BrowserContext = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, color_scheme=colours
    )
    complaints = Complaints()
    complaints.listen(context)
    site, keys = drawn
    admin = Administrator(context.new_page(), site.url)
    admin.log_in()
    for path in (f"{keys['50']}/graph/", "ladders/"):
        admin.page.goto(f"{site.url}/admin/interviews/session/{path}")
        expect(admin.page.locator(".graph-node").first).to_be_visible()
        assert admin.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        admin.page.locator(".graph-node").first.tap()
        expect(panel(admin.page).get_by_role("heading", level=2)).to_be_in_viewport()
    assert not complaints
    context.close()


def test_ladders_of_several_interviews(researcher: Administrator, complaints: Complaints) -> None:
    page = researcher.page
    page.goto(f"{researcher.url}/admin/interviews/session/")
    page.get_by_role("link", name=re.compile("Ladders$")).click()
    expect(page.get_by_role("heading", name="Implication matrix")).to_be_visible()
    widths = page.locator(".graph-edge").evaluate_all(WIDTHS)
    assert (min(widths), max(widths)) == (1.25, 4)
    page.get_by_role("link", name="2", exact=True).click()
    expect(page.locator(".graph-shares [aria-current]")).to_contain_text("2 ")
    page.get_by_label("Cut-off").fill("6")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".graph-node")).to_have_count(5)
    page.locator(".graph-node").first.click()
    expect(panel(page)).to_contain_text("6 of 6")
    panel(page).locator(":target .graph-quotes").get_by_role("link").first.click()
    page.wait_for_url("**/graph/#n1")
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("it dims by itself")
    assert not complaints


def test_enter_of_an_input_method_renames_no_code(researcher: Administrator) -> None:
    page = researcher.page
    page.goto(f"{researcher.url}/admin/interviews/session/codes/")
    page.locator(".codes-code [name=code]").first.check()
    name = page.locator(".codes-bar [name=name]")
    name.fill("明かり")
    name.evaluate(
        "name => name.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', isComposing: true, bubbles: true, cancelable: true}))"
    )
    page.wait_for_timeout(300)
    expect(name).to_have_value("明かり")
    expect(page.locator(".codes-code").get_by_text("明かり")).to_have_count(0)
