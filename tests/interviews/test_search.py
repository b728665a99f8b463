"""Search over what was said; tests/services/test_over_postgresql.py runs this over PostgreSQL."""

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection

from interviews.admin import querysets
from interviews.models import AccessRecord, Session, TranscriptEntry
from interviews.search import index
from interviews.search.queries import saying, snippets
from interviews.turns.deletion import delete_sessions
from interviews.turns.withdrawal import withdraw
from plans.models import Team
from tests.conftest import make_bot
from tests.factories import SessionFactory, talk
from tests.interviews.leaving import gone
from tests.queries import counted

LIST = "/admin/interviews/transcriptentry/"
pytestmark = pytest.mark.django_db


def said(words: str) -> set[str]:
    return set(saying(TranscriptEntry.objects.all(), words).values_list("text", flat=True))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("lighthouse", {"A"}),
        ("LIGHT", {"A"}),  # as it begins
        ("house", set()),  # not as it ends
        ("keeper sea", {"A"}),  # all of them, in any order
        ('"the sea"', {"A", "B"}),
        ('"sea lighthouse"', set()),
        ("bakery or lighthouse", {"A", "B"}),
        ("sea -bakery", {"A"}),
        ("-bakery", set()),
        ("бабушка", {"C"}),
        ("100%", {"B"}),
        ("ö'* & | ! <-> \\ \0 ) (", set()),
        ('"" - "', set()),
        ("パン", {"D"}),
        ("食べ　パン", {"D"}),
        ('"毎朝パン"', {"D"}),
        ('"パン 毎朝"', set()),
        ("パン or 面包", {"D", "E"}),
        ("パン or BAKERY", {"B", "D"}),
        ("妈妈 -面包 or ขนมปัง", {"F", "G"}),
        ("-パン", set()),
        ("パン - ()", {"D"}),
    ],
)
def test_words(words, found):
    texts = {
        "A": "The lighthouse-keepers walked down to the sea.",
        "B": "Our bakery by the sea was 100% ours.",
        "C": "Моя Бабушка пекла хлеб.",
        "D": "私は毎朝パンを食べます。",
        "E": "妈妈每天烤面包。",
        "F": "妈妈住在海边。",
        "G": "แม่อบขนมปังทุกวัน",
    }
    for first in range(0, len(texts), 3):
        talk(SessionFactory(), list(texts.values())[first : first + 3])
    assert said(words) == {texts[name] for name in found}


def test_words_are_found_by_the_language_of_the_interview():
    bot = make_bot()
    texts = {"en": "We were walking there.", "de": "Die Häuser waren alt.", "pl": "Stare domy tam."}
    for language, text in texts.items():
        talk(SessionFactory(bot=bot, language=language), [text])
    stems = connection.vendor == "postgresql"
    assert said("walks") == ({texts["en"]} if stems else set())
    assert said("Hauses") == ({texts["de"]} if stems else set())
    assert said("walk") == {texts["en"]}
    assert said("dom") == {texts["pl"]}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("مدرسة", {"A", "B"}),
        ("المدرسة", {"A", "B"}),
        ("بيت", {"A", "B", "C"}),
        ("البحر", {"C"}),
        ("بيت -مدرسة", {"C"}),
        ('"البيت والمدرسة"', {"A"}),
        ("المدر", {"A", "B"}),
    ],
)
def test_arabic_words_are_found_behind_what_is_attached_to_them(words, found):
    texts = {"A": "ذهبت إلى البيت والمدرسة.", "B": "مدرسة وبيت.", "C": "في بيتنا قرب البحر."}
    talk(SessionFactory(language="ar"), list(texts.values()))
    assert said(words) == {texts[name] for name in found}


def test_changed_withdrawn_and_deleted_words_leave_the_index():
    withdrawn, deleted, kept = (
        talk(SessionFactory(), [f"{name} zebra."]) for name in ("One", "Two", "Three")
    )
    entry = kept.entries.get(text="Three zebra.")
    TranscriptEntry.objects.filter(pk=entry.pk).update(text="Three [e-mail address].")
    assert said("zebra") == {"One zebra.", "Two zebra."}
    withdraw(withdrawn)
    delete_sessions(Session.objects.filter(pk=deleted.pk))
    assert said("zebra") == set()
    assert said("address") == {"Three [e-mail address]."}
    if connection.vendor == "sqlite":
        assert b"addres" in blocks()
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO interviews_search(interviews_search) VALUES ('integrity-check')"
            )


def blocks() -> bytes:
    """What SQLite's files hold of the index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT block FROM interviews_search_data")
        return b"".join(bytes(block) for (block,) in cursor.fetchall())


@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_no_file_holds_words_that_have_left_the_index(how):
    if connection.vendor != "sqlite":
        return  # it has no files of an index
    zebra, _ = (talk(SessionFactory(), [f"A {animal}."]) for animal in ("zebra", "llama"))
    assert b"zebra" in blocks()
    gone(zebra, how)
    assert b"zebra" not in blocks()
    assert b"llama" in blocks()


def test_a_lost_index_is_made_again():
    talk(SessionFactory(), ["We lived over a bakery."])
    triggers = [f"interviews_search{when}" for when in ("_added", "_changed", "")]
    lost = {
        "sqlite": [f"DROP TRIGGER {trigger}" for trigger in triggers],
        "postgresql": ["DROP TRIGGER interviews_search ON interviews_transcriptentry"],
    }
    connection.check_constraints()  # or PostgreSQL would still wait with some of them
    with connection.cursor() as cursor:
        for statement in lost[connection.vendor]:
            cursor.execute(statement)
    talk(SessionFactory(), ["Another bakery."])
    assert len(said("bakery")) < 2
    for _ in range(2):
        index.make_index()
    talk(SessionFactory(), ["A third bakery."])
    assert len(said("bakery")) == 3


def test_the_page_shows_the_words_in_their_sentence(admin_client):
    session = talk(SessionFactory(), [f"{'Before. ' * 60}Our bakery < 3 & more.", "Other."])
    page = admin_client.get(LIST, {"q": "bakery"}).text
    assert "Our <mark>bakery</mark> &lt; 3 &amp; more" in page
    assert f"{session.pk}/change/#e3" in page
    assert "Other." not in page
    assert "Searched what was said." in AccessRecord.objects.values_list("what", flat=True)
    sessions = admin_client.get("/admin/interviews/session/", {"q": "our bakery"}).text
    assert f"{LIST}?q=our%20bakery" in sessions


def test_a_page_of_results_takes_a_fixed_number_of_queries(admin_client):
    def queries() -> int:
        with counted() as made:
            admin_client.get(LIST, {"q": "bakery"})
        return len(made)

    session = talk(SessionFactory(), ["A bakery."])
    queries()
    before = queries()
    talk(SessionFactory(bot=session.bot), ["Another bakery.", "The bakery again."])
    assert queries() == before


def test_a_page_of_results_asks_the_index_once(admin_client):
    talk(SessionFactory(), ["A bakery by the sea.", "Another bakery and the sea."])
    with counted() as made:
        assert "<mark>bakery</mark>" in admin_client.get(LIST, {"q": "bakery sea"}).text
    asked = [query for query in made if "interviews_search" in query or "search_words" in query]
    frequent = 2 if connection.vendor == "sqlite" else 0  # one for each word
    assert len(asked) == frequent + 2  # what matches, and the words around


def test_a_word_of_two_signs_finds_interviews_where_words_are_not_set_apart(admin_client):
    session = talk(SessionFactory(), ["妈妈每天烤面包。"])
    talk(SessionFactory(), ["Our bakery."])
    assert str(session.pk) in admin_client.get("/admin/interviews/session/", {"q": "妈妈"}).text


def test_another_teams_words_are_neither_found_nor_counted(client, monkeypatch):
    ours, theirs = make_bot(slug="ours"), make_bot(slug="theirs")
    mine = talk(SessionFactory(bot=ours), ["Our bakery."])
    for _ in range(2):
        talk(SessionFactory(bot=theirs), ["Their bakery."])
    team = Team.objects.create(name="Ours")
    team.bots.add(ours)
    user = User.objects.create_user("anna", is_staff=True)
    user.teams.add(team)
    rights = ("view_session", "view_transcriptentry")
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(user)
    monkeypatch.setattr(querysets, "MOST_FOUND", 1)
    page = client.get(LIST, {"q": "bakery"}).text
    assert "Our <mark>bakery</mark>" in page
    assert "Their" not in page
    assert str(mine.pk) in client.get("/admin/interviews/session/", {"q": "bakery"}).text


def test_words_around_of_nothing():
    assert snippets([]) == {}


def test_what_is_left_out_is_left_out_whatever_other_languages_there_are():
    talk(SessionFactory(), ["The gardeners of our orchard.", "Our orchard."])
    talk(SessionFactory(language="pl"), ["Stary sad."])
    assert said("orchard -gardeners") == {"Our orchard."}
