"""Widen a quote to the clause it was cut from, or it may say the opposite of what was said."""

import re

from interviews.engine.language.negation import negates
from reflections.evidence.quotes import start_of

CLOSING = r"[\"'”’»)]*(?=\s|$)"
SENTENCE_END = re.compile(rf"(?<![.!?…؟])[.!?…؟]++{CLOSING}|[。！？]|\n+")
CLAUSE_END = re.compile(
    rf"{SENTENCE_END.pattern}|(?<![,;:،؛])[,;:،؛]++{CLOSING}|[、，；]|\s[-–—]++\s"
)
LONGEST = 300  # characters of a clause; of a longer one …
AROUND = 100  # … so many on either side are taken
BEFORE = 60  # characters before a clause within which its sentence may deny it
BLANKS = " \t\n-–—"


def widen(quote: str, answer: str, language: str) -> tuple[str, bool]:
    """Return words of the answer as a whole clause, and whether that adds a negation to them.

    Where the sentence denies something just before ("I don't think, frankly, that I trust them"),
    that is added as well.
    """
    start = start_of(quote, answer)
    end = start + len(quote)
    left, following = _clause_start(answer, start, language), CLAUSE_END.search(answer, end)
    right = following.start() if following else len(answer)
    before, after = answer[left:start], answer[end:right]
    negated = negates(before, language) or negates(after, language)
    if len(before) > LONGEST // 2:
        before = before[-AROUND:].partition(" ")[2]
    if len(after) > LONGEST // 2:
        after = after[:AROUND].rpartition(" ")[0]
    return f"{before.lstrip(BLANKS)}{quote}{after.rstrip(BLANKS)}", negated


def _clause_start(answer: str, place: int, language: str) -> int:
    sentence = max((one.end() for one in SENTENCE_END.finditer(answer, 0, place)), default=0)
    starts = [sentence, *(one.end() for one in CLAUSE_END.finditer(answer, sentence, place))]
    clause = starts.pop()
    for earlier in reversed(starts):
        if clause - earlier > BEFORE:
            break
        passage = answer[earlier:clause]
        if negates(passage, language) and len(passage.split()) > 1:  # a mere "No, …" answers
            return earlier
    return clause
