"""How long a respondent of a laddering interview waits: the question is begun while the answer is
still being read, for what its first concept leads to, and shown once all of it is read."""

import aiohttp
from pydantic import BaseModel

from interviews.protocols.laddering.tasks import QUESTION, LadderingQuestionInput
from plans.models import Bot, LadderConcept, LadderMethodology
from plans.protocols.laddering.schema.shipped import CONCEPTS, METHODOLOGIES
from tests.bench.asking import first_word, queue
from tests.bench.client import Heard, Participant
from tests.bench.figures import Figure, median
from tests.bench.processes import requests

SLUG = "bench-ladder"
ANSWERS = (
    "The light is warm and low, because that lets me read for longer, so that I am calm at night.",
    "It has no cable, which means I can take it to the balcony, and that makes me feel free there.",
    "The price was fair, since money is short with us, so that I have one worry less at night.",
    "It dims by itself, which means I fall asleep over the book, and that is how I was as a child.",
)

SHALLOW = {"depth": "shallow", "sentiment": "neutral", "topics": []}


def prepare() -> None:
    """The bot, before the site begins."""
    concept, methodology = "reading_lamp", "means_end_chain"
    Bot.objects.create(
        slug=SLUG,
        title="A ladder",
        status="live",
        protocol="laddering",
        host="Testers",
        contact="ask@example.org",
        options={"turns": 36},
        concept=LadderConcept.objects.get_or_create(
            key=concept,
            defaults={"name": concept, "source": (CONCEPTS / f"{concept}.yaml").read_text("utf-8")},
        )[0],
        methodology=LadderMethodology.objects.get_or_create(
            key=methodology,
            defaults={
                "name": methodology,
                "source": (METHODOLOGIES / f"{methodology}.yaml").read_text("utf-8"),
            },
        )[0],
    )


async def measure(
    http: aiohttp.ClientSession, url: str, site: str, turns: int, reading: float
) -> list[Figure]:
    """Waits ÷ one question without a site around it, its reading included, and calls a turn."""
    one = reading + median([await _one_question() for _ in range(max(2, turns // 2))])
    held, calls = await _interview(http, url, site, turns)
    missed, more = await _interview(http, url, site, turns, SHALLOW)
    return [
        _wait("laddering: wait ÷ one main call", held, one),
        _wait("the same where a model finds the answer shallow, and rules deep", missed, one),
        Figure("model calls a turn, laddering", calls / len(held), "calls"),
        Figure("the same where rules and model differ", more / len(missed), "calls"),
    ]


def _wait(name: str, heard: list[Heard], one: float) -> Figure:
    return Figure(name, median([h.first for h in heard]) / one, "x", "≤ 2.1")


async def _interview(
    http: aiohttp.ClientSession, url: str, site: str, turns: int, read: object = None
) -> tuple[list[Heard], int]:
    """So many turns, in which each answer is read so, and the calls that they took."""
    person, heard, calls = Participant(http, site), [], 0
    for number in range(turns):
        if number % len(ANSWERS) == 0:  # nobody tells the same twice
            await person.start(SLUG)
        if read:
            await queue(http, url, read, "AnswerSignalsResult")
        before = await requests(http, url)
        heard.append(await person.say(f"In week {number}: {ANSWERS[number % len(ANSWERS)]}"))
        calls += await requests(http, url) - before
    return heard, calls


async def _one_question() -> float:
    words = {
        name: "-" for name, info in LadderingQuestionInput.model_fields.items() if _is_text(info)
    }
    lists = {
        name: [] for name in LadderingQuestionInput.model_fields if name not in (*words, "manner")
    }
    data: BaseModel = LadderingQuestionInput.model_validate({**words, **lists, "manner": "onward"})
    return await first_word(QUESTION, data, "text")


def _is_text(info: object) -> bool:
    return getattr(info, "annotation", None) is str
