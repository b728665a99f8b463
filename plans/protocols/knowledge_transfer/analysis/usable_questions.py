"""Which drafted questions are usable: within limits, without repetitions, with real sources."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plans.models import BacklogQuestion, Bot
from plans.protocols.knowledge_transfer.analysis.drafts import MOST_DRAFTED, QuestionDraft
from plans.protocols.knowledge_transfer.analysis.sources import Place, SourceQuery, sources_of
from plans.protocols.knowledge_transfer.analysis.statements import one_line
from plans.similarity import first_alike

LONGEST = 500  # characters of a question; longer ones are dropped
MOST_LOOKED_AT = 200  # drafts
PRIORITIES = tuple(BacklogQuestion.Priority.values)


@dataclass(frozen=True)
class UsableQuestion:
    text: str
    priority: str = "P1"
    why: str = ""
    sources: tuple[Place, ...] = ()


def usable_questions(bot: Bot, drafts: Sequence[QuestionDraft]) -> list[UsableQuestion]:
    """Return the usable questions, most urgent first, merging those that mean the same.

    A question that the backlog has in other words gets the backlog's wording.
    """
    usable = sorted(filter(_is_question, drafts[:MOST_LOOKED_AT]), key=_priority)
    merged = _merge(usable, list(bot.backlog.values_list("text", flat=True)))[:MOST_DRAFTED]
    queries = [SourceQuery(f"{q.text} {q.why}", tuple(named)) for q, named in merged]
    sources = sources_of(bot, queries)
    return [replace(q, sources=tuple(s)) for (q, _), s in zip(merged, sources, strict=True)]


def _merge(
    drafts: Sequence[QuestionDraft], known: Sequence[str]
) -> list[tuple[UsableQuestion, list[tuple[str, str]]]]:
    merged: list[tuple[UsableQuestion, list[tuple[str, str]]]] = []
    for draft in drafts:
        question = _usable_question(draft, known)
        named = [(source.document, source.place) for source in draft.sources]
        same = first_alike(question.text, [other.text for other, _ in merged])
        if same is None:
            merged.append((question, named))
        else:
            merged[same][1].extend(named)
    return merged


def _is_question(draft: QuestionDraft) -> bool:
    line = " ".join(draft.text.split())
    return len(line) <= LONGEST and any(map(str.isalpha, line))


def _priority(draft: QuestionDraft) -> str:
    priority = draft.priority.strip().upper()
    return priority if priority in PRIORITIES else BacklogQuestion.Priority.P1


def _usable_question(draft: QuestionDraft, known: Sequence[str]) -> UsableQuestion:
    text = one_line(draft.text, LONGEST)
    same = first_alike(text, known)
    if same is not None:
        text = known[same]
    return UsableQuestion(text, _priority(draft), one_line(draft.why, LONGEST))
