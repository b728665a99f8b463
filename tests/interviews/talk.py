"""Interviews led through the one door, for tests."""

from dataclasses import dataclass
from uuid import UUID

from django.test import AsyncClient

from interviews.models import Session, TranscriptEntry, Turn
from interviews.security.access import PARTICIPANT_COOKIE
from interviews.turns import actions
from interviews.turns.replay import first_difference
from interviews.turns.session_start import StartRequest
from llm.concurrency.threads import in_database


@dataclass
class Talk:
    """One interview under way."""

    session_id: UUID
    token: str = ""
    cookie: str = ""
    count: int = 0

    async def say(self, text: str, trigger: str = "user_answer", message_id: str = "") -> str:
        """Sends an answer, waits for the reply, and gives its text."""
        self.count += 1
        session = await actions.fresh(self.session_id)
        turn = await actions.receive(session, text, message_id or f"m{self.count}", trigger)
        assert await actions.finished(turn, 25)
        return await in_database(reply_text, turn)

    def browser(self) -> AsyncClient:
        """One with the participant's cookie."""
        client = AsyncClient()
        client.cookies[PARTICIPANT_COOKIE] = self.cookie
        return client

    async def session(self) -> Session:
        """The session as it stands."""
        return await actions.fresh(self.session_id)

    async def entries(self) -> list[TranscriptEntry]:
        """The transcript."""
        return await in_database(
            lambda: list(TranscriptEntry.objects.filter(session=self.session_id))
        )

    async def turns(self) -> list[Turn]:
        """The turns."""
        return await in_database(lambda: list(Turn.objects.filter(session=self.session_id)))


def reply_text(turn_id: int) -> str:
    """What the interviewer said in a turn."""
    rows = TranscriptEntry.objects.filter(turn=turn_id, role="interviewer").order_by("position")
    return "\n\n".join(rows.values_list("text", flat=True))


async def begin(bot=None, **wish) -> Talk:
    """A new interview."""
    who = {name: wish.pop(name) for name in ("participant", "address") if name in wish}
    asked = StartRequest(bot.slug if bot else None, wish.pop("name", "Ann"), **wish)
    started = await actions.start(asked, **who)
    return Talk(started.session_id, started.token, started.cookie)


async def through(talk: Talk, *answers: str) -> list[str]:
    """The replies to the answers, as long as the interview goes on."""
    return [await talk.say(answer) for answer in answers if (await talk.session()).is_active]


async def same_again(talk: Talk) -> str:
    """What comes out differently when the turns are made again; empty if nothing does."""
    return await in_database(first_difference, await talk.session())


async def in_confidence(talk: Talk) -> None:
    """What comes next is sealed, as contact data are."""
    session = await talk.session()
    session.state = {**session.state, "sealed": True}
    await session.asave(update_fields=["state"])
