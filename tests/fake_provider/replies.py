"""What the fake model says, by the name of the result that is asked for.

Every reply is varied and quotes a word of the answer, so that a person or a test can see that it
belongs to it. The same request with the same seed gets the same reply.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.fake_provider import experts, handovers, ladders, narratives, replicas
from tests.fake_provider.asked import Asked
from tests.fake_provider.generate import fitted, instance
from tests.readings import offered

HARD = re.compile(
    r"\b(died|death|lost|cancer|war|cried|grief|funeral)\b|умер|погиб|болезн|плака|войн|"
    r"\b(mort[oaei]|lutto|guerra|pianto|malatti)",
    re.I,
)
CLARIFIES = re.compile(r"\b(?:rephrase|what do you mean|in other words)\b", re.I)
ITALIAN = re.compile(r"\b(che|non|sono|era|mia|mio|della|nella|una|perché|quando)\b", re.I)

SPEAKS = re.compile(r"You speak (English|Italian|Russian)")
UNSAID = "("  # begins what stands in the place of an answer

PROBES = {
    "en": (
        "You mentioned “{word}”. What was that like for you?",
        "Can you take me back to “{word}” and tell me how it began?",
        "Who was there when it came to “{word}”?",
    ),
    "it": (
        "Ha parlato di «{word}». Com'è stato per lei?",
        "Mi racconta come è cominciato, con «{word}»?",
        "Chi c'era quando si trattava di «{word}»?",
    ),
    "ru": (
        "Вы упомянули «{word}». Каким это было для вас?",
        "Расскажите, с чего началось то, что связано со словом «{word}»?",
        "Кто был рядом, когда речь шла о «{word}»?",
    ),
}
BRIDGES = {
    "en": (
        "Thank you for trusting me with “{word}”. I can hear how much it weighs.",
        "What you said about “{word}” stays with me.",
    ),
    "it": (
        "Grazie per avermi parlato di «{word}». Sento quanto pesa.",
        "Quello che ha detto su «{word}» resta con me.",
    ),
    "ru": (
        "Спасибо, что доверили мне это, про «{word}». Я слышу, как это непросто.",
        "То, что вы сказали про «{word}», остаётся со мной.",
    ),
}
DOORS = {
    "en": ("Would you like to tell me more about “{word}”, or shall we leave it there?",),
    "it": ("Vuole raccontarmi di più su «{word}», o lo lasciamo lì?",),
    "ru": ("Хотите рассказать ещё про «{word}», или оставим это?",),
}
REACTIONS = {
    "en": ("“{word}”: I can picture that.", "I hadn't expected “{word}”."),
    "it": ("«{word}»: me lo immagino.", "Non mi aspettavo «{word}»."),
    "ru": ("«{word}»: могу это представить.", "Слова «{word}» я не ожидал."),
}


def reply(asked: Asked) -> str:
    """The whole text of the reply: JSON where a schema is given, else a sentence."""
    if handovers.is_rephrasing(asked):
        return handovers.rephrased(asked)
    if ladders.is_question(asked):
        return ladders.question(asked)
    if asked.schema is None:
        return _varied(asked, BRIDGES)
    make = REPLIES.get(asked.name)
    if make is None:
        return _json(instance(asked.schema, asked.rng))
    return _json(fitted(make(asked), asked.schema, asked.rng))


def language(text: str) -> str:
    """Russian, Italian or else English."""
    if re.search("[а-яё]", text, re.I):
        return "ru"
    return "it" if len(ITALIAN.findall(text)) > 1 else "en"


def word(asked: Asked) -> str:
    """A long word of the answer."""
    words: list[str] = re.findall(r"[^\W\d_]{3,}", asked.answer) or ["that"]
    longest = sorted(words, key=len)[-3:]
    return asked.rng.choice(longest)[:30]


def _varied(asked: Asked, table: dict[str, tuple[str, ...]]) -> str:
    named = SPEAKS.search(asked.system)
    spoken = named[1][:2].lower() if named else language(asked.answer)
    return asked.rng.choice(table[spoken]).format(word=word(asked))


def _led_story(asked: Asked) -> dict[str, Any]:
    told = word(asked)
    key = re.sub(r"\W", "_", told.lower())
    return {**_led(asked), "notes": [{"key": f"told_of_{key}", "value": told}], "denied": []}


def _led_topics(asked: Asked) -> dict[str, Any]:
    return {**_led(asked), "facts": [{"text": f"They spoke of {word(asked)}.", "confidence": 0.8}]}


def _led(asked: Asked) -> dict[str, Any]:
    """A few words on the answer and the first move as it is written, or at times a stay."""
    moves = offered(asked.inside("moves"))
    answers, *rest = as_read(asked)["heard"].split()
    told = not asked.answer.startswith(UNSAID)
    may_stay = told and any(move.id == "stay" and not move.seldom for move in moves)
    if "clarify" in rest:
        chosen, say = "again", _varied(asked, PROBES)
    elif "heavy" in rest:
        chosen, say = "stay", f"{_varied(asked, BRIDGES)} {_varied(asked, DOORS)}"
    elif may_stay and len(asked.answer.split()) < 25 and asked.rng.random() < 0.6:
        chosen, say = "stay", _varied(asked, PROBES)
    else:
        first = next(move for move in moves if move.id != "stay")
        reaction = _varied(asked, REACTIONS) if told else ""
        chosen, say = first.id, f"{reaction} {first.written}".strip()
    kept = {"met": [], "threads": []}
    return {"heard": " ".join((answers, chosen, *rest)), "say": say, **kept}


def as_read(asked: Asked) -> dict[str, Any]:
    """What was heard: all but a request to explain is an answer."""
    answers = "no clarify" if CLARIFIES.search(asked.answer) else "fully"
    return {"heard": f"{answers} heavy" if HARD.search(asked.answer) else answers}


def _observed(asked: Asked) -> dict[str, Any]:
    right = round(min(1.0, len(asked.answer.split()) / 40), 2)
    return {
        **as_read(asked),
        "action": "increase" if right > 0.6 else "same",
        "suggested_topic": "",
        "status": "confirmed" if right > 0.3 else "gap",
        "hallucination": False,
        "scores": {"correctness": right, "confidence": 0.7},
        "notes": f"Speaks of {word(asked)}.",
        "hallucination_reason": "",
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


REPLIES: dict[str, Callable[[Asked], dict[str, Any]]] = {
    "LifeStoryLed": _led_story,
    "TopicLed": _led_topics,
    "SameQuestion": lambda asked: {"same": "yes"},
    "ObserverAnalysis": _observed,
    "Dive": handovers.dive,
    "ProjectSummary": handovers.summary,
    "BacklogDraft": handovers.backlog,
    "TransferExtraction": handovers.extraction,
    "QuestionSelection": handovers.selection,
    "ExtractedLines": ladders.found,
    "AnswerSignalsResult": ladders.heard,
    "Retold": narratives.retold,
    "FactsTold": narratives.facts,
    "Observations": experts.observations,
    "PartCondensed": experts.condensed,
    "SupportVerdicts": experts.support,
    **replicas.REPLIES,
}
