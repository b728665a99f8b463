"""Requests for consent and data in a language that has no fixed words: said by the model, guarded.

Where there are fixed words they are said as they stand: consent is no place for variety.
"""

from functools import partial

from interviews.choices import EntryKind
from interviews.engine.language.sentences import asks
from interviews.engine.language.wishes import plain
from interviews.protocols.topic_exploration import blocks, guards, tasks
from interviews.protocols.topic_exploration.aim import dialogue
from interviews.protocols.topic_exploration.context import Here
from interviews.protocols.topic_exploration.data_collection import CollectionStep
from interviews.protocols.topic_exploration.utterance import UtteranceRequest


def request(now: Here, found: CollectionStep) -> UtteranceRequest:
    """How the model is asked for it, what guards it, and the fixed words in reserve."""
    return UtteranceRequest(
        data=partial(_data, now, found),
        checks=[("data_collection", partial(_why_not, now, found))],
        reserve=lambda: found.text,
    )


def _data(now: Here, found: CollectionStep, why: str) -> tasks.ReplyInput:
    """The answer itself is confidential and stays out of the prompt."""
    focus = f"Say exactly this in {now.language}, leave nothing out, add nothing: {found.text}"
    if why:
        focus += f"\nA first wording could not be used ({why})."
    return tasks.ReplyInput(
        persona=now.plan.persona[:1_200],
        language=now.language,
        context=blocks.context(now.material),
        focus=focus,
        memory="-",
        knowledge="-",
        guidance="-",
        guards="",
        dialogue=dialogue(now)[:-1],
        answer="(confidential)",
    )


def _why_not(now: Here, found: CollectionStep, text: str) -> str:
    """Why it isn't the consent question or the field that is due; empty if it is."""
    if found.kind is EntryKind.DATA_REQUEST:
        due = next(one for one in now.material.fields if one.key == found.question)
        return guards.data_request(text, due.kind, due.label)
    said = plain(text)
    named = all(plain(one.label) in said for one in now.material.fields)
    return "" if named and asks(text) else "not the consent question"
