"""What an interview was about, topic by topic, whatever led it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from interviews.backlog import backlog_in, in_families
from interviews.engine.types import BacklogItem, TopicCovered
from interviews.exports.planned import planned_questions
from interviews.models import Node, Session
from interviews.protocols import PROTOCOLS
from interviews.store import plan_content
from interviews.words import Role
from plans.models import Section
from reflections.evidence.transcript import Line, Transcript

ANSWERED = "ANSWERED_BY_INTERVIEW"


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic: under which questions it was talked about, and what was to be asked."""

    key: str
    label: str
    questions: frozenset[str]  # keys under which it may have been asked
    planned: tuple[str, ...] = ()  # keys of what the plan or the backlog asks about it
    answered: frozenset[str] = frozenset()  # those known to be answered
    positions: frozenset[int] = frozenset()  # of answers about it, whatever was asked
    told: TopicCovered | None = None  # what the protocol itself says of it

    def holds(self, line: Line) -> bool:
        """Whether an utterance belongs to it."""
        return line.question in self.questions or line.position in self.positions


def topics_of(session: Session, transcript: Transcript) -> tuple[Topic, ...]:
    """The protocol's own topics, else the parts of the script, else the backlog's questions, else
    what was asked; in their order."""
    ways = (_covered(session), _sections(session), _families(session), _asked(transcript))
    return next(filter(None, ways), ())


def topic_at(topics: Iterable[Topic], transcript: Transcript) -> dict[int, Topic]:
    """The first topic that each answer belongs to, by the answer's position."""
    listed = tuple(topics)
    found: dict[int, Topic] = {}
    for line in transcript.lines:
        of = next((topic for topic in listed if topic.holds(line)), None)
        if of and line.role == Role.PARTICIPANT:
            found[line.position] = of
    return found


# -- the protocol's own


def _covered(session: Session) -> tuple[Topic, ...]:
    if not session.state:
        return ()
    plan = plan_content(session.plan_id)
    protocol = PROTOCOLS[plan.protocol]
    found = protocol.covered(plan, protocol.state.model_validate(session.state))
    said = _said_of(session) if found else {}
    return tuple(
        Topic(
            key=one.topic,
            label=one.label,
            questions=frozenset({one.topic}),
            positions=frozenset(said.get(one.topic, ())),
            told=one,
        )
        for one in found
    )


def _said_of(session: Session) -> dict[str, set[int]]:
    """Positions of the answers about each element of a graph; nothing where there is no graph."""
    said: dict[str, set[int]] = {}
    for elements, positions in Node.objects.filter(session=session).values_list(
        "elements", "positions"
    ):
        for element in elements:
            said.setdefault(element, set()).update(positions)
    return said


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


# -- the questions of a backlog


def _families(session: Session) -> tuple[Topic, ...]:
    return tuple(_family(items) for items in _with_follow_ups(backlog_in(session)))


def _with_follow_ups(items: tuple[BacklogItem, ...]) -> Iterator[list[BacklogItem]]:
    """Each question with the follow-ups that it led to."""
    family: list[BacklogItem] = []
    for depth, item in in_families(items):
        if depth == 0 and family:
            yield family
            family = []
        family.append(item)
    if family:
        yield family


def _family(items: list[BacklogItem]) -> Topic:
    keys = tuple(item.id for item in items)
    return Topic(
        key=keys[0],
        label=items[0].text,
        questions=frozenset(keys),
        planned=keys,
        answered=frozenset(item.id for item in items if item.status == ANSWERED),
    )


# -- what was asked


def _asked(transcript: Transcript) -> tuple[Topic, ...]:
    return tuple(Topic(key, in_words(key), frozenset({key})) for key in transcript.questions)
