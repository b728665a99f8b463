"""REFI-QDA projects: valid, the same each time, and every selection is what was said."""

import io
import re
import zipfile

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from interviews.exports.pseudonyms import pseudonym
from interviews.exports.refi_qda.project import SourceText, codebook_chunks, project_chunks
from interviews.exports.selection import Selection
from interviews.models import Invitation, Session
from plans.models import Bot, Question, Script, Section
from tests.conftest import make_bot, make_twofold_bot
from tests.factories import SessionFactory, talk
from tests.interviews.exports.qdpx import read_project, validate
from tests.interviews.recorded_sessions import load, read

pytestmark = pytest.mark.django_db
EVERYBODY = Selection(synthetic=True, previews=True)
RECORDED = {  # -> the code above the others, codes' names below it, and at least how many answers
    "life-story-en": ("Questions", None, 8),
    "assessment-en": ("Questions", None, 8),
    "topics-en": ("Topics", "a usual cleaning day in your home at that time", 8),
    "topics-floor-it": ("Topics", "come è arrivato o arrivata a vivere lì", 3),
    "transfer-en": ("Questions", None, 4),
    "laddering-en": ("Rungs", None, 4),
}
SIGNS = st.sampled_from(
    [*"abc \n\r\t", "\r\n", "é", "e\u0301", "👩‍👩‍👧", "🇮🇹", "ש", "לום", "ع\u0651", "\u2028"]
)
ANY_TEXT = st.lists(SIGNS | st.characters(), max_size=40).map("".join)


def project(selection: Selection = EVERYBODY):
    return read_project(b"".join(project_chunks(selection)))


@pytest.mark.parametrize("name", RECORDED)
def test_what_a_protocol_asked_comes_along(name):
    load(read(name)["rows"])
    root, known, least = RECORDED[name]
    found = project()
    [text] = found.texts.values()
    session = Session.objects.get()
    said = [one.text.replace("\r\n", "\n") for one in session.entries.exclude(text="")]
    assert [text.count(one) >= 1 for one in said] == [True] * len(said)
    answers = [one.text for one in session.entries.filter(role="participant")]
    assert all(one.text in answers for one in found.selections)
    assert len({(one.start, one.end) for one in found.selections}) >= least
    assert all(one.codes[0] == f"{root} ({session.bot.slug})" for one in found.selections)
    assert known is None or found.under(known)
    validate(b"".join(codebook_chunks(EVERYBODY)), "Codebook.xsd")


def test_participants_are_cases_under_pseudonyms():
    bot = talk(SessionFactory(participant__name="Cassiopeia"), ["One.", "Two."]).bot
    first = Session.objects.get()
    Session.objects.update(params={"PANEL": "7\x00"}, start_answers={"experience": "12 years"})
    talk(SessionFactory(participant=first.participant, bot=bot, language="ru"), ["Три."])
    withdrawn = SessionFactory(bot=bot, status="WITHDRAWN", participant=None)
    found = project()
    assert list(found.cases) == [pseudonym(first.participant_id)]
    [case] = found.cases.values()
    assert (len(case["sources"]), case["language"], case["bot"]) == (2, "en; ru", bot.slug)
    assert (case["PANEL"], case["experience"]) == ("7\ufffd", "12 years")
    assert b"Cassiopeia" not in found.xml
    assert "Cassiopeia" not in "".join(found.texts.values())
    assert str(withdrawn.pk) not in found.xml.decode()


def test_a_question_is_called_in_the_plans_first_language_whoever_came_last():
    bot = make_bot(questions=1)
    question = Question.objects.get(section__script__bots=bot)
    script = Script.objects.create(name="Сценарий", language="ru", intro="Привет.", outro="Пока.")
    section = Section.objects.create(script=script, key=question.section.key, title="Жизнь")
    Question.objects.create(section=section, key=question.key, text="Где?", objective="Дом.")
    bot.scripts.add(script)
    for language in ("en", "ru"):
        talk(SessionFactory(bot=bot, language=language), [f"In {language}."])
    assert project().under(question.text) == ["In en.", "In ru."]


def test_every_export_is_the_same_and_another_site_s_is_not(settings):
    talk(SessionFactory(), ["One.", "👩‍👩‍👧 e\u0301 שלום"])
    found = project()
    assert project().xml == found.xml
    archive = zipfile.ZipFile(io.BytesIO(b"".join(project_chunks(EVERYBODY))))
    assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert "👩‍👩‍👧 e\u0301 שלום" in [one.text for one in found.selections]
    settings.PSEUDONYM_KEY = "another"
    assert {one.guid for one in project().selections}.isdisjoint(
        one.guid for one in found.selections
    )


def test_without_interviews_it_is_valid():
    assert project().texts == {}
    assert validate(b"".join(codebook_chunks(EVERYBODY)), "Codebook.xsd") is not None


def test_by_command_for_one_bot(tmp_path, capsysbinary):
    ours = talk(SessionFactory(), ["Ours."]).bot
    talk(SessionFactory(), ["Theirs."])
    assert Bot.objects.count() == 2
    path = tmp_path / "study.qdpx"
    call_command("export", ours.slug, "--format", "qdpx", "-o", str(path))
    [text] = read_project(path.read_bytes()).texts.values()
    assert "Ours." in text
    call_command("export", ours.slug, "--format", "qdc")
    validate(capsysbinary.readouterr().out, "Codebook.xsd")


@given(st.lists(ANY_TEXT, min_size=1, max_size=4), st.data())
def test_a_passage_is_found_in_the_source(texts, data):
    source = SourceText()
    for position, text in enumerate(texts):
        source.add(position, "Participant", text)
    position = data.draw(st.integers(0, len(texts) - 1))
    text = texts[position]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    place = source.place(position, start, end)
    if start == end:
        assert place is None
        return
    read_back = str(source).encode().decode()
    quote = re.sub("\r\n|[\r\x0b\x0c\x85\u2028\u2029]", "\n", text[start:end])
    found = read_back[slice(*place)]
    assert len(found) == len(quote)
    assert all(one in (other, "\ufffd") for one, other in zip(found, quote, strict=True))
    assert source.place(position, 0, None) == source.place(position, 0, len(text) + 5)
    assert source.place(len(texts), 0, None) is None


def test_what_a_link_calls_status_is_not_the_interviews():
    talk(SessionFactory(params={"status": "employed", "arm": "left"}), ["One."])
    [case] = read_project(b"".join(project_chunks(Selection()))).cases.values()
    assert (case["status"], case.get("arm")) == ("COMPLETED", None)
    assert (case["status (given)"], case["arm (given)"]) == ("employed", "left")


def test_variables_have_one_order_on_every_database():
    first, later = ({"b": "1", "aa": "2"}, {"aa": "2", "b": "1"})
    for params in (first, later):
        talk(SessionFactory(params=params), ["One."])
    for case in read_project(b"".join(project_chunks(Selection()))).cases.values():
        assert list(case)[-2:] == ["aa", "b"]


def test_questions_of_one_key_are_codes_of_their_own_names():
    bot = make_twofold_bot()
    talk(SessionFactory(bot=bot), ["One.", "Two.", "Three.", "Four."])
    asked = Question.objects.filter(section__script__bots=bot).order_by("section__position", "id")
    found = project()
    assert [found.under(question.text) for question in asked] == [
        *(["One."], ["Two."], ["Three."], ["Four."])
    ]


def test_interviews_of_nobody_known_are_cases_of_their_own():
    bot = make_bot()
    for _ in range(2):
        talk(SessionFactory(bot=bot, participant=None), ["One."])
    cases = {f"S-{str(one.pk)[:8]}" for one in Session.objects.all()}
    assert (len(cases), {*project().cases}) == (2, cases)


def test_a_reference_with_a_sign_that_xml_has_not_leaves_the_project_readable():
    bot = make_bot()
    invitation = Invitation.objects.create(bot=bot, reference="no.\x077")
    talk(SessionFactory(bot=bot, invitation=invitation), ["One."])
    [case] = project().cases.values()
    assert case["reference"] == "no.\ufffd7"
