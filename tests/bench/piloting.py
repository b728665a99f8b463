"""A pilot of each protocol without a model: what does the conversation lack?

The participants are the simulated ones of an evaluation, the bots those of the demo.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from interviews.choices import SessionStatus, SpeakerRole
from plans.demo.loader import load_demo
from reflections.evaluation.interview import Interview
from reflections.evaluation.personas import load
from reflections.evaluation.respondents import given_away, touched_words
from reflections.models import SimulatedInterview
from tests.bench.figures import Figure
from tests.reflections.evaluation.published import BOTS, evaluate


def pilots(people: int) -> Iterator[list[Figure]]:
    """Figures of each protocol, of so many interviews."""
    load_demo()
    for title, report in evaluate(people).items():
        share = {key: mean["value"] for key, mean in report["figures"].items()}
        led = SimulatedInterview.objects.filter(evaluation__bot__slug=BOTS[title])
        rows = list(led.select_related("session", "evaluation__bot"))
        found = {
            "replies without a question": (share["dead_ends"], "0"),
            "questions asked twice": (share["repeats"], "0"),
            "questions for what was told before": (_for_told_facts(rows), "0; laddering few"),
            "topics below their minimum": (_below_minimum(rows), "0"),
            "interviews without an end": (share["endless"], "0"),
            "turns that a guard changed": (share["by_guard"], ""),
            "turns that a fallback spoke": (
                share["by_fallback"] + share["by_rules"],
                "1, no model",
            ),
        }
        yield [
            Figure(f"{title}: {name}", value, "share", aim)
            for name, (value, aim) in found.items()
            if value is not None
        ]


def _below_minimum(rows: Sequence[SimulatedInterview]) -> float | None:
    """The share of topics with fewer turns than their minimum, where nobody left early.

    None for a protocol whose topics have no minimum.
    """
    topics = [
        topic
        for row in rows
        if row.session and row.session.status == SessionStatus.COMPLETED
        for topic in row.session.state.get("exploration", {}).get("topics", ())
        if not topic["closed"]
    ]
    below = sum(topic["used"] + topic["deepened"] < topic["min"] for topic in topics)
    return below / len(topics) if topics else None


def _for_told_facts(rows: Sequence[SimulatedInterview]) -> float:
    """The share of questions for nothing but facts told before, in words that had asked for them.

    Laddering has some: it asks on about the same words.
    """
    questions = [told for row in rows for told in _questions(row)]
    return sum(questions) / len(questions)


def _questions(row: SimulatedInterview) -> Iterator[bool]:
    """Whether each question is for such facts alone, those of the last answer left out."""
    assert row.session
    assert row.evaluation.bot
    persona = next(one for one in load(row.evaluation.bot.protocol) if one.key == row.persona)
    answers = row.session.entries.filter(role=SpeakerRole.PARTICIPANT)
    said = dict(answers.values_list("turn__number", "text"))
    told: set[str] = set()
    asked: defaultdict[str, set[str]] = defaultdict(set)  # words, by the fact that they ask for
    for reply in Interview(row.session, persona, ()).replies:
        touched = {fact.key: {*touched_words(fact, reply.question)} for fact in persona.facts}
        wanted = {key: words for key, words in touched.items() if words}
        if reply.questions and reply.asks_anew:
            before = [key in told and words & asked[key] for key, words in wanted.items()]
            yield bool(before) and all(before)
        told |= {*given_away(persona.facts, said.get(reply.turn.number, ""))}
        for key, words in wanted.items():
            asked[key] |= words
