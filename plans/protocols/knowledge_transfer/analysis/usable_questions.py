"""What of the questions that a model drafts is usable: bounded, each once, with real sources."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plans.models import BacklogQuestion, Bot
from plans.protocols.knowledge_transfer.analysis.drafts import MOST_DRAFTED, QuestionDraft
from plans.protocols.knowledge_transfer.analysis.sources import Place, SourceQuery, sources_of
from plans.protocols.knowledge_transfer.analysis.statements import one_line
from plans.similarity import first_alike

LONGEST = 500  # characters of a question; what is longer is no question
MOST_LOOKED_AT = 200
PRIORITIES = tuple(BacklogQuestion.Priority.values)


@dataclass(frozen=True)
class UsableQuestion:
    """One question that may become a row."""

    text: str
    priority: str = "P1"
    why: str = ""
    sources: tuple[Place, ...] = ()


def usable_questions(bot: Bot, drafts: Sequence[QuestionDraft]) -> list[UsableQuestion]:
    """The usable ones, the most urgent first; those with one meaning are one, with all sources.

    One that the backlog has in other words gets the backlog's.
    """
    usable = sorted(filter(_is_question, drafts[:MOST_LOOKED_AT]), key=_priority)
    kept = _united(usable, list(bot.backlog.values_list("text", flat=True)))[:MOST_DRAFTED]
    wanted = [SourceQuery(f"{one.text} {one.why}", tuple(named)) for one, named in kept]
    found = sources_of(bot, wanted)
    return [replace(one, sources=tuple(s)) for (one, _), s in zip(kept, found, strict=True)]


def _united(
    drafts: Sequence[QuestionDraft], known: Sequence[str]
) -> list[tuple[UsableQuestion, list[tuple[str, str]]]]:
    """Each question once, with all the places that were named for it."""
    united: list[tuple[UsableQuestion, list[tuple[str, str]]]] = []
    for draft in drafts:
        one, named = _drafted(draft, known), [(s.document, s.place) for s in draft.sources]
        same = first_alike(one.text, [other.text for other, _ in united])
        if same is None:
            united.append((one, named))
        else:
            united[same][1].extend(named)
    return united


def _is_question(draft: QuestionDraft) -> bool:
    line = " ".join(draft.text.split())
    return len(line) <= LONGEST and any(map(str.isalpha, line))


def _priority(draft: QuestionDraft) -> str:
    said = draft.priority.strip().upper()
    return said if said in PRIORITIES else BacklogQuestion.Priority.P1


def _drafted(draft: QuestionDraft, known: Sequence[str]) -> UsableQuestion:
    text = one_line(draft.text, LONGEST)
    there = first_alike(text, known)
    if there is not None:
        text = known[there]
    return UsableQuestion(text, _priority(draft), one_line(draft.why, LONGEST))
