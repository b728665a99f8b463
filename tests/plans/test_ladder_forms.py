"""The forms of concepts and methodologies: they change what was changed, and nothing else."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plans.forms.rows import MEANWHILE
from plans.models import LadderConcept
from plans.portability.readable import remarks
from plans.portability.tree import read_yaml
from plans.protocols.laddering.edits import edit_text, put
from plans.protocols.laddering.files import CONCEPT, METHODOLOGY, apply_file, read_file
from plans.protocols.laddering.schema.reader import read_concept, read_methodology
from plans.protocols.laddering.schema.shipped import CONCEPTS, METHODOLOGIES, sources, starter_text
from tests.plans.pages import form_of, text_of
from tests.plans.study_files import FULL

LAMP = (CONCEPTS / "reading_lamp.yaml").read_text()
TEXTS = [
    *sources(CONCEPTS),
    *sources(METHODOLOGIES),
    starter_text("concept"),
    starter_text("methodology"),
]
ADD = "/admin/plans/ladderconcept/add/"


@pytest.fixture
def lamp(db) -> LadderConcept:
    return apply_file(read_file(CONCEPT, LAMP))


def url(row) -> str:
    return f"/admin/plans/{row._meta.model_name}/{row.pk}/change/"


def save(client, row, **changes: str):
    answer = client.post(url(row), form_of(client.get(url(row))) | changes)
    row.refresh_from_db()
    return answer


def leaves(data, loc=()):
    """The places of all texts."""
    if isinstance(data, str):
        yield loc
    for name, part in data.items() if isinstance(data, dict) else enumerate(data or ()):
        if not isinstance(data, str):
            yield from leaves(part, (*loc, name))


@given(data=st.data(), text=st.sampled_from(TEXTS))
def test_a_change_of_any_part_leaves_all_others_and_the_comments(data, text):
    before = read_yaml(text).data
    where = data.draw(st.sampled_from(sorted(leaves(before), key=str)))
    value = data.draw(FULL.filter(lambda text: text.strip() == text))
    wanted = copy.deepcopy(before)
    put(wanted, where, value)

    after = edit_text(text, lambda tree: put(tree, where, value))

    assert read_yaml(after).data == wanted
    assert remarks(after) == remarks(text)


@pytest.mark.parametrize("alias", ["Why?", "?0", "?>", ":on", "a: b", "- a", "#a", "[a", "'a\""])
def test_an_alias_in_brackets_is_read_as_it_was_written(alias):
    where = ("elements", 0, "aliases", 0)
    after = edit_text(LAMP, lambda tree: put(tree, where, alias))
    assert read_yaml(after).data["elements"][0]["aliases"][0] == alias


def test_a_text_that_looks_like_a_comment_is_none():
    text = "# one\na: >-\n  # no\n  more\n# two\nb: 'x\n  # no'\nc: 1 # no line\n  # three\n"
    assert remarks(text) == {"remarks": "# one\n# two\n# three"}


@pytest.mark.parametrize("text", TEXTS)
def test_a_file_saved_unchanged_stays_as_it_was_written(owner, db, text):
    kind = METHODOLOGY if "interviewsite/methodology" in text else CONCEPT
    row = apply_file(read_file(kind, text))

    assert save(owner, row).status_code == 302
    assert row.source == text

    save(owner, row, name="Another name")
    assert (row.name, remarks(row.source)) == ("Another name", remarks(text))
    assert kind.read(row.source, "").model_copy(update={"name": "x"}) == kind.read(
        text, ""
    ).model_copy(update={"name": "x"})


def test_a_concept_is_written_by_the_form_alone(owner, db):
    data = form_of(owner.get(ADD)) | {"key": "soup", "name": "Soup", "topic": "soup on Sundays"}
    data |= {"topics": "it: la zuppa", "insight": "", "elements-TOTAL_FORMS": "3"}
    data |= {"elements-2-label": "The smell", "elements-2-aliases": "scent\r\naroma of it"}
    data |= {"elements-2-labels": "it: l'odore", "elements-0-DELETE": "on"}

    assert owner.post(ADD, data).status_code == 302

    concept = read_concept(LadderConcept.objects.get(key="soup").source)
    assert (concept.name, concept.context.topic) == ("Soup", "soup on Sundays")
    assert (concept.context.topics, concept.context.insight) == ({"it": "la zuppa"}, "")
    assert [element.id for element in concept.elements] == ["effort", "the-smell"]
    assert concept.elements[1].aliases == ("scent", "aroma of it")


def test_a_methodology_changes_its_common_settings(owner, db):
    row = apply_file(read_file(METHODOLOGY, TEXTS[2]))
    before = read_methodology(row.source)
    save(owner, row, **{"goal": "Another.", "ladder-0-name": "Ground"})

    after = read_methodology(row.source)
    assert (after.goal, after.ladder[0].name) == ("Another.", "Ground")
    assert after.strategies == before.strategies
    assert after.ladder[0].cues == before.ladder[0].cues


def test_a_json_file_stays_json(owner, db):
    row = apply_file(read_file(CONCEPT, json.dumps(read_yaml(LAMP).data)))
    save(owner, row, topic="another lamp")
    assert json.loads(row.source)["context"]["topic"] == "another lamp"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": ""}, "This field is required."),
        ({"key": "a b"}, "Nothing"),
        ({"language": "english!"}, "anguage"),
        ({"topics": "la lampada"}, "Begin each line with its language, such as it: …"),
        ({"topics": "it: a\r\nit: b"}, "“it” is there twice. Keep one."),
        ({"elements-0-label": ""}, "Fix the marked rows first."),
        ({"elements-1-id": "warmth"}, "Another element has this id."),
        ({"elements-1-aliases": "warm light"}, "stands for"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field(owner, lamp, changes, says):
    if changes.get("elements-1-id"):
        changes = {"elements-1-id": read_concept(LAMP).elements[0].id}
    if "elements-1-aliases" in changes:
        changes = {"elements-1-aliases": read_concept(LAMP).elements[0].label}
    page = save(owner, lamp, **changes)

    assert page.status_code == 200
    assert says in text_of(page) or "errornote" in text_of(page)
    assert lamp.source == LAMP


def test_whichever_was_changed_is_saved_and_both_show_it(owner, lamp):
    save(owner, lamp, source=LAMP.replace("label: price", "label: the price # as told"))
    page = form_of(owner.get(url(lamp)))
    assert ["the price"] in page.values()
    assert "# as told" in page["source"][0]

    save(owner, lamp, topic="a lamp")
    assert "topic: a lamp" in form_of(owner.get(url(lamp)))["source"][0]
    assert "# as told" in lamp.source


def test_a_text_that_was_changed_wins_over_the_form_and_is_kept_when_broken(owner, lamp):
    broken = LAMP.replace("language: en", "language: [")
    page = save(owner, lamp, source=broken, topic="lost")
    assert "This is not valid YAML" in text_of(page)
    again = form_of(page) | {"source": broken.replace("language: [", "language: it")}
    assert owner.post(url(lamp), again).status_code == 302
    lamp.refresh_from_db()
    assert read_concept(lamp.source).language == "it"


def test_a_text_that_was_broken_and_is_as_it_was_sent_again_is_saved(owner, db):
    first = form_of(owner.get(ADD))
    broken = owner.post(ADD, first | {"source": "id: ["})
    assert "This is not valid YAML" in text_of(broken)
    again = form_of(broken) | {"source": first["source"]}
    assert owner.post(ADD, again).status_code == 302
    assert LadderConcept.objects.count() == 1


def test_somebody_elses_change_is_not_overwritten_unseen(owner, lamp):
    data = form_of(owner.get(url(lamp))) | {"topic": "mine"}
    save(owner, lamp, insight="Theirs.")
    page = owner.post(url(lamp), data)
    assert MEANWHILE[:40] in text_of(page)
    assert owner.post(url(lamp), form_of(page)).status_code == 302
    lamp.refresh_from_db()
    assert read_concept(lamp.source).context.topic == "mine"


def test_saving_what_can_no_longer_be_read_says_what_is_wrong(owner, lamp):
    LadderConcept.objects.filter(pk=lamp.pk).update(source=LAMP.replace("context:", "contexts:"))

    page = text_of(save(owner, lamp))

    assert "Nothing was saved. Fix 2 problems first." in page
    assert "<code>contexts</code>" in page
