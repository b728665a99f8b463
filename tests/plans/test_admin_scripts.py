"""The admin of scripts and sections, as people use it."""

import io
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from plans.models import Question, Script, Section
from plans.portability.reader import read_script
from plans.portability.scripts import apply_script, script_document
from tests.plans.pages import form_of, text_of
from tests.plans.study_files import SHORT

LIST = "/admin/plans/script/"


def url(script: Script, page: str = "change") -> str:
    return f"{LIST}{script.pk}/{page}/"


def keys(script: Script, section: str = "home") -> list[str]:
    return list(script.sections.get(key=section).questions.values_list("key", flat=True))


def question(number: int, home: int, **values: str) -> dict[str, str]:
    """A new row of the form, in the section of that row."""
    told = {"objective": "x", "block_seconds": "5", "position": "9", "home": str(home)} | values
    return {f"questions-{number}-{name}": value for name, value in told.items()}


def test_an_empty_list_says_how_to_begin(owner):
    assert "A script holds an interview" in text_of(owner.get(LIST))


def test_a_search_that_finds_nothing_says_so(owner, script):
    assert "No matches" in text_of(owner.get(f"{LIST}?q=zebra"))
    assert "Short" in text_of(owner.get(f"{LIST}?q=paid+work"))


def test_the_list_counts_and_asks_few_queries(owner, script, bot, django_assert_max_num_queries):
    with django_assert_max_num_queries(12):
        page = text_of(owner.get(LIST))

    assert "12 min" in page
    assert "A test" in page


@pytest.mark.parametrize("where", ["change", "history", "preview", "delete", "import", "duplicate"])
def test_pages_open(owner, script, where):
    assert owner.get(url(script, where)).status_code == 200


def test_a_new_script_gets_its_sections_in_order(owner):
    page = owner.get(f"{LIST}add/")
    data = form_of(page) | {"name": "New", "language": "en", "intro": "Hi.", "outro": "Bye."}
    data |= {"sections-TOTAL_FORMS": "2"}
    for i, title in enumerate(["First things", "Вторая часть"]):
        data |= {
            f"sections-{i}-title": title,
            f"sections-{i}-key": "",
            f"sections-{i}-position": str(i),
        }
    data |= question(0, home=1, text="Why?") | {"questions-TOTAL_FORMS": "1"}

    assert owner.post(f"{LIST}add/", data).status_code == 302

    sections = Script.objects.get(name="New").sections.values_list("key", "position")
    assert list(sections) == [("first-things", 0), ("vtoraya-chast", 1)]
    assert keys(Script.objects.get(name="New"), "vtoraya-chast") == ["why"]


def test_an_empty_section_and_question_say_what_is_to_be_written(owner):
    page = text_of(owner.get(f"{LIST}add/"))
    assert 'placeholder="Title of the section"' in page
    assert 'placeholder="Question"' in page


def test_dragged_sections_are_saved(owner, script):
    data = form_of(owner.get(url(script)))
    data["sections-0-position"], data["sections-1-position"] = ["1"], ["0"]

    assert owner.post(url(script), data).status_code == 302

    assert list(script.sections.values_list("key", flat=True)) == ["work", "home"]


def test_dragged_questions_are_saved(owner, script):
    data = form_of(owner.get(url(script)))
    data["questions-0-position"], data["questions-1-position"] = ["1"], ["0"]

    owner.post(url(script), data)

    assert keys(script) == ["rooms", "first-home"]


def test_new_questions_stand_where_they_were_put_and_get_keys(owner, script):
    data = form_of(owner.get(url(script))) | {"questions-TOTAL_FORMS": "5"}
    data |= question(3, home=0, text="What did it\r\nsmell of?", position="0")
    data |= question(4, home=0, text="What did it\r\nsmell of?", block_seconds="1:30")

    owner.post(url(script), data)

    assert keys(script) == ["first-home", "what-did-it-smell-of", "rooms", "what-did-it-smell-of-2"]
    assert Question.objects.get(key="what-did-it-smell-of").text == "What did it\nsmell of?"
    assert Question.objects.get(key="what-did-it-smell-of-2").block_seconds == 90


def test_saving_without_a_change_makes_no_version(owner, script):
    before = Question.history.count()
    data = form_of(owner.get(url(script)))
    data = {name: [v.replace("\n", "\r\n") for v in values] for name, values in data.items()}

    owner.post(url(script), data)

    assert Question.history.count() == before


def test_a_question_is_dragged_into_another_section(owner, script):
    data = form_of(owner.get(url(script)))
    data |= {"questions-0-home": "1", "questions-0-position": "5"}

    owner.post(url(script), data)

    assert keys(script) == ["rooms"]
    assert keys(script, "work") == ["first-job", "first-home"]
    assert Question.history.filter(key="first-home").count() == 2


def test_two_questions_of_one_key_change_places(owner, script):
    script.sections.get(key="work").questions.create(key="rooms", text="y", objective="x")
    data = form_of(owner.get(url(script)))
    homes = {row: home for row, home in data.items() if row.endswith("-home")}
    twins = [row for row in homes if data[row.replace("-home", "-key")] == ["rooms"]]

    owner.post(url(script), data | {row: str(1 - int(*homes[row])) for row in twins})

    assert list(script.sections.get(key="home").questions.values_list("text", flat=True)) == [
        "Where did you grow up?",
        "y",
    ]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"questions-1-key": "first-home"}, "Two questions of this section have this key."),
        ({"questions-0-text": " "}, "This field is required."),
        ({"questions-0-block_seconds": "soon"}, "Write minutes, such as 5 or 1:30."),
        ({"questions-0-block_seconds": "0:10"}, "A question takes from 0:30 to 120 minutes."),
        ({"questions-0-home": "9"}, "Fix the marked questions first."),
        ({"questions-0-home": "x"}, "Fix the marked questions first."),
        ({"questions-0-key": "a b"}, "Use only Latin letters, digits, - and _."),
        ({"sections-0-title": ""}, "This field is required."),
        ({"sections-1-key": "home"}, "Two rows have the same key."),
    ],
)
def test_what_does_not_fit_is_said_where_it_stands(owner, script, changes, says):
    data = form_of(owner.get(url(script))) | changes

    page = owner.post(url(script), data)

    assert page.status_code == 200
    assert says in text_of(page).replace("&quot;", "”")
    assert script_document(script) == read_script(SHORT)


def test_deleting_a_question(owner, script):
    data = form_of(owner.get(url(script))) | {"questions-0-DELETE": "on", "questions-0-text": ""}

    owner.post(url(script), data)

    assert keys(script) == ["rooms"]


def test_a_section_goes_with_its_questions_but_not_with_those_that_left_it(owner, script):
    data = form_of(owner.get(url(script)))
    data |= {"sections-0-DELETE": "on", "questions-0-home": "1", "questions-1-text": ""}

    assert owner.post(url(script), data).status_code == 302

    assert list(script.sections.values_list("key", flat=True)) == ["work"]
    assert set(keys(script, "work")) == {"first-home", "first-job"}


def test_the_old_address_of_a_section_leads_to_its_place(owner, reader, script):
    section = script.sections.get(key="work")
    for client in (owner, reader):
        answer = client.get(f"/admin/plans/section/{section.pk}/change/")
        assert answer.headers["Location"] == f"{url(script)}#section-{section.pk}"
    assert owner.get("/admin/plans/section/").headers["Location"] == LIST


def test_a_long_script_takes_few_queries(owner, script, django_assert_max_num_queries):
    section = script.sections.get(key="home")
    Question.objects.bulk_create(
        Question(section=section, key=f"k{n}", text=f"Q{n}?", objective="x", position=9 + n)
        for n in range(110)
    )
    with django_assert_max_num_queries(40):
        data = form_of(owner.get(url(script)))
    data |= {"questions-80-home": "1"}
    with django_assert_max_num_queries(380):  # Django looks each row up
        owner.post(url(script), data)
    assert len(keys(script, "work")) == 2


def test_alike_questions_are_pointed_out(owner, script):
    section = script.sections.get(key="home")
    section.questions.create(
        key="again", text="Which was the first paid work that you had?", objective="x", position=9
    )

    assert "One question seems to repeat an earlier one" in text_of(owner.get(url(script)))


def test_the_preview_is_what_a_participant_sees(owner, script):
    script.sections.update(title="<b>Home</b>")
    page = text_of(owner.get(url(script, "preview")))

    assert "Hello, Alex." in page
    assert "Question 3" in page
    assert "&lt;b&gt;Home&lt;/b&gt;" in page
    assert "One room as a scene." not in page  # objectives are the interviewer's


def test_a_script_is_duplicated_under_the_name_given(owner, script):
    response = owner.post(url(script, "duplicate"), {"name": "Twin", "_form_submitted": "True"})

    twin = Script.objects.get(name="Twin")
    assert response.headers["Location"] == url(twin)
    assert script_document(twin).sections == script_document(script).sections


def test_probes_are_written_below_a_question_and_copied_with_it(owner, script):
    data = form_of(owner.get(url(script)))
    data["questions-0-probes"] = ["Who else was there?\r\n\r\n For how long? "]

    owner.post(url(script), data)
    owner.post(url(script, "duplicate"), {"name": "Twin", "_form_submitted": "True"})

    asked = script_document(Script.objects.get(name="Twin")).questions
    assert asked[0].probes == "Who else was there?\nFor how long?"
    assert asked[1].probes == ""


def test_duplicating_is_never_done_by_a_link(owner, script):
    owner.get(url(script, "duplicate"))
    again = owner.post(url(script, "duplicate"), {"name": "Short", "_form_submitted": "True"})

    assert "already has that name" in text_of(again)
    assert Script.objects.count() == 1


@pytest.mark.parametrize("form", ["yaml", "json", "csv"])
def test_exports_come_in_again(owner, script, form):
    response = owner.get(url(script, f"export_{form}"))

    assert response.headers["Content-Disposition"] == f'attachment; filename="short-en.{form}"'
    head = script_document(script).model_dump(include={"name", "language", "intro", "outro"})
    assert read_script(response.content, form, head) == script_document(script)


def test_several_are_exported_together(owner, script):
    other = Script.objects.create(name="Другой", language="ru", intro="x", outro="x")
    data = {"action": "export_selected_yaml", "_selected_action": [script.pk, other.pk]}

    response = owner.post(LIST, data)

    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert archive.namelist() == ["01-short-en.yaml", "02-drugoi-ru.yaml"]
    assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_an_import_is_shown_first_and_done_then(owner):
    upload = SimpleUploadedFile("mine.yaml", SHORT.encode())
    page = owner.post(f"{LIST}import/", {"file": upload})

    assert "“Short” will be created" in text_of(page)
    assert not Script.objects.exists()

    response = owner.post(f"{LIST}import/", form_of(page))

    script = Script.objects.get()
    assert response.headers["Location"] == url(script)
    assert script_document(script) == read_script(SHORT)


def test_an_import_says_what_it_would_change(owner, script):
    text = SHORT.replace("Where did you grow up?", "Where were you <i>young</i>?")
    text = text.replace("      - key: rooms", "      - key: chambers")
    page = owner.post(f"{LIST}import/", {"text": text, "replace": "on"})
    shown = text_of(page)

    for words in ("<ins>", "&lt;i&gt;young&lt;/i&gt;", "chambers", "rooms", "removed", "added"):
        assert words in shown
    owner.post(f"{LIST}import/", form_of(page))

    assert script_document(Script.objects.get()) == read_script(text)


def test_an_import_deletes_nothing_unless_it_is_told_to(owner, script):
    text = SHORT.replace("      - key: rooms", "      - key: chambers")
    page = owner.post(url(script, "import"), {"text": text})
    assert "removed" not in text_of(page)
    owner.post(url(script, "import"), form_of(page))
    keys = set(Question.objects.values_list("key", flat=True))
    assert {"rooms", "chambers"} <= keys


def test_a_file_in_an_older_encoding_says_how_it_was_read(owner, script):
    text = SHORT.replace("Where did you grow up?", "Où avez-vous grandi, près d’ici ?")
    upload = SimpleUploadedFile("s.yaml", text.encode("cp1252"))
    page = text_of(owner.post(url(script, "import"), {"file": upload}))
    assert "read as Windows-1252" in page
    assert "près d’ici" in page


def test_a_csv_keeps_the_scripts_own_head(owner, script):
    csv = owner.get(url(script, "export_csv")).content.replace(b"One room", b"Any room")
    page = owner.post(url(script, "import"), {"file": SimpleUploadedFile("s.csv", csv)})
    owner.post(url(script, "import"), form_of(page))

    script.refresh_from_db()
    assert script.intro.startswith("Hello, {participant_name}.")
    assert Question.objects.get(key="rooms").objective == "Any room as a scene."


def test_a_csv_for_a_new_script_takes_its_head_from_the_form(owner, script):
    csv = owner.get(url(script, "export_csv")).content.decode()
    head = {"name": "From a table", "language": "it", "intro": "Ciao.", "outro": "Addio."}
    page = owner.post(f"{LIST}import/", {"text": csv, **head})
    owner.post(f"{LIST}import/", form_of(page))

    made = Script.objects.get(name="From a table")
    assert (made.language, made.intro, made.sections.count()) == ("it", "Ciao.", 2)


def test_what_was_changed_meanwhile_is_shown_again(owner, script):
    text = SHORT.replace("Where did you grow up?", "Where?")
    page = owner.post(url(script, "import"), {"text": text})
    Question.objects.filter(key="rooms").update(text="Changed meanwhile?")

    again = owner.post(url(script, "import"), form_of(page))

    assert "Somebody else has changed it" in text_of(again)
    assert Question.objects.filter(text="Changed meanwhile?").exists()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, "Choose a file or paste its text."),
        ({"text": "name: [x"}, "This is not valid YAML"),
        ({"text": SHORT.replace("block_seconds: 120", "block_seconds: 1")}, "line 21, sections[0]"),
        ({"text": "slug: a\nformat: interviewsite/bot"}, "this file holds a bot"),
        ({"text": "a" * 2_200_000}, "longer than 2 MB"),
        ({"text": "x\x00y"}, "Null characters are not allowed"),
        ({"format": "nonsense", "text": "x"}, "Select a valid choice"),
    ],
)
def test_a_broken_import_says_why_and_changes_nothing(owner, script, data, expected):
    page = owner.post(url(script, "import"), data)

    assert page.status_code == 200
    assert expected in text_of(page)
    assert script_document(script) == read_script(SHORT)


@pytest.mark.parametrize("content", [b"\xff\xfea\x00", b"caf\x81", b"\x00", b"\xef\xbb\xbf"])
def test_a_broken_file_is_no_server_error(owner, script, content):
    upload = SimpleUploadedFile("s.yaml", content)

    page = owner.post(url(script, "import"), {"file": upload})

    assert page.status_code == 200
    assert script_document(script) == read_script(SHORT)


def test_an_earlier_state_is_brought_back_through_the_preview(owner, script):
    made = Question.history.filter(key="first-home").latest().history_date
    last = max(made, script.sections.last().history.latest().history_date)
    last = max(last, Question.history.latest("history_date").history_date)
    question = Question.objects.get(key="first-home")
    question.text = "Spoilt?"
    question.save()

    page = owner.get(url(script, "import"), {"as_of": last.isoformat()})
    assert "Spoilt?" in text_of(page)
    owner.post(url(script, "import"), form_of(page))

    assert script_document(script) == read_script(SHORT)
    assert owner.get(url(script, "import"), {"as_of": "soon"}).status_code == 404
    assert owner.get(url(script, "import"), {"as_of": "2000-01-01T00:00Z"}).status_code == 404


def test_the_history_names_who_changed_what(owner, script):
    data = form_of(owner.get(url(script))) | {"questions-0-text": "Where was it?"}
    owner.post(url(script), data)

    page = text_of(owner.get(url(script, "history")))

    assert "owner" in page
    assert "Question “Where was it?”" in page
    assert "<del>" in page


def test_deleting_says_what_it_does(owner, script, bot):
    bot.scripts.set([script])

    assert "A test (live)" in text_of(owner.get(url(script, "delete")))
    owner.post(url(script, "delete"), {"post": "yes"})
    assert not Script.objects.filter(pk=script.pk).exists()


READING = ["change", "history", "preview", "export_yaml", "export_csv"]
WRITING = ["delete", "import", "duplicate"]


@pytest.mark.parametrize(
    ("where", "status"), [*((p, 200) for p in READING), *((p, 403) for p in WRITING)]
)
def test_readers_read(reader, script, where, status):
    assert reader.get(url(script, where)).status_code == status
    assert "Which room do you remember?" in text_of(reader.get(url(script)))
    assert 'name="questions-0-text"' not in text_of(reader.get(url(script)))


@pytest.mark.parametrize("where", [*READING, *WRITING])
def test_strangers_see_nothing(stranger, script, client, where):
    assert stranger.get(url(script, where)).status_code == 403
    assert client.get(url(script, where)).status_code == 302  # to the login


@pytest.mark.parametrize("where", [*READING, "delete", "import"])
def test_a_script_that_is_not_there(owner, db, where):
    assert owner.get(f"{LIST}999/{where}/").status_code in (302, 404)


def bring(owner, where: str, text: str):
    return owner.post(where, form_of(owner.post(where, {"text": text})))


def numbered() -> Script:
    """A script whose keys are numbers in each section, as questions in Arabic get them."""
    names = {"first-home": "q-001", "rooms": "q-002", "first-job": "q-001"}
    document = read_script(SHORT)
    for one in document.questions:
        one.key = names[one.key]
    return apply_script(document)


def test_a_key_that_two_sections_use_deletes_no_question(owner):
    script = numbered()
    rows = "section_key,section_title,question_key,text,objective\nhome,Home,q-001,Where?,Place.\n"
    bring(owner, url(script, "import"), rows)
    texts = set(Question.objects.values_list("text", flat=True))
    assert texts == {"Where?", "Which room do you remember?", "What was your first paid work?"}


def test_a_new_question_takes_no_key_of_another(owner):
    script = numbered()
    rows = "section_key,section_title,text,objective\nwork,Work,أين عملت؟,Place.\n"
    bring(owner, url(script, "import"), rows)
    assert Question.objects.count() == 4
    assert Question.objects.filter(text="What was your first paid work?").exists()


def test_a_script_found_by_its_name_is_matched_by_its_words(owner, script):
    bring(owner, f"{LIST}import/", re.sub(r"- key: [-a-z]+\n +", "- ", SHORT))
    assert script_document(Script.objects.get()) == read_script(SHORT)


def test_the_name_of_another_script_is_refused(owner, script):
    other = SHORT.replace("name: Short", "name: Other")
    apply_script(read_script(other))
    page = owner.post(url(script, "import"), {"text": other})
    assert "another script has this name and language" in text_of(page)


def test_an_earlier_state_is_brought_back_without_what_came_later(owner, script):
    last = max(
        model.history.latest("history_date").history_date for model in (Script, Section, Question)
    )
    fields = {"text": "Late?", "objective": "x", "position": 9}
    script.sections.first().questions.create(key="late", **fields)
    page = owner.get(url(script, "import"), {"as_of": last.isoformat()})
    assert owner.post(url(script, "import"), form_of(page)).status_code == 302
    assert script_document(script) == read_script(SHORT)


def test_a_first_section_without_a_title_is_refused_where_it_stands(owner):
    page = owner.get(f"{LIST}add/")
    data = form_of(page) | {"name": "New", "language": "en", "intro": "Hi.", "outro": "Bye."}
    data |= {"sections-TOTAL_FORMS": "1", "questions-TOTAL_FORMS": "1"}
    data |= {"sections-0-title": "", "sections-0-key": "", "sections-0-position": "0"}
    data |= question(0, home=0, text="Why?", position="0")

    answer = owner.post(f"{LIST}add/", data)

    assert answer.status_code == 200
    assert "This field is required." in text_of(answer)
    assert "Why?" in text_of(answer)


def test_a_question_that_somebody_else_deleted_is_named(owner, script):
    data = form_of(owner.get(url(script)))
    Question.objects.get(key="rooms").delete()

    page = owner.post(url(script), data | {"questions-0-text": "Where?"})

    assert "Somebody else has deleted this." in text_of(page)
    again = form_of(page) | {"questions-1-DELETE": "on"}
    assert owner.post(url(script), again).status_code == 302
    assert Question.objects.get(key="first-home").text == "Where?"


def test_what_was_deleted_is_shown_so_when_something_else_is_refused(owner, script):
    data = form_of(owner.get(url(script))) | {"questions-0-DELETE": "on", "questions-1-text": " "}

    page = text_of(owner.post(url(script), data))

    assert "This field is required." in page
    assert page.count("script-gone") == 1
    assert "Keep this question" in page


def test_what_somebody_else_wrote_meanwhile_is_not_taken_back(owner, script):
    old = form_of(owner.get(url(script)))
    theirs = Question.objects.get(key="rooms")
    theirs.text = "Which smell?"
    theirs.save()

    page = owner.post(url(script), old | {"questions-0-text": "Where?"})

    assert "Somebody else has saved it" in text_of(page)
    assert Question.objects.get(key="rooms").text == "Which smell?"
    assert owner.post(url(script), form_of(page)).status_code == 302
