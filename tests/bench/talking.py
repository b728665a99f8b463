"""Interviews without a model, in this process: what the conversation is like, what a turn costs."""

import time
from collections import Counter

from interviews.choices import EntryKind
from interviews.models import TranscriptEntry, Turn
from interviews.turns import actions
from llm.concurrency.threads import in_database
from plans.similarity import first_alike
from tests.bench.figures import Figure, median
from tests.conftest import make_bot
from tests.interviews.talk import Talk, begin
from tests.queries import counted

TEMPERAMENTS = {
    "terse": ["fine", "yes", "it was all right", "no"],
    "chatty": [
        "We lived over a bakery in Riga, the five of us in two rooms, and I remember how the floor "
        "was warm on winter mornings when the ovens below had been lit at three, and my sister "
        "and I used to count the loaves before school began in September."
    ],
    "moved": ["My father died that winter and nobody spoke of it for many years in our house."],
    "private": [
        "I'd rather not say.",
        "It was a long time ago, and I think about it now and then.",
    ],
    "skipping": ["skip", "We had a garden with two apple trees and a swing that my uncle made."],
}


async def conversations(each: int) -> list[Figure]:
    """So many interviews of each temperament, and what went wrong in them."""
    found: Counter[str] = Counter()
    bot = await in_database(make_bot, 12)
    for answers in TEMPERAMENTS.values():
        for _ in range(each):
            talk = await begin(bot)
            await _answered_to_the_end(talk, answers)
            found.update(await in_database(_judged, talk))
    share = 1 / max(1, found["replies"])
    return [
        Figure(
            "interviews that ended by themselves",
            found["ended"] / found["interviews"],
            "share",
            "1",
        ),
        Figure(
            "replies that ask nothing, though nothing hard was told",
            float(found["no_question"]),
            "",
            "0",
        ),
        Figure("questions asked twice", float(found["twice"]), "", "0"),
        Figure("replies that a guard changed", found["guarded"] * share, "share"),
        Figure("replies that a fallback spoke", found["fallback"] * share, "share", "1, no model"),
    ]


async def _answered_to_the_end(talk: Talk, answers: list[str]) -> None:
    for number in range(400):
        if not (await talk.session()).is_active:
            return
        await talk.say(answers[number % len(answers)])


def _judged(talk: Talk) -> Counter[str]:
    entries = list(TranscriptEntry.objects.filter(session=talk.session_id))
    done = list(Turn.objects.filter(session=talk.session_id, number__gt=0))
    asked = [e.text for e in entries if e.kind == EntryKind.SCRIPTED_QUESTION]
    last_of_turn = {e.turn_id: e for e in entries if e.role == "interviewer"}
    asks = [t for t in done if not t.decision["ended"] and t.decision["reason"] != "own_pace"]
    return Counter(
        interviews=1,
        ended=int(entries[-1].kind == EntryKind.OUTRO),
        replies=len(done),
        no_question=sum("?" not in last_of_turn[turn.pk].text for turn in asks),
        twice=sum(first_alike(text, asked[:i]) is not None for i, text in enumerate(asked)),
        guarded=sum(bool(turn.decision["firings"]) for turn in done),
        fallback=sum(turn.source == "fallback" for turn in done),
    )


async def growth(turns_in_all: int) -> list[Figure]:
    """What a late turn costs against an early one, in time and in queries."""
    bot = await in_database(make_bot, turns_in_all + 5)
    talk = await begin(bot)
    story = TEMPERAMENTS["chatty"][0]
    seconds: list[float] = []
    queries: list[int] = []
    for number in range(turns_in_all):
        session = await talk.session()
        with counted() as seen:
            began = time.perf_counter()
            turn = await actions.receive(session, f"{story} {number}", f"m{number}")
            await actions.finished(turn)
            seconds.append(time.perf_counter() - began)
        queries.append(len(seen))
    early, late = median(seconds[2:12]), median(seconds[-10:])
    return [
        Figure(f"turn {turns_in_all} ÷ the third", late / early, "x", "≤ 1.2"),
        Figure("queries a turn, most", float(max(queries[2:])), "", "≤ 12, and one to wait"),
    ]
