"""The admin of concepts and methodologies, as people use it."""

import json
import re

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from plans.bots.compile import plan_for
from plans.models import Bot, LadderConcept, LadderMethodology
from plans.protocols.laddering.files import (
    CONCEPT,
    METHODOLOGY,
    apply_file,
    read_file,
    rename_source,
)
from plans.protocols.laddering.schema.reader import read_concept, read_methodology
from plans.protocols.laddering.schema.shipped import METHODOLOGIES
from tests.plans.ladders.small import CONCEPT as SMALL
from tests.plans.pages import form_of, text_of, words_of

CONCEPTS = "/admin/plans/ladderconcept/"
WAYS = "/admin/plans/laddermethodology/"
PAGES = ("change", "history", "preview", "export_yaml", "export_json")
WRITING = ("delete", "import", "duplicate")


@pytest.fixture
def concept(db):
    return apply_file(read_file(CONCEPT, SMALL))


@pytest.fixture
def methodology(db):
    return apply_file(read_file(METHODOLOGY, (METHODOLOGIES / "means_end_chain.yaml").read_text()))


@pytest.fixture
def bot(concept, methodology):
    fields = {"slug": "why", "title": "Why", "protocol": "laddering", "demo": True}
    return Bot.objects.create(**fields, concept=concept, methodology=methodology)


@pytest.fixture
def looker(db) -> Client:
    """May look at concepts and methodologies and change nothing."""
    user = User.objects.create_user("looker", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_ladder"))
    client = Client()
    client.force_login(user)
    return client


def url(row, page: str = "change") -> str:
    return f"/admin/plans/{row._meta.model_name}/{row.pk}/{page}/"


def saved(client, where: str, source: str, **more):
    return client.post(where, form_of(client.get(where)) | {"source": source} | more)


@pytest.mark.parametrize("name", [*PAGES, *WRITING])
def test_pages_open_for_who_may(owner, looker, stranger, concept, methodology, name):
    for row in (concept, methodology):
        assert owner.get(url(row, name)).status_code == 200
        seen = looker.get(url(row, name)).status_code
        assert seen == (200 if name in PAGES else 403)
        assert stranger.get(url(row, name)).status_code in (302, 403)


def test_lists_count_and_name_the_bots_that_use_each(owner, bot, django_assert_max_num_queries):
    with django_assert_max_num_queries(12):
        page = text_of(owner.get(CONCEPTS))
    assert "<code>lamp</code>" in page
    assert re.search(r"field-elements[^>]*>\s*2\s*<", page)
    assert "Why" in page
    assert re.search(r"field-strategies[^>]*>\s*10\s*<", text_of(owner.get(WAYS)))


def test_an_empty_list_says_how_to_begin(owner):
    assert "A concept says what an interview explores" in text_of(owner.get(CONCEPTS))
    assert "A methodology says how" in text_of(owner.get(WAYS))


@pytest.mark.parametrize(("where", "read"), [(CONCEPTS, read_concept), (WAYS, read_methodology)])
def test_a_new_one_begins_with_a_small_one_that_can_be_saved(owner, where, read):
    add = f"{where}add/"
    source = form_of(owner.get(add))["source"][0]

    assert owner.post(add, form_of(owner.get(add))).status_code == 302

    row = (LadderConcept if where == CONCEPTS else LadderMethodology).objects.get()
    assert (row.key, row.source) == (read(source).id, source)


def test_saving_takes_id_and_name_from_the_text_and_keeps_it_as_it_is_written(owner, concept):
    text = f"# A remark\r\n{SMALL}".replace("name: A lamp", "name: My lamp")

    assert saved(owner, url(concept), text).status_code == 302

    concept.refresh_from_db()
    assert concept.name == "My lamp"
    assert concept.source == text.replace("\r\n", "\n")


def test_everything_wrong_is_said_with_line_and_field_and_nothing_typed_is_lost(owner, concept):
    text = SMALL.replace("label: warm", "lable: warm").replace("id: price", "id: not good")

    page = text_of(saved(owner, url(concept), text))

    assert "Nothing was saved. Fix 3 problems first." in page
    assert 'data-line="9">Line 9</button> <code>elements[0].lable</code>' in page
    assert "did you mean “label”?" in page
    assert "<code>elements[1].id</code> <span>may hold only Latin letters" in page
    assert "lable: warm light" in page
    concept.refresh_from_db()
    assert concept.source == SMALL


def test_an_unknown_signal_is_said_in_its_line(owner, methodology):
    text = methodology.source.replace("exhausted.true: -5.0", "exhausted.maybe: -5.0", 1)
    line = text[: text.index("exhausted.maybe")].count("\n") + 1

    page = text_of(saved(owner, url(methodology), text))

    assert f'data-line="{line}"' in page
    assert "must end in one of its values: true, false" in page


@pytest.mark.parametrize(
    "text", ["", "  \n", "- a list", "a: [", "x: \x00", "<script>alert(1)</script>"]
)
def test_what_is_no_file_at_all_is_told_too(owner, concept, text):
    page = text_of(saved(owner, url(concept), text))

    assert "errors" in page
    assert "<script>alert(1)" not in page
    concept.refresh_from_db()
    assert concept.source == SMALL


def test_an_id_cannot_become_that_of_another(owner, concept):
    other = apply_file(read_file(CONCEPT, rename_source(SMALL, "other", "Other")))

    page = text_of(saved(owner, url(other), SMALL))

    assert "“lamp” is already the ID of “A lamp”" in page
    assert "Choose another" in text_of(saved(owner, f"{CONCEPTS}add/", SMALL))
    other.refresh_from_db()
    assert other.key == "other"
    assert LadderConcept.objects.count() == 2


def test_who_saves_second_learns_of_it_and_keeps_what_was_typed(owner, concept):
    open_page = form_of(owner.get(url(concept)))
    saved(owner, url(concept), SMALL.replace("soft light", "theirs"))

    mine = open_page | {"source": SMALL.replace("soft light", "mine")}
    answer = owner.post(url(concept), mine)

    assert "Somebody else has saved it" in text_of(answer)
    again = form_of(answer)
    assert "mine" in again["source"][0]
    concept.refresh_from_db()
    assert "theirs" in concept.source
    assert owner.post(url(concept), again).status_code == 302
    concept.refresh_from_db()
    assert "mine" in concept.source


def test_a_file_is_brought_in_after_a_look(owner, db):
    file = SimpleUploadedFile("lamp.yaml", SMALL.encode())
    look = owner.post(f"{CONCEPTS}import/", {"file": file, "text": ""})

    assert "“A lamp” will be created" in text_of(look)
    assert not LadderConcept.objects.exists()
    assert owner.post(f"{CONCEPTS}import/", form_of(look)).status_code == 302
    assert LadderConcept.objects.get().source == SMALL


def test_a_file_that_is_known_changes_the_one_that_is_there(owner, concept):
    text = SMALL.replace("soft light", "gentle light")
    look = owner.post(f"{CONCEPTS}import/", {"text": text})

    assert "elements › warm light › aliases" in text_of(look)
    owner.post(f"{CONCEPTS}import/", form_of(look))
    assert LadderConcept.objects.get().source == text


def test_a_broken_file_says_everything_and_changes_nothing(owner, concept):
    file = SimpleUploadedFile("l.yaml", SMALL.replace("label", "lable").encode())
    page = text_of(owner.post(url(concept, "import"), {"file": file, "text": ""}))

    assert "Fix 4 problems first" in page
    assert "line 9, elements[0].lable" in page
    page = text_of(owner.post(url(concept, "import"), {"text": rename_source(SMALL, "a", "A")}))
    assert "Changes to “" in page


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_files_go_out_as_they_are_or_in_the_other_format(owner, concept, form):
    answer = owner.get(url(concept, f"export_{form}"))

    assert answer["Content-Disposition"] == f'attachment; filename="lamp.{form}"'
    text = answer.content.decode()
    assert read_concept(text) == read_concept(SMALL)
    assert text == SMALL if form == "yaml" else json.loads(text)


def test_a_copy_gets_an_id_of_its_own(owner, concept):
    page = owner.get(url(concept, "duplicate"))
    data = form_of(page)
    assert "lamp_2" in text_of(page)

    assert "with that ID" in text_of(
        owner.post(url(concept, "duplicate"), data | {"key": "lamp", "name": "x"})
    )
    page = text_of(owner.post(url(concept, "duplicate"), data | {"key": "a b", "name": "x"}))
    assert "Use only Latin letters, digits, - and _." in page
    given = {"key": "second", "name": "Second: “new”"}
    assert owner.post(url(concept, "duplicate"), data | given).status_code == 302
    assert LadderConcept.objects.get(key="second").name == "Second: “new”"


def test_one_in_use_is_not_deleted(owner, bot, concept, methodology):
    for row in (concept, methodology):
        page = text_of(owner.get(url(row, "delete")))
        assert "is in use" in page
        assert "Choose another" in page
        owner.post(url(row, "delete"), {"post": "yes"})
        row.refresh_from_db()
    chosen = {"action": "delete_selected", "_selected_action": [concept.pk], "post": "yes"}
    assert "some of them are in use" in text_of(owner.post(CONCEPTS, chosen))
    assert LadderConcept.objects.exists()


def test_one_that_nobody_uses_is_deleted(owner, concept):
    assert "No bot uses it" in text_of(owner.get(url(concept, "delete")))
    owner.post(url(concept, "delete"), {"post": "yes"})
    assert not LadderConcept.objects.exists()


def test_history_goes_back(owner, concept):
    saved(owner, url(concept), SMALL.replace("soft light", "gentle light"))
    page = text_of(owner.get(url(concept, "history")))

    assert "elements › warm light › aliases" in page
    back = page[page.index("import/?as_of=") :].split('"')[0]
    look = owner.get(url(concept, "change").replace("change/", back))
    assert "elements › warm light › aliases" in text_of(look)
    owner.post(url(concept, "import"), form_of(look))
    concept.refresh_from_db()
    assert concept.source == SMALL


def test_the_preview_shows_rungs_weights_and_what_signals_mean(owner, methodology, concept):
    page = text_of(owner.get(url(methodology, "preview")))

    assert page.index("Terminal value") < page.index("Attribute</b>")
    assert '<a href="#graph.node.exhausted">' in page
    assert '<dt id="graph.node.exhausted">' in page
    assert "leave it, until something else leads back to it" in page
    assert "−5" in page
    assert "Depth first" in page
    page = text_of(owner.get(url(concept, "preview")))
    assert "soft light" in page


def test_who_may_only_look_sees_the_text(looker, concept):
    page = text_of(looker.get(url(concept)))

    assert '<pre class="ladder-text">' in page
    assert "<textarea" not in page


def test_one_that_can_no_longer_be_read_is_shown_as_it_is(owner, bot, concept):
    LadderConcept.objects.filter(pk=concept.pk).update(source="id: [")

    assert "can&#x27;t be read" in text_of(owner.get(CONCEPTS))
    assert "id: [" in text_of(owner.get(url(concept)))
    assert "can&#x27;t be read" in text_of(owner.get(url(concept, "preview")))
    assert "can&#x27;t be read" in text_of(owner.get(url(bot, "preview")))
    assert owner.get(url(concept, "export_yaml")).content == b"id: ["
    assert owner.get(url(concept, "export_json")).status_code == 302
    assert owner.get(url(concept, "history")).status_code == 200
    data = form_of(owner.get(url(concept, "duplicate"))) | {"key": "b", "name": "B"}
    assert owner.post(url(concept, "duplicate"), data).status_code == 302
    assert LadderConcept.objects.count() == 1


def test_a_new_bot_is_asked_for_both(owner, concept, methodology):
    add = "/admin/plans/bot/add/?protocol=laddering"
    data = form_of(owner.get(add)) | {
        "title": "Why so",
        "slug": "why-so",
        "minutes": "10",
        "concept": str(concept.pk),
        "methodology": str(methodology.pk),
        "option__languages": "en",
    }

    assert owner.post(add, data).status_code == 302

    made = Bot.objects.get(slug="why-so")
    assert (made.concept, made.methodology) == (concept, methodology)


def test_a_bot_goes_live_only_with_both(owner, bot):
    data = form_of(owner.get(url(bot)))
    texts = {name: "Some words." for name in data if name.startswith("text__")}
    live = data | texts | {"status": "live", "concept": ""}

    assert "Choose a concept under Interview." in words_of(owner.post(url(bot), live))
    assert owner.post(url(bot), live | {"concept": str(bot.concept.pk)}).status_code == 302
    bot.refresh_from_db()
    assert bot.status == "live"


def test_a_bots_preview_shows_both_and_what_is_missing(owner, bot):
    page = text_of(owner.get(url(bot, "preview")))
    assert "warm light" in page
    assert "Ladder up" in page
    assert "Up to 20 answers" in page
    Bot.objects.update(methodology=None)
    assert "This bot has no methodology yet." in text_of(owner.get(url(bot, "preview")))


def test_versions_tell_what_changed_in_the_concept(owner, bot, concept):
    plan_for(bot)
    apply_file(read_file(CONCEPT, SMALL.replace("soft light", "gentle light")), concept)
    plan_for(Bot.objects.get(pk=bot.pk))

    page = text_of(owner.get(url(bot, "versions")))

    assert "concept › elements › warm light › aliases" in page
