"""How long somebody who hands over waits: what to ask next rests on what was just said."""

import aiohttp
from pydantic import BaseModel

from interviews.protocols.knowledge_transfer.extraction import EXTRACT
from interviews.protocols.knowledge_transfer.tasks import (
    REPHRASE,
    RephraseInput,
    TransferExtractInput,
)
from tests.bench.asking import first_word, queue
from tests.bench.client import Heard, Participant
from tests.bench.figures import Figure, median
from tests.bench.processes import requests
from tests.readings import READ
from tests.transfers import make_transfer_bot

SLUG = "bench-transfer"
ROUNDS = 12
ANSWER = (
    "We took it over from the old workbook, and it has been right ever since: it covers the second "
    "shift, because somebody stays until ten and the press has to be cleaned in between."
)
THINGS = (
    "rush factor of 1.35",
    "correction of 0.985",
    "smallest order of 48 €",
    "second look from 5,000 €",
    "waste of 4 percent",
    "reserve of nine days",
    "ream of 500 sheets",
    "discount of C-031",
    "swap on Thursdays",
    "paper R-90-BLUE",
    "list on the board",
    "invoice of a framework agreement",
    "proof of a repeat order",
    "call after three days",
)
WAYS = ("Where does the {} come from?", "Who decides about the {}, and by what?")
HELD = READ | {"confidence": "high", "follow_up": None, "facts": [], "discovered_questions": []}
FACTS = ("The second shift is paid half as much again.", "The press is cleaned before rush orders.")


def prepare() -> None:
    """The bot, before the site begins."""
    questions = tuple(
        (f"q{number}", "P0", WAYS[number % 2].format(thing), "prices.xlsx")
        for number, thing in enumerate(THINGS)
    )
    make_transfer_bot(slug=SLUG, questions=questions, options={"rounds": ROUNDS})


async def measure(
    http: aiohttp.ClientSession, url: str, site: str, turns: int, reading: float
) -> list[Figure]:
    """Waits ÷ the one call whose words are said, the reading's fields included; calls a round."""
    times = range(max(2, turns // 2))
    one = reading + median([await _one_rephrasing(number) for number in times])
    following = median([await _one_reading(http, url, number) for number in times])
    held, calls = await _interview(http, url, site, turns, "held")
    changed, more = await _interview(http, url, site, turns // 2, "changed")
    probed, fewer = await _interview(http, url, site, turns // 2, "probed")
    return [
        _wait("knowledge transfer: wait ÷ one main call", held, one, "≤ 1.3"),
        _wait("the same where the selection takes another one than guessed", changed, one),
        _wait("the same for a follow-up", probed, following, "≤ 1.3"),
        Figure("model calls a round, knowledge transfer", calls / len(held), "calls"),
        Figure(
            "model calls a round in which another one is selected", more / len(changed), "calls"
        ),
        Figure("model calls a round with a follow-up", fewer / len(probed), "calls"),
    ]


def _wait(name: str, heard: list[Heard], one: float, aim: str = "") -> Figure:
    return Figure(name, median([h.first for h in heard]) / one, "x", aim)


async def _interview(
    http: aiohttp.ClientSession, url: str, site: str, turns: int, way: str
) -> tuple[list[Heard], int]:
    """So many rounds that go that way, and the calls that they took."""
    person, heard, calls = Participant(http, site), [], 0
    held = (ROUNDS - 2) // (2 if way == "probed" else 1)  # in one interview
    for number in range(turns):
        if number % held == 0:
            await person.start(SLUG)
        await queue(http, url, _extraction(number, way), "TransferExtraction")
        if way == "changed":  # the last one: the guess is the oldest where no word is shared
            await queue(
                http,
                url,
                {"id": f"q{len(THINGS) - 1 - number % (ROUNDS - 2)}"},
                "QuestionSelection",
            )
        before = await requests(http, url)
        heard.append(await person.say(ANSWER))
        calls += await requests(http, url) - before
        if way == "probed":  # the follow-up itself, which is not probed again
            await queue(http, url, {**HELD, "facts": list(FACTS)}, "TransferExtraction")
            await person.say(ANSWER)
    return heard, calls


def _extraction(number: int, way: str) -> dict[str, object]:
    if way != "probed":
        return {**HELD, "facts": list(FACTS)}
    follow_up = (
        f"You say it has been right ever since. When was that last put to the test, {number}?"
    )
    return {**HELD, "confidence": "medium", "follow_up": follow_up, "facts": list(FACTS)}


async def _one_reading(http: aiohttp.ClientSession, url: str, number: int) -> float:
    """Of an answer that leaves something open, until the first word of the follow-up."""
    await queue(http, url, _extraction(number, "probed"), "TransferExtraction")
    words = _words(TransferExtractInput) | {"answer": ANSWER, "round": 3, "may_follow_up": True}
    lists: dict[str, object] = {
        key: [] for key in ("sources", "backlog", "known", "before", "closed")
    }
    return await first_word(
        EXTRACT, TransferExtractInput.model_validate(words | lists), "follow_up"
    )


async def _one_rephrasing(number: int) -> float:
    question = WAYS[number % 2].format(THINGS[number % len(THINGS)])
    data = RephraseInput.model_validate(
        {
            **_words(RephraseInput),
            "language": "en",
            "answer": ANSWER,
            "question": question,
            "files": [],
            "sources": [],
            "history": [],
            "closed": [],
            "remaining": 5,
            "manner": "onward",
        }
    )
    return await first_word(REPHRASE, data, "text")


def _words(data: type[BaseModel]) -> dict[str, object]:
    """Something for each field that is a text."""
    return {name: "-" for name, info in data.model_fields.items() if info.annotation is str}
