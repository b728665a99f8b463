"""Facts in the admin, found, reworded, merged, deleted; the backlog on an interview's page."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse

from interviews.choices import SessionStatus
from interviews.exports.pseudonyms import pseudonym
from interviews.models import AccessRecord, Fact, Session
from interviews.protocols.knowledge_transfer import fact_changes as facts
from interviews.protocols.knowledge_transfer.fact_changes import MAX_MERGED
from tests.factories import SessionFactory, talk
from tests.interviews.transferred import ANSWER, ITEMS, add_fact, state_of, transferred
from tests.pages import markup
from tests.people import somebody

pytestmark = pytest.mark.django_db
LIST = "/admin/interviews/fact/"
NASTY = '<script>alert("x")</script><img src=x onerror=alert(1)>{{ 7|add:7 }}'


def page(fact: Fact) -> str:
    return reverse("admin:interviews_fact_change", args=[fact.pk])


def merging(*chosen: Fact) -> str:
    keys = ",".join(str(fact.pk) for fact in chosen)
    return f"{reverse('admin:interviews_fact_merge')}?facts={keys}"


def live(session: Session) -> str:
    return reverse("admin:interviews_session_backlog", args=[session.pk])


def text(response, status: int = 200) -> str:
    assert response.status_code == status
    return markup(response)


@pytest.fixture
def session() -> Session:
    """An interview with three facts."""
    return transferred(facts=3, participant__name="Cassiopeia")


@pytest.fixture
def fact(session) -> Fact:
    return session.facts.earliest("pk")


def saved(fact: Fact, words: str, **more: str) -> dict[str, str]:
    return {"do": "save", "text": words, "seen": facts.version([fact]), **more}


# -- the list


def listed(client, **query: str) -> set[str]:
    """Texts of the facts that the list shows."""
    shown = text(client.get(LIST, query))
    return {fact.text for fact in Fact.objects.all() if page(fact) in shown}


def test_an_empty_list_says_how_to_begin(admin_client):
    assert "leave facts here" in text(admin_client.get(LIST))


def test_the_list_shows_what_a_fact_is(admin_client, session, fact):
    shown = text(admin_client.get(LIST))
    for piece in (fact.text, "rush-factor", "Medium (0.6)", "Cassiopeia", "A handover"):
        assert piece in shown, piece


def test_search_goes_through_words_originals_and_questions(admin_client, session, fact):
    facts.write(fact.pk, "Das gilt für Übermaschinen.", facts.version([fact]), "ann")
    other = add_fact(session, "Another.", question="safety")
    assert listed(admin_client, q="übermaschinen") == {"Das gilt für Übermaschinen."}
    assert listed(admin_client, q="covers 1") == {"Das gilt für Übermaschinen."}
    assert listed(admin_client, q="SAFETY") == {other.text}
    assert listed(admin_client, q="nowhere") == set()


def test_filters(admin_client, session, fact):
    low = add_fact(session, "A guess.", confidence=0.3)
    other = transferred().facts.get()
    facts.write(fact.pk, "Edited.", facts.version([fact]), "ann")
    assert listed(admin_client, confidence="low") == {low.text}
    assert listed(admin_client, confidence="nonsense") == {f.text for f in Fact.objects.all()}
    assert listed(admin_client, edited="yes") == {"Edited."}
    assert "Edited." not in listed(admin_client, edited="no")
    assert listed(admin_client, interview=str(other.session_id)) == {other.text}
    assert listed(admin_client, interview="nonsense") == {f.text for f in Fact.objects.all()}
    assert listed(admin_client, session__bot__id__exact=str(other.session.bot_id)) == {other.text}


def test_filters_can_say_how_many_there_are(admin_client, session, fact):
    shown = text(admin_client.get(LIST, {"_facets": "True", "interview": str(session.pk)}))
    for counted in ("Medium (0.6) (3)", "As extracted (3)", "Merged into others (0)"):
        assert counted in shown, counted
    assert fact.text in shown


def test_merged_facts_show_when_they_are_asked_for(admin_client, session):
    first, second, third = rows = list(session.facts.order_by("pk"))
    facts.merge([row.pk for row in rows], first.text, facts.version(rows), "ann")
    assert listed(admin_client) == {first.text}
    assert listed(admin_client, merged="yes") == {second.text, third.text}
    assert len(listed(admin_client, merged="all")) == 3
    assert "merged" in text(admin_client.get(LIST))


def test_the_number_of_queries_stays_the_same(admin_client, django_assert_max_num_queries, session):
    text(admin_client.get(LIST))
    with django_assert_max_num_queries(100) as few:
        text(admin_client.get(LIST))
    for _ in range(4):
        transferred(bot=session.bot, facts=3)
    with django_assert_max_num_queries(len(few)):
        text(admin_client.get(LIST))


# -- the page of one


def test_the_page_says_what_a_later_fact_makes_of_it(admin_client, session, fact):
    told = {"position": 3, "question": "rush-factor", "confidence": 0.9, "source": "model"}
    state = session.state | {
        "facts": [
            {"text": "A", **told},
            {"text": "B", **told, "corrects": [1]},
            {"text": "C", **told, "contradicts": [2]},
        ]
    }
    Session.objects.filter(pk=session.pk).update(state=state)
    first, second, third = session.facts.order_by("number")
    assert "Corrected by fact 2" in text(admin_client.get(page(first)))
    assert "Contradicted by fact 3" in text(admin_client.get(page(second)))
    assert " by fact" not in text(admin_client.get(page(third)))


def test_the_page_shows_where_it_comes_from(admin_client, admin_user, session, fact):
    shown = text(admin_client.get(page(fact)))
    place = reverse("admin:interviews_session_change", args=[session.pk]) + "#e3"
    for piece in (fact.text, ANSWER, place, ITEMS[0].text, ITEMS[0].asked, "Medium (0.6)"):
        assert piece in shown, piece
    record = AccessRecord.objects.get()
    assert (record.user, record.session) == (admin_user, session.pk)
    assert record.what == "Read a fact."


def test_words_are_saved_with_their_editor_and_put_back(admin_client, fact):
    response = admin_client.post(page(fact), saved(fact, "Covers\r\nboth."), follow=True)
    shown = text(response)
    fact.refresh_from_db()
    assert fact.text == "Covers\nboth."
    for piece in ("Saved.", "by admin", fact.original, "Restore original"):
        assert piece in shown, piece
    back = {"do": "back", "seen": facts.version([fact])}
    assert "Restored the original" in text(admin_client.post(page(fact), back, follow=True))
    fact.refresh_from_db()
    assert (fact.text, fact.edited_by) == (fact.original, "")
    changes = LogEntry.objects.filter(object_id=str(fact.pk), change_message__contains="Saved")
    assert changes.count() == 1


def test_the_second_of_two_loses_nothing_and_may_insist(admin_client, fact):
    seen = saved(fact, "Mine.")
    facts.write(fact.pk, "Theirs.", facts.version([fact]), "bob")
    shown = text(admin_client.post(page(fact), seen), 409)
    for piece in ("bob has changed the words meanwhile.", "Mine.", "Theirs.", "Replace with yours"):
        assert piece in shown, piece
    fact.refresh_from_db()
    assert fact.text == "Theirs."
    assert facts.version([fact]) in shown  # what is sent next rests on what stands there now
    text(admin_client.post(page(fact), saved(fact, "Mine."), follow=True))
    fact.refresh_from_db()
    assert (fact.text, fact.edited_by) == ("Mine.", "admin")


@pytest.mark.parametrize("words", ["", "  ", "x" * (facts.MAX_LENGTH + 1)])
def test_words_that_are_not_fit_stay_in_the_field(admin_client, fact, words):
    shown = text(admin_client.post(page(fact), saved(fact, words)), 400)
    assert words.strip() in shown
    fact.refresh_from_db()
    assert fact.text == fact.original


def test_a_merged_one_leads_to_the_one_that_stands_for_it(admin_client, session):
    first, second, third = rows = list(session.facts.order_by("pk"))
    facts.merge([row.pk for row in rows], "For all.", facts.version(rows), "ann")
    shown = text(admin_client.get(page(second)))
    assert page(first) in shown
    assert "<textarea" not in shown
    second.refresh_from_db()
    late = text(admin_client.post(page(second), saved(second, "My new words.")), 409)
    assert "It is merged into another fact." in late
    assert "My new words." in late
    shown = text(admin_client.get(page(first)))
    assert page(second) in shown
    assert page(third) in shown
    done = text(admin_client.post(page(first), {"do": "apart"}, follow=True))
    assert "Merge undone: 2 facts restored." in done
    assert not Fact.objects.exclude(merged_into=None).exists()


def test_words_for_a_fact_that_is_deleted_meanwhile_are_given_back(admin_client, fact):
    sent = saved(fact, "My new words.")
    facts.remove(Fact.objects.filter(pk=fact.pk))
    shown = text(admin_client.post(page(fact), sent, follow=True))
    assert "Somebody has deleted this fact" in shown
    assert "My new words." in shown


def test_what_people_say_is_text(admin_client, session, fact):
    Fact.objects.filter(pk=fact.pk).update(text=NASTY, original=NASTY + "!", question=NASTY[:80])
    item = ITEMS[0].__class__(NASTY, NASTY, "P0", "DISCOVERED", NASTY, "OPEN", 1, NASTY, NASTY, 3)
    session.state = state_of(session, (item,))
    session.save()
    session.entries.filter(position=3).update(text=NASTY)
    other = session.facts.latest("pk")
    addresses = (LIST, page(fact), merging(fact, other), page(fact).replace("change", "delete"))
    interview = reverse("admin:interviews_session_change", args=[session.pk])
    for address in (*addresses, interview, live(session)):
        shown = text(admin_client.get(address))
        assert "&lt;script&gt;alert" in shown, address
        assert "<script>alert" not in shown, address
        assert "<img src=x" not in shown, address


# -- merging


def test_chosen_facts_become_one(admin_client, session):
    first, second, third = rows = list(session.facts.order_by("pk"))
    Fact.objects.filter(pk=third.pk).update(text="The longest of them, " * 3 + "all.")
    third.refresh_from_db()
    picked = {"action": "merge_selected", "_selected_action": [fact.pk for fact in rows]}
    response = admin_client.post(LIST, picked, follow=True)
    shown = text(response)
    assert shown.count(ANSWER) == 3
    assert f">{third.text}</textarea>" in shown
    address = response.redirect_chain[-1][0]
    sent = {"text": "The factor covers all machines.", "seen": facts.version([*rows[:2], third])}
    done = text(admin_client.post(address, sent, follow=True))
    assert "3 facts merged into one." in done
    first.refresh_from_db()
    assert (first.text, first.edited_by) == (sent["text"], "admin")
    assert set(first.merged.values_list("pk", flat=True)) == {second.pk, third.pk}


def test_what_cannot_be_merged_says_why(admin_client, session, fact):
    other = transferred().facts.get()
    many = [add_fact(session, f"Fact {i}.") for i in range(MAX_MERGED + 1)]
    for chosen, why in (
        ([fact], "at least two facts"),
        ([], "at least two facts"),
        ([fact, other], "different bots"),
        (many, "At most 50 facts"),
    ):
        shown = text(admin_client.get(merging(*chosen), follow=True))
        assert why in shown
    nonsense = merging() + "x,-1,²,9999999999999999999999"
    assert "at least two" in text(admin_client.get(nonsense, follow=True))


def test_a_merge_that_comes_too_late_keeps_the_words(admin_client, session):
    first, second, _third = rows = list(session.facts.order_by("pk"))
    sent = {"text": "My words.", "seen": facts.version(rows)}
    facts.write(second.pk, "Theirs.", facts.version([second]), "bob")
    shown = text(admin_client.post(merging(*rows), sent), 409)
    for piece in ("bob has changed the words meanwhile.", "My words.", "Theirs."):
        assert piece in shown, piece
    second.refresh_from_db()
    facts.merge([first.pk, second.pk], "Both.", facts.version([first, second]), "bob")
    shown = text(admin_client.post(merging(*rows), sent), 409)
    assert "already merged" in shown
    facts.remove(Fact.objects.all())
    assert "My words." in text(admin_client.post(merging(*rows), sent), 409)


def test_merging_words_that_are_not_fit(admin_client, session):
    rows = list(session.facts.order_by("pk"))
    sent = {"text": " ", "seen": facts.version(rows)}
    assert "This field is required" in text(admin_client.post(merging(*rows), sent), 400)
    assert not Fact.objects.exclude(merged_into=None).exists()


# -- deleting


def test_a_wrong_fact_goes_and_what_was_merged_into_it_comes_back(admin_client, session):
    first, second, third = rows = list(session.facts.order_by("pk"))
    facts.merge([row.pk for row in rows], "For all.", facts.version(rows), "ann")
    address = reverse("admin:interviews_fact_delete", args=[first.pk])
    asked = text(admin_client.get(address))
    assert "What was merged into it comes back (2)" in asked
    admin_client.post(address, {"post": "yes"})
    assert set(Fact.objects.values_list("pk", "merged_into")) == {
        (second.pk, None),
        (third.pk, None),
    }
    picked = {"action": "delete_selected", "_selected_action": [second.pk], "post": "yes"}
    admin_client.post(LIST, picked)
    assert list(Fact.objects.all()) == [third]
    assert session.entries.count() == 4


def test_the_log_of_changes_keeps_no_words(admin_client, session, fact):
    admin_client.post(page(fact), saved(fact, "Cassowaries sign for it."))
    rows = list(session.facts.order_by("pk"))
    seen = facts.version(rows[1:])
    admin_client.post(merging(*rows[1:]), {"text": "Cassowaries pay.", "seen": seen})
    for row in rows:
        delete = reverse("admin:interviews_fact_delete", args=[row.pk])
        admin_client.post(delete, {"post": "yes"})
    entries = list(LogEntry.objects.all())
    assert len(entries) == 5
    assert {one.object_repr for one in entries} == {
        f"Fact {number} of interview {str(session.pk)[:8]}" for number in (1, 2, 3)
    }


# -- rights


def test_who_may_only_look(client, session, fact):
    somebody(client, "view_fact")
    rows = list(session.facts.all())
    shown = text(client.get(page(fact)))
    assert fact.text in shown
    for hidden in (ANSWER, ITEMS[0].asked, "Cassiopeia", "<textarea", "Delete", "#e3"):
        assert hidden not in shown, hidden
    assert pseudonym(session.participant_id) in shown
    assert pseudonym(session.participant_id) in text(client.get(LIST))
    assert client.post(page(fact), saved(fact, "Other.")).status_code == 403
    assert client.post(page(fact), {"do": "apart"}).status_code == 403
    assert client.get(merging(*rows)).status_code == 403
    sent = {"text": "One.", "seen": facts.version(rows)}
    assert client.post(merging(*rows), sent).status_code == 403
    for action in ("merge_selected", "delete_selected"):
        picked = {"action": action, "_selected_action": [f.pk for f in rows], "post": "yes"}
        client.post(LIST, picked)
    delete = reverse("admin:interviews_fact_delete", args=[fact.pk])
    assert client.post(delete, {"post": "yes"}).status_code == 403
    assert Fact.objects.filter(merged_into=None, edited_at=None).count() == 3


def test_without_the_right_nothing_is_shown(client, session, fact):
    somebody(client, "view_bot")
    addresses = (LIST, page(fact), merging(fact), live(session))
    for address in addresses:
        assert client.get(address).status_code == 403
    assert not AccessRecord.objects.exists()
    client.logout()
    for address in addresses:
        assert client.get(address).status_code == 302


def test_nobody_adds_a_fact_by_hand(admin_client):
    assert admin_client.get(reverse("admin:interviews_fact_add")).status_code == 404
    assert admin_client.post(reverse("admin:interviews_fact_add"), {}).status_code == 302
    assert not Fact.objects.exists()
    assert admin_client.get(f"{LIST}999/change/").status_code == 404


def test_facts_stand_in_the_navigation_for_who_may_see_them(client, admin_client):
    assert f'href="{LIST}"' in text(admin_client.get("/admin/"))
    somebody(client, "view_session")
    assert f'href="{LIST}"' not in text(client.get("/admin/"))


# -- the backlog on the interview's page


def interview(client, session: Session) -> str:
    return text(client.get(reverse("admin:interviews_session_change", args=[session.pk])))


def test_the_backlog_stands_on_the_page(admin_client, session):
    session.status = SessionStatus.WAITING_ANSWER
    session.save()
    shown = interview(admin_client, session)
    for item in ITEMS:
        assert f'data-question="{item.id}"' in shown
    for piece in (
        "<b>3</b> open",
        "<b>1</b> answered",
        "<b>1</b> skipped",
        "<b>1</b> not asked (P2)",
        "Asked now",
        "Medium (0.6)",
        "raised in the answer to",
        "All 3 facts",
        f"?interview={session.pk}",
        live(session),
        'href="#e3"',
    ):
        assert piece in shown, piece
    assert shown.index('"followup-1"') < shown.index('"safety"')  # right after its parent
    assert shown.count("backlog-under") == 1


def test_only_interviews_with_a_backlog_have_that_part(admin_client):
    assert 'aria-label="Backlog"' not in interview(admin_client, talk(SessionFactory(), ["one"]))


def test_it_follows_the_interview_and_stops_when_that_is_over(admin_client, session):
    session.status, session.sequence = SessionStatus.WAITING_ANSWER, 7
    session.save()
    assert admin_client.get(live(session), {"seen": "7"}).status_code == 204
    news = text(admin_client.get(live(session), {"seen": "6"}))
    assert "seen=7" in news
    assert "every 3s" in news
    for part in ("backlog-counts", "backlog-rows", "backlog-facts", "talk-badges"):
        assert f'id="{part}"' in news
    assert "?upto=4#e3" in news  # the page doesn't have that place yet
    Session.objects.filter(pk=session.pk).update(status=SessionStatus.COMPLETED, sequence=8)
    news = text(admin_client.get(live(session), {"seen": "7"}))
    assert "The interview has ended." in news
    assert "every 3s" not in news
    assert "Asked now" not in news


def test_an_interview_without_a_backlog_has_no_news(admin_client):
    plain = talk(SessionFactory(), ["one"])
    assert admin_client.get(live(plain), {"seen": "x"}).status_code == 204


def test_facts_beside_it_take_their_right(client, session, fact):
    user = somebody(client, "view_session")
    shown = interview(client, session)
    assert "backlog-rows" in shown
    assert fact.text not in shown
    assert f"?interview={session.pk}" not in shown
    user.user_permissions.add(Permission.objects.get(codename="view_fact"))
    assert fact.text in interview(client, session)


def test_looking_at_the_backlog_takes_a_fixed_number_of_queries(
    admin_client, session, django_assert_max_num_queries
):
    text(admin_client.get(live(session)))
    with django_assert_max_num_queries(30) as few:
        text(admin_client.get(live(session)))
    for i in range(20):
        add_fact(session, f"More {i}.")
    with django_assert_max_num_queries(len(few)):
        text(admin_client.get(live(session)))
