"""An invitation's link: what it opens, to whom, and for how long."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import AsyncClient
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import AccessKey, Invitation, InvitationKey, Session
from interviews.recruitment.invitations.changes import delete, extend, invite, revoke
from interviews.recruitment.invitations.letters import NEVER_AGAIN
from interviews.recruitment.invitations.people_file import Invitee
from interviews.recruitment.invitations.redeem import new_path
from interviews.recruitment.invitations.states import InvitationState, with_state
from interviews.security import access
from interviews.turns import actions
from llm.concurrency.threads import in_database
from plans.models import Bot, BotText
from tests.conftest import make_bot
from tests.interviews.talk import Talk
from tests.queries import counted

pytestmark = pytest.mark.django_db(transaction=True)
PERSON = Invitee(
    name="Ines Duarte", email="ines@example.org", reference="R-1", params={"wave": "2"}
)
OWN = {"Origin": "http://testserver"}
ANSWER = "We had a boat house with a green door, and it smelled of tar."


async def invited(bot, person: Invitee = PERSON, **more) -> tuple[Invitation, str]:
    """An invitation and its link."""
    made = (await in_database(invite, bot, [person], **more))[0]
    return made, await in_database(new_path, made)


async def entering(client: AsyncClient, link: str, key: str = ""):
    """What the page's script does with a link."""
    path, _, secret = link.partition("#key=")
    return await client.post(f"{path}enter/", {"key": key or secret})


async def began(client: AsyncClient, bot) -> Session:
    """The start page's form."""
    begun = await client.post(f"/i/{bot.slug}/", {"name": "Ines"})
    assert begun.status_code == 303, begun.content.decode()
    return await Session.objects.select_related("invitation").aget(
        pk=begun["Location"].split("/")[2]
    )


def over(**changes) -> None:
    Invitation.objects.update(**changes)


async def state() -> str:
    rows = with_state(Invitation.objects.all(), timezone.now())
    return (await rows.aget()).state


# -- opening it


async def test_a_link_opens_the_start_page_and_then_the_interview(bot):
    invitation, link = await invited(bot, Invitee(language="en", params={"wave": "2"}))
    client = AsyncClient()
    entered = await entering(client, link)
    assert (entered.status_code, entered["Location"]) == (303, f"/i/{bot.slug}/?language=en")
    assert client.cookies[access.PARTICIPANT_COOKIE]["httponly"]
    assert await state() == InvitationState.OPENED
    session = await began(client, bot)
    assert session.invitation == invitation
    assert session.participant_id == invitation.participant_id
    assert session.params == {"wave": "2"}
    assert await state() == InvitationState.BEGUN
    again = await entering(client, link)
    assert again["Location"] == f"/s/{session.pk}/"


async def test_what_the_invitation_says_can_not_be_overruled_by_the_address(bot):
    _, link = await invited(bot)
    client = AsyncClient()
    await entering(client, link)
    begun = await client.post(f"/i/{bot.slug}/?wave=9&from=home", {"name": "Ines"})
    session = await Session.objects.aget(pk=begun["Location"].split("/")[2])
    assert session.params == {"wave": "2", "from": "home"}


async def test_asking_for_the_page_uses_nothing_up_and_tells_nothing(bot):
    _, link = await invited(bot, expires=timezone.now() + timedelta(hours=1))
    path, nowhere = link.partition("#")[0], f"/join/{uuid4()}/"
    seen = set()
    with counted() as queries:
        for address in [path] * 10 + [nowhere]:
            page = await AsyncClient().get(address)
            seen.add((page.status_code, page["Cache-Control"], page["Referrer-Policy"]))
            seen.add(page.content)
        assert not queries
    await in_database(over, revoked_at=timezone.now())
    seen.add((await AsyncClient().get(path)).content)
    assert len(seen) == 2
    assert (200, "no-store", "no-referrer") in seen
    assert b"If you have questions, ask the people who gave you the link." in page.content
    await in_database(over, revoked_at=None)
    assert await state() == InvitationState.NOT_SENT
    assert (await entering(AsyncClient(), link)).status_code == 303


async def test_without_its_own_secret_all_look_alike(bot):
    live, _ = await invited(bot)
    other = await in_database(make_bot)
    _, foreign = await invited(other, Invitee())
    expired, _ = await invited(bot, Invitee(), expires=timezone.now() - timedelta(hours=1))
    revoked, _ = await invited(bot, Invitee())
    await in_database(revoke, Invitation.objects.filter(pk=revoked.pk))
    secret = foreign.partition("#key=")[2]
    wrong = (secret, "", "a" * 22, "\0", "x" * 5000)
    seen, counts = set(), set()
    for target in (live.pk, expired.pk, revoked.pk, uuid4()):
        for key in wrong:
            with counted() as queries:
                page = await AsyncClient().post(f"/join/{target}/enter/", {"key": key})
            seen.add((page.status_code, page["Cache-Control"], page.content))
            counts.add(len(queries))
            assert not page.cookies
    assert len(seen) == len(counts) == 1
    assert next(iter(seen))[0] == 404


async def test_only_hashes_are_stored_and_every_link_goes_on_working(bot):
    invitation, first = await invited(bot)
    second = await in_database(new_path, invitation)
    secret = first.partition("#key=")[2]
    assert len(secret) == 22
    assert first != second
    stored = [key.digest async for key in InvitationKey.objects.all()]
    assert secret not in stored
    assert access.digest(secret) in stored
    for link in (first, second):
        assert (await entering(AsyncClient(), link)).status_code == 303


async def test_a_page_of_another_site_opens_nothing(bot):
    _, link = await invited(bot)
    path, _, secret = link.partition("#key=")
    page = await AsyncClient().post(
        f"{path}enter/", {"key": secret}, headers={"Origin": "https://elsewhere.example"}
    )
    assert page.status_code == 404
    assert await state() == InvitationState.NOT_SENT


async def test_a_pasted_link_does_the_same_without_a_script(bot):
    _, link = await invited(bot)
    client = AsyncClient()
    page = await client.post("/s/enter/", {"link": f"  <https://there.example{link}> "[3:-2]})
    assert page.status_code == 303
    assert page["Location"] == f"/i/{bot.slug}/"
    wrong = await AsyncClient().post("/s/enter/", {"link": link[:-3]})
    assert wrong.status_code == 404


# -- policies


async def test_another_browser_goes_on_with_the_same_interview(bot):
    _, link = await invited(bot)
    desk, phone = AsyncClient(), AsyncClient()
    await entering(desk, link)
    session = await began(desk, bot)
    entered = await entering(phone, link)
    assert entered["Location"] == f"/s/{session.pk}/"
    assert (await phone.get(f"/s/{session.pk}/")).status_code == 200
    assert (await desk.get(f"/s/{session.pk}/")).status_code == 200
    assert await Session.objects.acount() == 1


async def test_where_links_are_not_shared_another_browser_is_refused(bot):
    bot.invitation_reuse = "refuse"
    await bot.asave()
    _, link = await invited(bot)
    preview, desk, phone = AsyncClient(), AsyncClient(), AsyncClient()
    await entering(preview, link)  # such as a program that looks at links in letters
    assert (await entering(desk, link)).status_code == 303
    session = await began(desk, bot)
    refused = await entering(phone, link)
    assert refused.status_code == 409
    assert "open in another browser" in refused.content.decode()
    assert access.PARTICIPANT_COOKIE not in phone.cookies
    assert (await preview.get(f"/s/{session.pk}/")).status_code == 404
    assert (await entering(desk, link))["Location"] == f"/s/{session.pk}/"
    assert await AccessKey.objects.filter(session=None).acount() == 1


async def test_after_the_end_there_are_thanks_and_no_second_interview(bot):
    _, link = await invited(bot)
    client, elsewhere = AsyncClient(), AsyncClient()
    await entering(client, link)
    session = await began(client, bot)
    await actions.end(session, "e1")
    assert await state() == InvitationState.FINISHED
    assert (await entering(elsewhere, link))["Location"] == f"/s/{session.pk}/"
    second = await elsewhere.post(f"/i/{bot.slug}/", {"name": "Ines"})
    assert second.status_code == 409
    assert await Session.objects.acount() == 1
    await in_database(over, expires_at=timezone.now())
    assert (await entering(elsewhere, link))["Location"] == f"/s/{session.pk}/"
    await in_database(over, revoked_at=timezone.now())
    assert (await entering(AsyncClient(), link)).status_code == 409


async def test_by_invitation_only_holds_on_page_and_api(bot):
    bot.invited_only = True
    await bot.asave()
    stranger = AsyncClient()
    page = await stranger.post(f"/i/{bot.slug}/", {"name": "Nobody"})
    assert page.status_code == 403
    assert "by invitation only" in page.content.decode()
    told = {"bot": bot.slug, "participant_name": "Nobody"}
    api = await stranger.post("/api/chat/start", told, content_type="application/json")
    assert (api.status_code, api.json()["error"]) == (403, "by_invitation")
    assert await Session.objects.acount() == 0
    _, link = await invited(bot)
    await entering(stranger, link)
    api = await stranger.post("/api/chat/start", told, "application/json", headers=OWN)
    assert api.status_code == 200


async def test_an_invitation_to_one_bot_opens_no_other(bot):
    other = await in_database(make_bot, invited_only=True)
    _, link = await invited(bot)
    client = AsyncClient()
    await entering(client, link)
    assert (await client.post(f"/i/{other.slug}/", {"name": "Ines"})).status_code == 403


# -- when it is over


@pytest.mark.parametrize("how", ["expired", "revoked"])
async def test_who_has_the_secret_is_told_that_it_is_over(bot, how):
    _, link = await invited(bot)
    ends = {"expired": "expires_at", "revoked": "revoked_at"}
    await in_database(over, **{ends[how]: timezone.now()})
    page = await entering(AsyncClient(), link)
    assert page.status_code == 409
    assert "This invitation is no longer valid" in page.content.decode()
    assert bot.title in page.content.decode()
    assert not page.cookies
    assert await state() == how


async def test_an_interview_that_has_begun_is_finished_after_its_invitation_expired(bot):
    _, link = await invited(bot)
    client = AsyncClient()
    await entering(client, link)
    session = await began(client, bot)
    await in_database(over, expires_at=timezone.now())
    assert await state() == InvitationState.BEGUN
    assert (await entering(AsyncClient(), link))["Location"] == f"/s/{session.pk}/"
    talk = Talk(session.pk)
    await talk.say(ANSWER, message_id="m1")
    assert ANSWER in [entry.text for entry in await talk.entries()]


async def test_no_answer_is_taken_once_it_is_revoked(bot):
    _, link = await invited(bot)
    client = AsyncClient()
    await entering(client, link)
    session = await began(client, bot)
    talk = Talk(session.pk)
    await talk.say(ANSWER, message_id="m1")
    said = len(await talk.entries())
    await in_database(over, revoked_at=timezone.now())
    form = {"text": "And one thing more.", "message_id": "m2"}
    for headers in ({"HX-Request": "true"}, {}):
        page = await client.post(f"/s/{session.pk}/answer/", form, headers=headers)
        assert page.status_code == 409
        assert "Your invitation is no longer valid" in page.content.decode()
    assert "And one thing more." in page.content.decode()
    skipped = await client.post(f"/s/{session.pk}/skip/", {"message_id": "m3"})
    assert skipped.status_code == 409
    told = {"session_id": str(session.pk), "answer": "More.", "message_id": "m4"}
    for accept in ("application/json", "text/event-stream"):
        api = await client.post(
            "/api/chat", told, content_type="application/json", headers=OWN | {"Accept": accept}
        )
        body = api.content if not api.streaming else b"".join([part async for part in api])
        assert b"invitation_over" in body
    assert len(await talk.entries()) == said
    earlier = await actions.receive(await talk.session(), ANSWER, "m1")
    assert earlier == (await talk.turns())[1].pk
    again = await client.post(f"/i/{bot.slug}/", {"name": "Ines"})
    assert again.status_code == 409
    await actions.end(await talk.session(), "e1")
    assert (await talk.session()).status == SessionStatus.STOPPED


async def test_who_had_a_deleted_one_is_not_told_of_a_new_interview(bot):
    client = AsyncClient()
    await entering(client, (await invited(bot))[1])
    session = await began(client, bot)
    await in_database(delete, Invitation.objects.all())
    page = (await client.get(f"/s/{session.pk}/")).content.decode()
    assert "This interview is closed" in page
    assert "Your answers are saved." in page
    assert "You’ve started a new one" not in page
    assert "Go to the new interview" not in page


async def test_extending_lets_people_go_on(bot):
    _, link = await invited(bot, expires=timezone.now() - timedelta(hours=1))
    client = AsyncClient()
    assert (await entering(client, link)).status_code == 409
    until = timezone.now() + timedelta(days=1)
    assert await in_database(extend, Invitation.objects.all(), until) == 1
    assert (await entering(client, link)).status_code == 303
    await in_database(revoke, Invitation.objects.all())
    assert await in_database(extend, Invitation.objects.all(), until) == 0
    assert (await entering(client, link)).status_code == 409


async def test_who_declines_is_not_written_to_again_and_may_change_their_mind(bot):
    await BotText.objects.acreate(bot=bot, language="en", consent="What you write is kept.")
    _, link = await invited(bot)
    client = AsyncClient()
    await entering(client, link)
    declined = await client.post(f"/i/{bot.slug}/", {"decision": "declined"})
    assert declined.status_code == 303
    assert (await Invitation.objects.aget()).reminders == NEVER_AGAIN
    assert await state() == InvitationState.OPENED
    assert (await entering(AsyncClient(), link)).status_code == 303


SHUT = ({"quota": 0}, {"status": "closed"}, {"opens_at": timezone.now() + timedelta(days=1)})


@pytest.mark.parametrize("shut", SHUT, ids=["full", "closed", "early"])
async def test_a_no_is_heeded_where_nobody_may_begin(bot, shut):
    await BotText.objects.acreate(bot=bot, language="en", consent="It is kept for a year.")
    _, link = await invited(bot)
    client = AsyncClient()
    await entering(client, link)
    await Bot.objects.filter(pk=bot.pk).aupdate(**shut)
    no = 'name="decision" value="declined"'
    assert no in (await client.get(f"/i/{bot.slug}/")).content.decode()
    assert no not in (await AsyncClient().get(f"/i/{bot.slug}/")).content.decode()
    declined = await client.post(f"/i/{bot.slug}/", {"decision": "declined"})
    assert (declined.status_code, "/declined/" in declined["Location"]) == (303, True)
    assert (await Invitation.objects.aget()).reminders == NEVER_AGAIN
    refused = await client.post(f"/i/{bot.slug}/", {"decision": "agreed"})
    assert refused.status_code == 403
    uninvited = await AsyncClient().post(f"/i/{bot.slug}/", {"decision": "declined"})
    assert uninvited.status_code == 403
    assert not await Session.objects.aexists()


async def test_others_are_asked_nothing_more_at_an_answer(bot):
    """Who came without an invitation costs no query for one."""
    client = AsyncClient()
    session = await began(client, bot)
    with counted() as queries:
        await Talk(session.pk).say(ANSWER)
    assert not [one for one in queries if '"interviews_invitation"' in one]
