"""Facts that the interview itself kept, as statements with the words that they come from."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from interviews.engine.intents import plain
from interviews.engine.speech import sentences
from interviews.models import Fact, Node, Note, Session
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Quote, Section, Statement
from reflections.narrating.writing import elsewhere
from reflections.topics import Topic, in_words, topic_at
from reflections.transfers import held_of

SHORT = 200  # characters; of a longer answer the sentence that a fact comes from is its quote
MOST_QUOTES = 3  # of one fact
Found = tuple[str, tuple[int, ...]]  # a fact, and the positions of the answers that it comes from


def has_facts(session: Session) -> bool:
    """Whether facts were drawn from its answers while it went on, which people may have mended."""
    return Fact.objects.filter(session=session).exists()


def kept_facts(
    session: Session, transcript: Transcript, topics: Iterable[Topic]
) -> tuple[Section, ...]:
    """Rows of facts, else notes and nodes, topic by topic; nothing where nothing was kept."""
    rows = _facts(session) if has_facts(session) else (*_notes(session), *_nodes(session))
    return _grouped(_stated(rows, transcript), topics, transcript)


def _facts(session: Session) -> tuple[Found, ...]:
    """With what people have made of them: merged ones stand as one, in the words that hold now."""
    return tuple((fact.text, (fact.position,)) for fact in held_of(session).facts)


def _notes(session: Session) -> tuple[Found, ...]:
    rows = Note.objects.filter(session=session).order_by("entry__position", "id")
    return tuple(
        (f"{in_words(key)}: {text}", (position,))
        for key, text, position in rows.values_list("key", "text", "entry__position")
    )


def _nodes(session: Session) -> tuple[Found, ...]:
    rows = Node.objects.filter(session=session).order_by("id")
    return tuple((text, tuple(places)) for text, places in rows.values_list("text", "positions"))


def _stated(rows: Iterable[Found], transcript: Transcript) -> Iterator[Statement]:
    """As statements; what comes from words that are no material is left out."""
    answers = transcript.answers
    for text, positions in rows:
        there = [position for position in positions if position in answers][:MOST_QUOTES]
        quotes = tuple(Quote(position=p, text=passage(answers[p], text)) for p in there)
        if quotes:
            yield Statement(text=" ".join(text.split()), quotes=quotes)


def passage(answer: str, about: str) -> str:
    """The part of an answer that a fact comes from, as it stands: of a long one the sentence that
    shares most words with the fact."""
    if len(answer) <= SHORT:
        return answer
    wanted = set(plain(about).split())
    return max(sentences(answer) or [answer], key=lambda one: _shared(one, wanted))


def _shared(sentence: str, wanted: set[str]) -> int:
    return len(wanted & set(plain(sentence).split()))


def _grouped(
    said: Iterable[Statement], topics: Iterable[Topic], transcript: Transcript
) -> tuple[Section, ...]:
    """Under the titles of the topics, in their order; what belongs to none of them last."""
    listed = tuple(topics)
    place = {topic.key: number for number, topic in enumerate(listed)}
    of = topic_at(listed, transcript)
    last = elsewhere(transcript.language) if listed else ""
    titles = [*(topic.label for topic in listed), last]

    def number(one: Statement) -> int:
        topic = of.get(one.quotes[0].position)
        return place[topic.key] if topic else len(listed)

    grouped = groupby(sorted(said, key=number), key=number)
    return tuple(Section(title=titles[n], statements=tuple(ones)) for n, ones in grouped)
