"""Facts in other words, merged, taken apart, gone: nothing is lost, nothing of the past changes."""

import threading
from collections.abc import Callable

import pytest
from django.db import connections

from interviews.models import Fact, Session
from interviews.protocols.knowledge_transfer import fact_changes as facts
from interviews.protocols.knowledge_transfer.fact_changes import MAX_MERGED
from interviews.turns.deletion import delete_sessions, deletion_lines
from interviews.turns.replay import first_difference
from llm.concurrency.threads import in_database
from tests.interviews.talk import begin
from tests.interviews.transferred import add_fact, transferred
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """An interview with three facts."""
    return transferred(facts=3)


def stored(session: Session) -> list[Fact]:
    return list(session.facts.order_by("pk"))


def texts() -> set[str]:
    return set(Fact.objects.values_list("text", flat=True))


def merged(session: Session, text: str = "One for all.", chosen: list[Fact] | None = None) -> Fact:
    rows = chosen or stored(session)
    return facts.merge([row.pk for row in rows], text, facts.version(rows), "ann")


# -- words


def test_other_words_have_an_editor_and_the_original_stays(session):
    fact = stored(session)[0]
    made = facts.write(fact.pk, "  It covers\r\ntwo. ", facts.version([fact]), "ann")
    made.refresh_from_db()
    assert (made.text, made.edited_by) == ("It covers\ntwo.", "ann")
    assert made.edited_at
    assert made.original == fact.text


def test_the_original_comes_back_and_is_nobodys_edit(session):
    fact = stored(session)[0]
    made = facts.write(fact.pk, "Other.", facts.version([fact]), "ann")
    back = facts.restore_original(fact.pk, facts.version([made]))
    assert (back.text, back.edited_by, back.edited_at) == (fact.original, "", None)


def test_typing_the_original_again_is_no_edit(session):
    fact = stored(session)[0]
    made = facts.write(fact.pk, "Other.", facts.version([fact]), "ann")
    again = facts.write(fact.pk, fact.original, facts.version([made]), "bob")
    again.refresh_from_db()
    assert (again.edited_by, again.edited_at) == ("", None)


def test_the_same_words_leave_the_editor(session):
    fact = stored(session)[0]
    made = facts.write(fact.pk, "Other.", facts.version([fact]), "ann")
    again = facts.write(fact.pk, "Other. ", facts.version([made]), "bob")
    assert (again.edited_by, again.edited_at) == ("ann", made.edited_at)


@pytest.mark.parametrize("words", ["", " \n", "\u2028", "x" * (facts.MAX_LENGTH + 1)])
def test_words_that_are_none_or_too_many(session, words):
    fact = stored(session)[0]
    with pytest.raises(facts.Invalid):
        facts.write(fact.pk, words, facts.version([fact]), "ann")
    fact.refresh_from_db()
    assert fact.text == fact.original


def test_the_second_of_two_editors_is_told_by_whom(session):
    fact = stored(session)[0]
    seen = facts.version([fact])
    facts.write(fact.pk, "Ann's words.", seen, "ann")
    with pytest.raises(facts.Stale, match="ann has changed"):
        facts.write(fact.pk, "Bob's words.", seen, "bob")
    with pytest.raises(facts.Stale):
        facts.restore_original(fact.pk, seen)
    fact.refresh_from_db()
    assert fact.text == "Ann's words."


def test_what_is_gone_or_merged_meanwhile_is_told(session):
    first, second, third = stored(session)
    seen = facts.version([second])
    merged(session, chosen=[first, second])
    with pytest.raises(facts.Stale, match="merged into another"):
        facts.write(second.pk, "Other.", seen, "bob")
    second.refresh_from_db()
    with pytest.raises(facts.Invalid, match="is merged"):
        facts.write(second.pk, "Other.", facts.version([second]), "bob")
    facts.remove(Fact.objects.filter(pk=third.pk))
    with pytest.raises(facts.Stale, match="deleted"):
        facts.write(third.pk, "Other.", facts.version([third]), "bob")
    with pytest.raises(facts.Stale, match="deleted"):
        facts.write(third.pk, "Other.", facts.version([]), "bob")


# -- merging


def test_the_first_stands_for_all_and_nothing_is_lost(session):
    before = texts()
    survivor = merged(session)
    first, *others = stored(session)
    assert survivor == first
    assert (first.text, first.edited_by) == ("One for all.", "ann")
    assert {fact.merged_into_id for fact in others} == {first.pk}
    assert before <= texts() | set(Fact.objects.values_list("original", flat=True))
    assert facts.unmerge(first.pk) == 2
    assert {fact.merged_into_id for fact in stored(session)} == {None}
    assert first.original in before


def test_what_was_merged_before_moves_along(session):
    first, second, third = stored(session)
    merged(session, chosen=[second, third])
    merged(session, chosen=list(Fact.objects.filter(pk__in=(first.pk, second.pk))))
    assert {fact.merged_into_id for fact in stored(session)} == {None, first.pk}
    facts.remove(Fact.objects.filter(pk=first.pk))
    assert {fact.merged_into_id for fact in stored(session)} == {None}


def test_merging_with_the_survivors_own_words_is_no_edit(session):
    first = stored(session)[0]
    assert merged(session, first.text).edited_at is None


def test_never_one_alone_nor_of_two_bots_nor_twice_nor_too_many(session):
    other = stored(transferred())
    first, second, third = stored(session)
    for chosen, why in (([first], "at least two"), ([first, *other], "different bots")):
        with pytest.raises(facts.Invalid, match=why):
            merged(session, chosen=chosen)
    merged(session, chosen=[first, second])
    second.refresh_from_db()
    with pytest.raises(facts.Invalid, match="merged already"):
        merged(session, chosen=[second, third])
    many = [add_fact(session, f"Fact {i}.") for i in range(MAX_MERGED + 1)]
    with pytest.raises(facts.Invalid, match="At most"):
        merged(session, chosen=many)
    assert Fact.objects.filter(merged_into=None).count() == 3 + len(many)


def test_of_one_bot_also_across_interviews_but_not_once_it_is_deleted(session):
    other = transferred(bot=session.bot)
    chosen = [*stored(session), *stored(other)]
    merged(session, chosen=chosen)
    assert other.facts.get().merged_into == chosen[0]
    facts.unmerge(chosen[0].pk)
    session.bot.delete()
    with pytest.raises(facts.Invalid, match="deleted"):
        merged(session, chosen=list(Fact.objects.all()))


def test_unusable_words_merge_nothing(session):
    with pytest.raises(facts.Invalid):
        merged(session, " ")
    assert not Fact.objects.exclude(merged_into=None).exists()


def test_taking_apart_what_is_gone(session):
    with pytest.raises(facts.Stale):
        facts.unmerge(-1)


# -- with their interviews


def test_facts_go_with_their_interview_and_what_was_merged_elsewhere_comes_back(session):
    other = transferred(bot=session.bot, facts=2)
    chosen = [*stored(session), *stored(other)]
    merged(session, chosen=chosen)
    one = Session.objects.filter(pk=session.pk)
    assert "3 facts" in deletion_lines(one)
    delete_sessions(one)
    assert {fact.session_id for fact in Fact.objects.all()} == {other.pk}
    assert {fact.merged_into_id for fact in Fact.objects.all()} == {None}
    delete_sessions(Session.objects.all())
    assert not Fact.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_replay_is_the_same_whatever_becomes_of_the_facts():
    bot = await in_database(make_transfer_bot)
    talk = await begin(bot)
    await talk.say("Two machines are set up anew.")
    session = await talk.session()
    for number in (1, 2):
        await in_database(add_fact, session, f"The press number {number} is set up anew.", number)
    await talk.say("The script would order too little.")
    state = (await talk.session()).state
    rows = await in_database(stored, session)
    await in_database(merged, session, "All of it.", rows)
    await in_database(lambda: facts.remove(Fact.objects.filter(pk=rows[1].pk)))
    assert (await talk.session()).state == state
    again = Session.objects.select_related("participant").get
    assert await in_database(lambda: first_difference(again(pk=session.pk))) == ""
    await talk.say("Her mother's shop in the next street may.")
    assert await in_database(session.facts.count) == 1


# -- at the same moment


def at_once(*works: Callable[[], object]) -> list[object]:
    """What each of them gave or raised, all begun at the same moment."""
    together, came = threading.Barrier(len(works)), [None] * len(works)

    def run(place: int, work: Callable[[], object]) -> None:
        together.wait(10)
        try:
            came[place] = work()
        except facts.FactError as error:
            came[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    return came


@pytest.mark.django_db(transaction=True)
def test_of_two_editors_at_the_same_moment_one_wins_and_one_is_told(session):
    fact = stored(session)[0]
    seen = facts.version([fact])
    came = at_once(
        *(lambda who=who: facts.write(fact.pk, f"By {who}.", seen, who) for who in ("ann", "bob"))
    )
    (lost,) = [one for one in came if isinstance(one, facts.Stale)]
    fact.refresh_from_db()
    assert fact.text == f"By {fact.edited_by}."
    assert fact.edited_by in str(lost)


@pytest.mark.django_db(transaction=True)
def test_merges_that_overlap_leave_no_fact_under_one_that_is_merged_itself(session):
    first, second, third = stored(session)
    came = at_once(
        lambda: merged(session, "Left.", [first, second]),
        lambda: merged(session, "Right.", [second, third]),
    )
    assert sum(isinstance(one, facts.FactError) for one in came) == 1
    assert Fact.objects.count() == 3
    assert not Fact.objects.filter(merged_into__merged_into__isnull=False).exists()
    assert Fact.objects.filter(merged_into=None).count() == 2


@pytest.mark.django_db(transaction=True)
def test_merging_into_what_is_being_deleted_loses_nothing(session):
    first, second, third = stored(session)
    at_once(
        lambda: merged(session, "All.", [first, second, third]),
        lambda: facts.remove(Fact.objects.filter(pk=first.pk)),
    )
    left = Fact.objects.filter(pk__in=(second.pk, third.pk))
    assert left.count() == 2
    assert {fact.merged_into_id for fact in left} == {None}
