"""Facts that the interview itself kept, as statements with the words that they come from."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from interviews.engine.language.sentences import sentences
from interviews.engine.language.wishes import plain
from interviews.models import Note, Session
from reflections.evidence.topics import Topic, in_words, topic_at
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Quote, Section, Statement
from reflections.products import Kept, results_of
from reflections.summaries.narrative import elsewhere

SHORT = 200  # characters; of a longer answer the sentence that a fact comes from is its quote
MOST_QUOTES = 3  # of one fact


def has_facts(session: Session) -> bool:
    """Whether facts were drawn from its answers during the interview; people may have edited
    them."""
    return bool(_facts(session))


def kept_facts(
    session: Session, transcript: Transcript, topics: Iterable[Topic]
) -> tuple[Section, ...]:
    """The interview's facts, else its notes, topic by topic; nothing where nothing was kept."""
    rows = _facts(session) or _notes(session)
    return _grouped(_stated(rows, transcript), topics, transcript)


def _facts(session: Session) -> tuple[Kept, ...]:
    facts = results_of(session).facts
    return facts(session) if facts else ()


def _notes(session: Session) -> tuple[Kept, ...]:
    """Rows of notes, and what the protocol kept."""
    rows = Note.objects.filter(session=session).order_by("entry__position", "id")
    named = rows.values_list("key", "text", "entry__position")
    notes = tuple((f"{in_words(key)}: {text}", (place,)) for key, text, place in named)
    more = results_of(session).notes
    return (*notes, *more(session)) if more else notes


def _stated(rows: Iterable[Kept], transcript: Transcript) -> Iterator[Statement]:
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
