"""Interviews led over the API until they end, and whether each is complete."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.load.respondents import answers
from tests.services.client import ENDED, Client, Event, Talk, connections

MOST_ANSWERS = 200
MOST_TRIES = 20  # of one answer


@dataclass
class Played:
    """One interview: what was sent, what is stored, how long the first words took."""

    temperament: str
    session_id: str
    sent: list[str]
    status: str
    entries: list[dict[str, Any]]
    waits: list[float] = field(default_factory=list)  # seconds to the first words

    def problems(self) -> list[str]:
        """What is lost, doubled or out of order; nothing, if it is complete."""
        said = [e["text"] for e in self.entries if e["role"] == "participant"]
        positions = [entry["position"] for entry in self.entries]
        opening, *replies = self._interviewers_words()
        found = {
            f"ended {self.status}": self.status != "COMPLETED",
            "positions have gaps": positions != list(range(1, len(positions) + 1)),
            "answers are not as sent": said != self.sent,
            f"begins with {opening}": opening != ["intro", "scripted_question"],
            f"not one reply to each answer: {replies}": any(len(reply) != 1 for reply in replies),
        }
        return [problem for problem, is_so in found.items() if is_so]

    def _interviewers_words(self) -> list[list[str]]:
        """The kinds of what was said before, between and after the answers, bridges left out."""
        runs: list[list[str]] = [[]]
        for entry in self.entries:
            if entry["role"] == "participant":
                runs.append([])
            elif entry["kind"] != "transition":
                runs[-1].append(entry["kind"])
        return runs


async def play(url: str, count: int, bot: str, seed: int = 1) -> list[Played]:
    """So many interviews at once."""
    async with connections() as http:
        client = Client(http, url)
        return await asyncio.gather(*(_one(client, number, bot, seed) for number in range(count)))


async def _one(client: Client, number: int, bot: str, seed: int) -> Played:
    temperament, given = answers(number, seed)
    talk = await client.start(bot, name=f"{temperament} {number}")
    sent, waits, status = await _answered(talk, given)
    return Played(temperament, talk.session_id, sent, status, await talk.entries(), waits)


async def _answered(talk: Talk, given: Iterator[str]) -> tuple[list[str], list[float], str]:
    sent: list[str] = []
    waits: list[float] = []
    status = "WAITING_ANSWER"
    while status not in ENDED and len(sent) < MOST_ANSWERS:
        sent.append(next(given))
        status = await _until_replied(talk, sent[-1], f"m{len(sent)}", waits)
    return sent, waits, status


async def _until_replied(talk: Talk, text: str, key: str, waits: list[float]) -> str:
    """The same answer with the same id until its reply is there; the status it leaves."""
    began, first = time.monotonic(), 0.0
    for _ in range(MOST_TRIES):
        async with talk.streaming(text, key) as events:
            async for event in events:
                first = first or _elapsed_at_words(event, began)
                if event.name == "done" and event.data["message"]:
                    waits.append(first)
                    return str(event.data["status"])
        await asyncio.sleep(0.2)
    raise AssertionError(f"no reply to {key}")


def _elapsed_at_words(event: Event, began: float) -> float:
    has_words = event.name in ("delta", "replace") or (
        event.name == "done" and event.data["message"]
    )
    return time.monotonic() - began if has_words else 0.0
