"""Concepts and methodologies as files, by themselves and in the files of bots."""

import json

import pytest
import yaml
from django.contrib.auth.models import Permission, User

from plans.bots.checklist import checklist
from plans.bots.compile import compile_bot
from plans.bots.duplicate import duplicate_bot
from plans.bots.history import bot_history, row_history
from plans.models import Bot, LadderConcept, LadderMethodology, Team
from plans.portability.bots import apply_bot, bot_changes, bot_document
from plans.portability.formats import write
from plans.portability.problems import BrokenDocument
from plans.portability.reader import read_bot
from plans.protocols import PROTOCOLS, readable
from plans.protocols.laddering.files import (
    CONCEPT,
    METHODOLOGY,
    apply_file,
    duplicate_ladder,
    file_changes,
    file_text,
    free_ladder_key,
    read_file,
    rename_source,
)
from plans.protocols.laddering.schema.shipped import CONCEPTS, METHODOLOGIES, sources, starter_text
from tests.ladder_files import concepts, methodologies
from tests.plans.ladders.small import CONCEPT as SMALL
from tests.plans.pages import text_of

pytestmark = pytest.mark.django_db
REMARKED = f"# Ours.\n{SMALL}"


@pytest.fixture
def concept():
    return apply_file(read_file(CONCEPT, REMARKED))


@pytest.fixture
def methodology():
    text = (METHODOLOGIES / "means_end_chain.yaml").read_text()
    return apply_file(read_file(METHODOLOGY, text))


@pytest.fixture
def bot(concept, methodology):
    return Bot.objects.create(
        slug="why",
        title="Why",
        protocol="laddering",
        concept=concept,
        methodology=methodology,
        options={"turns": 7},
    )


def test_what_new_ones_begin_with_can_be_read_as_it_stands():
    assert read_file(CONCEPT, starter_text("concept")).name == "My concept"
    assert read_file(METHODOLOGY, starter_text("methodology")).content.phase_weights


SHIPPED = [
    *((CONCEPT, text) for text in sources(CONCEPTS)),
    *((METHODOLOGY, text) for text in sources(METHODOLOGIES)),
]


@pytest.mark.parametrize(("sort", "text"), SHIPPED, ids=lambda part: getattr(part, "name", ""))
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_goes_out_comes_in_as_the_same(sort, text, form):
    row = apply_file(read_file(sort, text))

    out = file_text(row, form)
    back = read_file(sort, out, row=row)

    assert back.content == read_file(sort, text).content
    assert not [change for change in file_changes(row, back) if change.path != ("remarks",)]
    assert (out == text) == (form == "yaml")
    assert form == "yaml" or json.loads(out)["id"] == row.key


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_methodology_that_weighs_nothing_comes_back(bot, form):
    data = yaml.safe_load(starter_text("methodology")) | {"id": "plain", "signals": []}
    data["strategies"] = [one | {"signal_weights": {}} for one in data["strategies"]]
    row = bot.methodology = apply_file(read_file(METHODOLOGY, json.dumps(data)))

    assert read_file(METHODOLOGY, file_text(row, form), row=row).content.signals == ()
    assert read_bot(write(bot_document(bot), form), form).methodology["id"] == "plain"


def test_the_text_stays_as_it_was_written(concept):
    assert concept.source == REMARKED
    assert (concept.key, concept.name) == ("lamp", "A lamp")


def test_an_id_of_another_one_is_refused_with_its_line(concept):
    other = apply_file(read_file(CONCEPT, rename_source(SMALL, "other", "Other")))

    with pytest.raises(BrokenDocument) as error:
        read_file(CONCEPT, REMARKED, row=other)

    (problem,) = error.value.problems
    assert (problem.line, problem.field) == (4, "id")
    assert "“lamp” is already the ID of “A lamp”" in problem.message
    assert read_file(CONCEPT, REMARKED, row=concept)


def test_a_new_one_with_a_taken_id_is_refused_too(concept):
    with pytest.raises(BrokenDocument):
        read_file(CONCEPT, REMARKED, row=LadderConcept())


@pytest.mark.parametrize(
    "text",
    [
        "id: a\nname: >-\n  Of two\n  lines\nz: 1\n",
        "id: 'a' # its id\nname: A\nz: 1\n",
        '{"name": "A",\n\t"id": "a", "z": 1}\n',
        "z: 1\nname: A\nid: a",
    ],
)
def test_only_id_and_name_differ_in_a_copy(text):
    copy = rename_source(text, "b", "B: “q”")

    assert yaml.safe_load(copy.replace("\t", " ")) == {"id": "b", "name": "B: “q”", "z": 1}
    assert ("# its id" in copy) == ("# its id" in text)


def test_a_copy_keeps_remarks_and_has_a_free_id(concept):
    copy = duplicate_ladder(concept, free_ladder_key(concept), "Second")

    assert (copy.key, copy.name) == ("lamp_2", "Second")
    assert copy.source.startswith("# Ours.")
    assert free_ladder_key(concept) == "lamp_3"
    concept.refresh_from_db()
    assert concept.source == REMARKED


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_bot_moves_whole_to_another_site(bot, form):
    text = write(bot_document(bot), form)
    before = compile_bot(bot)
    bot.delete()
    LadderConcept.objects.all().delete()
    LadderMethodology.objects.all().delete()

    moved = apply_bot(read_bot(text))

    assert compile_bot(moved) == before
    assert moved.concept.key == "lamp"
    assert read_file(CONCEPT, moved.concept.source, row=moved.concept)


def test_importing_what_was_exported_changes_nothing_and_keeps_remarks(bot, concept):
    document = read_bot(write(bot_document(bot), "yaml"))

    assert bot_changes(bot, document) == []
    apply_bot(document, bot)

    concept.refresh_from_db()
    assert concept.source == REMARKED
    assert concept.history.count() == 1


def test_a_changed_concept_is_shown_before_it_is_changed_for_all_who_use_it(bot, concept):
    text = write(bot_document(bot), "yaml").replace("soft light", "gentle light")
    document = read_bot(text)

    places = [one.place for one in bot_changes(bot, document)]
    assert places == ["concept › A lamp › elements › warm light › aliases"]
    assert bot_changes(None, document)
    apply_bot(document, bot)
    concept.refresh_from_db()
    assert "gentle light" in concept.source


def test_a_bot_without_them_has_none_afterwards(bot):
    document = read_bot("slug: why\ntitle: Why\nprotocol: laddering\n")

    apply_bot(document, bot)

    bot.refresh_from_db()
    assert (bot.concept, bot.methodology) == (None, None)
    assert LadderConcept.objects.exists()


def test_what_is_wrong_in_a_part_is_found_in_its_line(bot):
    lines = write(bot_document(bot), "yaml").split("\n")
    place = next(i for i, line in enumerate(lines) if "label: warm light" in line)
    lines[place] = lines[place].replace("label: warm light", "lable: warm light")

    with pytest.raises(BrokenDocument) as error:
        read_bot("\n".join(lines))

    assert (place + 1, "concept.elements[0].lable") in [
        (problem.line, problem.field) for problem in error.value.problems
    ]


def test_other_kinds_have_no_concept():
    with pytest.raises(BrokenDocument) as error:
        read_bot("slug: a\ntitle: A\nprotocol: life_story\nconcept: {id: a}\n")

    assert "concept" in str(error.value)


def test_a_copy_of_a_bot_uses_the_same_files(bot):
    copy = duplicate_bot(bot)

    assert (copy.concept, copy.methodology) == (bot.concept, bot.methodology)


def test_history_tells_fields_and_choices(bot, concept):
    apply_file(read_file(CONCEPT, REMARKED.replace("soft light", "gentle light")), concept)
    bot.concept = apply_file(read_file(CONCEPT, rename_source(SMALL, "other", "Other")))
    bot.save()

    (change,) = row_history(concept)[0].entries[-1].changes
    assert change.place == "elements › warm light › aliases"
    (chosen,) = bot_history(bot)[0].entries[-1].changes
    assert (chosen.place, chosen.before, chosen.after) == ("concept", "A lamp", "Other")


def test_plans_are_told_by_names(bot):
    content = compile_bot(bot).model_dump(mode="json")

    material = readable("laddering", content)["material"]

    assert material["options"]["Turns"] == 7
    assert [one["label"] for one in material["concept"]["elements"]] == ["warm light", "price"]
    assert material["methodology"]["strategies"][0]["key"] == "open_up"


def missing(bot: Bot) -> dict[str, str]:
    return {item.label: item.hint for item in checklist(bot) if not item.done}


def test_a_bot_needs_both(bot):
    empty = Bot.objects.create(slug="b", title="B", protocol="laddering")

    assert {"Concept", "Methodology"} <= missing(empty).keys()
    assert not {"Concept: A lamp", "Methodology: Means-end chain"} & missing(bot).keys()
    assert "The parts fit together" not in missing(bot)


def test_advice_names_languages_that_it_has_no_words_in(bot):
    bot.options = {"languages": ["en", "it", "de"]}

    said = missing(bot)

    assert "none in German" in said["Its own questions in every language"]
    assert "Italian, German" in said["The concept's words in every language"]


def test_a_file_that_can_no_longer_be_read_is_named_and_can_be_opened(bot, concept):
    LadderConcept.objects.filter(pk=concept.pk).update(source="id: [")
    bot = Bot.objects.get(pk=bot.pk)

    assert "can't be read" in missing(bot)["Concept: A lamp"]
    assert bot_document(bot).concept == {}
    assert row_history(LadderConcept.objects.get(pk=concept.pk)) is not None


def test_shipped_ones_are_those_of_the_kind():
    assert PROTOCOLS["laddering"].parts == {"concept", "methodology"}
    assert len(SHIPPED) == len(concepts()) + len(methodologies())


def test_a_file_with_the_id_of_a_shared_methodology_is_refused_with_the_reason(client, methodology):
    user = User.objects.create_user("editor", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="plans"))
    user.teams.add(Team.objects.create(name="Ours"))
    client.force_login(user)
    text = rename_source(methodology.source, methodology.key, "My own")

    page = client.post("/admin/plans/laddermethodology/import/", {"text": text})

    assert "another methodology has this name or id, and you may not change it" in text_of(page)
