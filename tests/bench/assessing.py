"""How long a candidate waits: the question depends on what the observer makes of the answer."""

import aiohttp

from interviews.protocols.technical_assessment.tasks import QUESTION, AssessmentQuestionInput
from tests.assessments import make_assessment_bot
from tests.bench.asking import first_word, queue
from tests.bench.client import Heard, Participant
from tests.bench.figures import Figure, median
from tests.bench.processes import requests
from tests.readings import READ

SLUG = "bench-assessment"
ANSWER = (
    "I would keep the queue short and put a limit on it, since a long queue only hides that the "
    "workers are too slow; when it is full, callers get an error at once and can come back later."
)
ANALYSIS = {
    **READ,
    "action": "increase",
    "suggested_topic": "",
    "status": "confirmed",
    "hallucination": False,
    "scores": {"correctness": 0.8, "confidence": 0.7},
    "notes": "Names the limit and why it is there, and what callers are told when it is reached.",
    "correct_answer": "",
}
SUGGESTED = ("", "Databases", "", "Python")  # by turns; the interview begins with Python
WHY = "The last answer held, so the next one goes a step further within the same topic."
QUESTIONS = (
    "How would you find out which query makes a page slow?",
    "When does an index make writing more expensive than it is worth?",
    "What happens to messages in flight while a consumer restarts?",
    "How do you keep two workers from sending the same invoice?",
    "Which signs tell you that a cache serves stale prices?",
    "How would you roll out a column that must not be empty?",
    "What do you log when a payment provider times out?",
    "How do you test code that depends on the clock?",
    "Where would you put a limit against clients that retry too eagerly?",
    "How do you decide that a service should be split?",
)


def prepare() -> None:
    """The bot, before the site begins."""
    make_assessment_bot(slug=SLUG, options={"max_turns": len(QUESTIONS) + 1})


async def measure(
    http: aiohttp.ClientSession, url: str, site: str, turns: int, reading: float
) -> list[Figure]:
    """Waits ÷ one question without a site around it, its reading included, and calls a turn."""
    one = [await _one_question(http, url, i) for i in range(max(2, turns // 2))]
    before = await requests(http, url)
    heard = await _interview(http, url, site, turns)
    calls = await requests(http, url) - before
    kept, led = (
        median([h.first for h in found]) / (median(one) + reading)
        for found in (heard[::2], heard[1::2])
    )
    return [
        Figure("technical assessment: wait ÷ one main call", kept, "x", "≤ 2.1"),
        Figure("the same where the observer suggests a topic", led, "x", "≤ 2.1"),
        Figure("model calls a turn, technical assessment", calls / len(heard), "calls"),
    ]


async def _interview(http: aiohttp.ClientSession, url: str, site: str, turns: int) -> list[Heard]:
    """Turns in which the topic is kept, and turns in which another is suggested, by turns."""
    person, heard = Participant(http, site), []
    for number in range(turns):
        if number % len(QUESTIONS) == 0:
            await person.start(SLUG)
        topic = SUGGESTED[number % len(QUESTIONS) % len(SUGGESTED)]
        await queue(http, url, {**ANALYSIS, "suggested_topic": topic}, "ObserverAnalysis")
        for _ in range(1 + bool(topic)):  # the first one asked for is dropped, its reply with it
            await queue(http, url, _question(number), "QuestionResponse")
        heard.append(await person.say(ANSWER))
    return heard


async def _one_question(http: aiohttp.ClientSession, url: str, number: int) -> float:
    await queue(http, url, _question(number), "QuestionResponse")
    data = AssessmentQuestionInput(
        persona="A calm interviewer.",
        language="en",
        position="Backend developer",
        grade="Middle",
        experience="",
        topic="Queues",
        focus="",
        level=3,
        action="increase",
        planned="",
        left=5,
        last="",
        closed=[],
        history=[],
        asked=[],
        refused=[],
        reasoning=True,
    )
    return await first_word(QUESTION, data, "question")


def _question(number: int) -> dict[str, object]:
    return {"question": QUESTIONS[number % len(QUESTIONS)], "reasoning": WHY}
