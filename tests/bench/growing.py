"""An interview without a model, in this process: what its turns cost as it grows."""

import time

from interviews.turns import actions
from llm.concurrency.threads import in_database
from tests.bench.figures import Figure, median
from tests.conftest import make_bot
from tests.interviews.talk import begin
from tests.queries import counted

STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and I remember how the floor was "
    "warm on winter mornings when the ovens below had been lit at three, and my sister and I used "
    "to count the loaves before school began in September."
)


async def growth(turns_in_all: int) -> list[Figure]:
    """What a late turn costs against an early one, in time and in queries."""
    bot = await in_database(make_bot, turns_in_all + 5)
    talk = await begin(bot)
    seconds: list[float] = []
    queries: list[int] = []
    for number in range(turns_in_all):
        session = await talk.session()
        with counted() as seen:
            began = time.perf_counter()
            turn = await actions.receive(session, f"{STORY} {number}", f"m{number}")
            await actions.finished(turn)
            seconds.append(time.perf_counter() - began)
        queries.append(len(seen))
    early, late = slice(2, 12), slice(-10, None)
    slower = median(seconds[late]) / median(seconds[early])
    more = median(queries[late]) - median(queries[early])
    return [
        Figure(f"turn {turns_in_all} ÷ the third", slower, "x", "≤ 1.2"),
        Figure(f"queries of turn {turns_in_all} more than of the third", more, "", "0"),
        Figure("queries a turn, most", float(max(queries[2:])), "", "≤ 12, and one to wait"),
    ]
