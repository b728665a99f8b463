"""Facts that the interview itself kept, as statements with quotes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from interviews.engine.language.wishes import plain
from interviews.models import Note, Session
from reflections.evidence.clauses import SENTENCE_END
from reflections.evidence.topics import Topic, label_from_key
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Quote, Section, Statement
from reflections.products import KeptFact, results_of
from reflections.summaries.narrative import elsewhere_title

SHORT = 200  # characters; of a longer answer the sentence that a fact comes from is its quote
MOST_QUOTES = 3  # of one fact


def drawn_facts(session: Session) -> tuple[KeptFact, ...]:
    """Return the facts drawn during the interview; people may have edited them."""
    facts = results_of(session).facts
    return facts(session) if facts else ()


def noted_facts(session: Session) -> tuple[KeptFact, ...]:
    rows = Note.objects.filter(session=session).order_by("entry__position", "id")
    named = rows.values_list("key", "text", "entry__position")
    notes = tuple((f"{label_from_key(key)}: {text}", (place,)) for key, text, place in named)
    more = results_of(session).notes
    return (*notes, *more(session)) if more else notes


def _statements(rows: Iterable[KeptFact], transcript: Transcript) -> Iterator[Statement]:
    answers = transcript.answers
    for text, positions in rows:
        usable = [position for position in positions if position in answers][:MOST_QUOTES]
        quotes = tuple(Quote(position=p, text=passage(answers[p], text)) for p in usable)
        if quotes:
            yield Statement(text=" ".join(text.split()), quotes=quotes)


def passage(answer: str, about: str) -> str:
    """Return the part of an answer that a fact comes from.

    Of a long answer that is the sentence that shares most words with the fact.
    """
    if len(answer) <= SHORT:
        return answer
    wanted = set(plain(about).split())
    ends = (0, *(one.end() for one in SENTENCE_END.finditer(answer)), len(answer))
    parts = filter(None, (answer[start:end].strip() for start, end in pairwise(ends)))
    return max(parts, key=lambda one: len(wanted & set(plain(one).split())), default=answer)


def by_topic(
    rows: Iterable[KeptFact], topics: Sequence[Topic], transcript: Transcript
) -> tuple[Section, ...]:
    lines = {line.position: line for line in transcript.lines}
    last = elsewhere_title(transcript.language) if topics else ""
    titles = [*(topic.label for topic in topics), last]

    def number(one: Statement) -> int:
        """Return the place of the first topic that its first quote belongs to."""
        line = lines[one.quotes[0].position]
        return next((n for n, topic in enumerate(topics) if topic.holds(line)), len(topics))

    grouped = groupby(sorted(_statements(rows, transcript), key=number), key=number)
    return tuple(Section(title=titles[n], statements=tuple(ones)) for n, ones in grouped)
