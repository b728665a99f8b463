"""What an interview was about, topic by topic, for every protocol."""

from dataclasses import dataclass

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
    key: str
    label: str
    questions: frozenset[str]  # keys under which it may have been asked
    planned: tuple[str, ...] = ()  # keys of what the plan or the backlog asks about it
    answered: frozenset[str] = frozenset()  # those known to be answered
    positions: frozenset[int] = frozenset()  # of answers about it, whatever was asked
    coverage: TopicCoverage | None = None  # as the protocol measured it

    def holds(self, line: TranscriptLine) -> bool:
        return line.question in self.questions or line.position in self.positions


def topics_of(session: Session, transcript: Transcript) -> tuple[Topic, ...]:
    """Return the topics in order, from the first source that has any.

    These are the protocol's own topics, the sections of the script, what the protocol registered,
    and the questions that were asked.
    """
    registered = results_of(session).topics
    return (
        _protocol_topics(session)
        or _script_topics(session)
        or (registered(session) if registered else ())
        or tuple(Topic(key, label_from_key(key), frozenset({key})) for key in transcript.questions)
    )


# -- the protocol's own topics


def _protocol_topics(session: Session) -> tuple[Topic, ...]:
    if not session.state:
        return ()
    plan = plan_content(session.plan_id)
    protocol = PROTOCOLS[plan.protocol]
    found = protocol.covered(plan, protocol.state.model_validate(session.state))
    known = results_of(session).topic_positions if found else None
    positions = known(session) if known else {}
    return tuple(
        Topic(
            key=one.topic,
            label=one.label,
            questions=frozenset({one.topic}),
            positions=frozenset(positions.get(one.topic, ())),
            coverage=one,
        )
        for one in found
    )


# -- the sections of a script


def _script_topics(session: Session) -> tuple[Topic, ...]:
    parts: dict[str, list[str]] = {}
    for question in planned_questions(session.plan_id, session.language):
        parts.setdefault(question.section, []).append(question.key)
    titles = _section_titles(session) if parts else {}
    return tuple(
        Topic(
            key=key,
            label=titles.get(key) or label_from_key(key),
            questions=frozenset({key, *questions}),
            planned=tuple(questions),
        )
        for key, questions in parts.items()
    )


def _section_titles(session: Session) -> dict[str, str]:
    """Return the titles of the script's sections as they are now; a plan has only their keys."""
    if session.bot_id is None:
        return {}
    rows = Section.objects.filter(script__bots=session.bot_id, script__language=session.language)
    return dict(rows.order_by("position").values_list("key", "title"))


def label_from_key(key: str) -> str:
    return key.replace("_", " ").replace("-", " ").strip().capitalize()
