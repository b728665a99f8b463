"""What an interview was about, topic by topic, whatever led it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interviews.choices import SpeakerRole
from interviews.engine.protocol import TopicCoverage
from interviews.exports.planned import planned_questions
from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.turns.store import plan_content
from plans.models import Section
from reflections.evidence.transcript import Transcript, TranscriptLine
from reflections.products import results_of


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic: under which questions it was talked about, and what was to be asked."""

    key: str
    label: str
    questions: frozenset[str]  # keys under which it may have been asked
    planned: tuple[str, ...] = ()  # keys of what the plan or the backlog asks about it
    answered: frozenset[str] = frozenset()  # those known to be answered
    positions: frozenset[int] = frozenset()  # of answers about it, whatever was asked
    figures: Mapping[str, Any] = field(default_factory=dict)  # what the protocol measured of it

    def holds(self, line: TranscriptLine) -> bool:
        """Whether an utterance belongs to it."""
        return line.question in self.questions or line.position in self.positions


def topics_of(session: Session, transcript: Transcript) -> tuple[Topic, ...]:
    """The protocol's own topics, else the parts of the script, else what the protocol registered,
    else what was asked; in their order."""
    registered = results_of(session).topics
    ways = (
        lambda: _covered(session),
        lambda: _sections(session),
        lambda: registered(session) if registered else (),
        lambda: _asked(transcript),
    )
    return next(filter(None, (way() for way in ways)), ())


def topic_at(topics: Iterable[Topic], transcript: Transcript) -> dict[int, Topic]:
    """The first topic that each answer belongs to, by the answer's position."""
    listed = tuple(topics)
    found: dict[int, Topic] = {}
    for line in transcript.lines:
        of = next((topic for topic in listed if topic.holds(line)), None)
        if of and line.role == SpeakerRole.PARTICIPANT:
            found[line.position] = of
    return found


# -- the protocol's own


def _covered(session: Session) -> tuple[Topic, ...]:
    if not session.state:
        return ()
    plan = plan_content(session.plan_id)
    protocol = PROTOCOLS[plan.protocol]
    found = protocol.covered(plan, protocol.state.model_validate(session.state))
    said = _positions(session) if found else {}
    return tuple(
        Topic(
            key=one.topic,
            label=one.label,
            questions=frozenset({one.topic}),
            positions=frozenset(said.get(one.topic, ())),
            figures=_figures(one),
        )
        for one in found
    )


def _figures(found: TopicCoverage) -> dict[str, Any]:
    """What the protocol says of a topic, by the fields of its row in the coverage."""
    return {
        "turns": found.turns,
        "bonus_turns": found.bonus_turns,
        "deepening_turns": found.deepening_turns,
        "signal": found.engagement,
        "sub_goals": found.sub_goals,
        "covered": found.covered,
        "coverage": found.coverage,
        "key_insight": found.key_insight,
    }


def _positions(session: Session) -> Mapping[str, set[int]]:
    """Positions of the answers about each topic, where the protocol knows them."""
    known = results_of(session).topic_positions
    return known(session) if known else {}


# -- the parts of a script


def _sections(session: Session) -> tuple[Topic, ...]:
    parts: dict[str, list[str]] = {}
    for question in planned_questions(session.plan_id, session.language):
        parts.setdefault(question.section, []).append(question.key)
    titles = _titles(session) if parts else {}
    return tuple(
        Topic(
            key=key,
            label=titles.get(key) or in_words(key),
            questions=frozenset({key, *questions}),
            planned=tuple(questions),
        )
        for key, questions in parts.items()
    )


def _titles(session: Session) -> dict[str, str]:
    """The titles of the script's sections as they are now, while there is a bot; a plan keeps
    their keys alone."""
    if session.bot_id is None:
        return {}
    rows = Section.objects.filter(script__bots=session.bot_id, script__language=session.language)
    return dict(rows.order_by("position").values_list("key", "title"))


def in_words(key: str) -> str:
    """A key as people would write it."""
    return key.replace("_", " ").replace("-", " ").strip().capitalize()


# -- what was asked


def _asked(transcript: Transcript) -> tuple[Topic, ...]:
    return tuple(Topic(key, in_words(key), frozenset({key})) for key in transcript.questions)
