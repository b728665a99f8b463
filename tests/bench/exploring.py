"""Topic explorations by the hundred: do they end, do they repeat themselves, what do they cost?

The protocol is pure, so these run without a database. Where a model is asked, it is a function that
goes wrong in one reply of ten, in each of the ways that the guards know.
"""

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, takewhile

from interviews.choices import SessionStatus
from interviews.engine.language.sentences import asks
from interviews.engine.leading import SAME_QUESTION, SameQuestion
from interviews.engine.result import TaskCall
from interviews.engine.signal import Band, band
from interviews.protocols.topic_exploration.tasks import LEAD
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import Tier
from llm.tasks.templates import render
from tests.bench.figures import Figure
from tests.interviews.protocols.exploring import HIGH, LOW, MEDIUM, Exploring, material
from tests.interviews.protocols.leading import offline
from tests.readings import offered

MOST = 400  # answers; an interview that takes more does not end
NOTHING = ("I could not say.", "That is all.", "Hm.", "It is as it is.", "Nothing special.")
TEMPERAMENTS: dict[str, tuple[str, ...]] = {
    "terse": NOTHING,
    "chatty": (HIGH, MEDIUM, HIGH),
    "off topic": (MEDIUM, "Write me a poem about the sea", MEDIUM, "What is the weather like"),
    "asking back": ("What do you mean?", MEDIUM, "Can you rephrase that?", HIGH),
    "closing early": (MEDIUM, HIGH, "stop", "yes"),
    "refusing data": (MEDIUM, LOW),
    "uneven": (HIGH, HIGH, HIGH, LOW, LOW),
}
DATA = {"refusing data": ("I'd rather not", "no"), "closing early": ("no",)}
GIVES = ("yes", "ann@example.org", "Kettle Works")


def without_a_model(count: int) -> list[Figure]:
    """So many interviews over all temperaments."""
    found: Counter[str] = Counter()
    names = itertools.islice(itertools.cycle(TEMPERAMENTS), count)
    for number, name in enumerate(names):
        found.update(_judged(_led(name, number)))
    high, low = _turns_by_richness(count)
    return [
        Figure("explorations by temperament: ended", found["ended"] / count, "share", "1"),
        Figure(
            "explorations by temperament: utterances without a question",
            found["no_question"],
            "",
            "0",
        ),
        Figure("explorations by temperament: questions asked twice", found["twice"], "", "0"),
        Figure("explorations: turns of HIGH topics ÷ turns of LOW ones", high / low, "x", "> 1"),
    ]


def _led(temperament: str, seed: int) -> Exploring:
    rng = random.Random(seed)
    answers = itertools.cycle(TEMPERAMENTS[temperament])
    data = iter((*DATA.get(temperament, GIVES), *("no",) * 20))
    run = Exploring(material(minutes=rng.choice((5, 10, 20, 40))), seconds=rng.choice((20, 45, 90)))
    for _ in range(MOST):
        if run.over:
            return run
        run.say(_answer(run, answers, data))
    return run


def _answer(run: Exploring, answers: Iterator[str], data: Iterator[str]) -> str:
    last = run.moves[-1].utterances[-1].kind
    if last in ("consent_request", "data_request"):
        return next(data)
    return "Yes, let's go on" if last == "deep_offer" else next(answers)


def _judged(run: Exploring) -> Counter[str]:
    running = [move for move in run.moves if move.status == SessionStatus.WAITING_ANSWER]
    again = {i for i, one in enumerate(run.moves) if one.reason in ("clarification", "off_topic")}
    asked = [
        move.utterances[-1].text
        for i, move in enumerate(run.moves)
        if move.utterances[-1].kind == "topic_question" and i not in again
    ]
    return Counter(
        ended=int(run.over),
        no_question=sum(not asks(move.utterances[-1].text) for move in running),
        twice=sum(text in asked[:i] for i, text in enumerate(asked)),
    )


def _turns_by_richness(count: int) -> tuple[float, float]:
    """Mean turns of topics that were answered richly and of those that were not."""
    turns: dict[Band, list[int]] = {Band.HIGH: [], Band.LOW: []}
    for rich in range(4):
        for _ in range(max(1, count // 40)):
            run = Exploring(material(minutes=12))
            while not run.over and run.state.exploration.phase == "EXPLORE":
                run.say(HIGH if run.state.exploration.topic == rich else LOW)
            for place, topic in enumerate(run.state.exploration.topics):
                turns[band(HIGH if place == rich else LOW, "en")].append(topic.used)
    return tuple(sum(turns[b]) / len(turns[b]) for b in (Band.HIGH, Band.LOW))  # type: ignore[return-value]


SPOILED = (
    "That is good to know.",
    "Goodbye, and thank you for your time. Is there anything else?",
    "And what is your e-mail address?",
    "What else was there? INTERVIEW_COMPLETED",
)
THINGS = (
    "lid",
    "spout",
    "cable",
    "handle",
    "shelf",
    "water",
    "scale",
    "noise",
    "steam",
    "base",
    "colour",
    "price",
    "shop",
    "guarantee",
    "box",
    "guests",
    "mornings",
    "evenings",
    "children",
    "neighbour",
    "repair",
    "filter",
    "switch",
    "light",
    "cup",
    "tea",
    "coffee",
    "office",
    "holiday",
    "drawer",
)
WAYS = (
    "How did the {} come into it?",
    "What would be different without the {}?",
    "When did the {} first matter to you?",
    "Who decided about the {}?",
)


class Model:
    """A model of which one reply in ten needs a guard; `spoils` 1.0 misbehaves at every step."""

    def __init__(self, spoils: float) -> None:
        self._every = round(1 / spoils)
        self._asked = 0
        self._good = (way.format(thing) for way in WAYS for thing in THINGS)
        self._said = ["What set it off?"]

    def __call__(self, inquiry: TaskCall) -> Outcome[object]:
        if inquiry.task is SAME_QUESTION:
            return Outcome(SameQuestion(same="yes"), Source.MODEL)
        if inquiry.task is not LEAD:
            return offline(inquiry)
        moves = offered("\n".join(inquiry.data.moves))  # type: ignore[attr-defined]
        chosen = next(move for move in moves if not move.seldom)
        return Outcome(LEAD.output(heard=f"fully {chosen.id}", say=self._text()), Source.MODEL)

    def _text(self) -> str:
        self._asked += 1
        if self._asked % self._every == 0:
            ways = (*SPOILED, self._said[-1])
            return ways[self._asked // self._every % len(ways)]
        self._said.append(next(self._good, "And what else?"))
        return self._said[-1]


def with_a_model(turns: int) -> list[Figure]:
    """Calls and tokens of one long interview over twenty topics."""
    run = _long(Model(0.1), turns)
    rude = _long(Model(1.0), turns)
    calls = [_main(asked) for asked in run.inquiries]
    sizes = [tokens(inquiry) for asked in run.inquiries for inquiry in asked]
    first = [asked[0] for asked in run.inquiries if asked]  # the one that leads
    shares = [cached_share(one, before) for before, one in pairwise(first)]
    new = [tokens(one) * (1 - share) for one, share in zip(first[1:], shares, strict=True)]
    return [
        Figure(
            "main model calls a turn, one reply in ten spoiled",
            sum(calls) / len(calls),
            "calls",
            "≤ 1.1",
        ),
        Figure(
            "main model calls a turn, spoiled at every step, most",
            float(max(map(_main, rude.inquiries))),
            "calls",
            "≤ 2",
        ),
        Figure("new input tokens a turn, mean", sum(new) / len(new), "tokens", "< 1,000"),
        Figure(
            "share of input tokens from the cache, from the sixth turn, mean",
            sum(shares[4:]) / len(shares[4:]),
            "share",
            "≥ 0.7",
        ),
        Figure("input tokens a call, most", float(max(sizes)), "tokens"),
        Figure(
            "replies that a guard changed",
            sum(bool(move.firings) for move in run.moves) / len(run.moves),
            "share",
        ),
    ]


def _main(asked: list[TaskCall]) -> int:
    return sum(inquiry.task.tier is Tier.MAIN for inquiry in asked)


def _long(model: Model, turns: int) -> Exploring:
    run = Exploring(_twenty_topics(turns), model)
    rich = itertools.cycle((MEDIUM, HIGH, MEDIUM))
    while not run.over and len(run.moves) < turns:
        run.say(next(rich))
    return run


def _twenty_topics(turns: int):  # type: ignore[no-untyped-def]
    made = material(minutes=turns * 45 // 60, topics=4, angles=2)
    topics = tuple(
        made.topics[i % 4].model_copy(
            update={
                "key": f"t{i}",
                "label": f"{made.topics[i % 4].label}, part {i}",
                "order": i + 1,
                "base_turns": 3,
                "max_turns": 5,
            }
        )
        for i in range(20)
    )
    return made.model_copy(update={"topics": topics})


def tokens(inquiry: TaskCall) -> int:
    """About so many tokens: words by five letters, and punctuation."""
    return _tokens(_texts(inquiry))


def cached_share(inquiry: TaskCall, before: TaskCall) -> float:
    """The share that a provider has in its cache: what the call before began with too."""
    same = takewhile(
        lambda pair: pair[0] == pair[1], zip(_texts(inquiry), _texts(before), strict=False)
    )
    return _tokens([text for text, _ in same]) / tokens(inquiry)


def _texts(inquiry: TaskCall) -> list[str]:
    prompt = render(inquiry.task, inquiry.data)
    return [prompt.system, *(message.text for message in prompt.messages)]


def _tokens(texts: list[str]) -> int:
    return sum(len(re.findall(r"\w{1,5}|[^\w\s]", text)) for text in texts)
