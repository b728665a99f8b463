"""A model that reads each line as it is meant, and says something different each time.

It answers every task that is asked in an interview: the labels of the line go into `heard` wherever
a result has that field. A bad one reads as truthfully, but says what an interviewer must not say.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from typing import Any

from pydantic import BaseModel

from interviews.engine import guards
from interviews.engine.result import TaskCall
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent
from tests.readings import Offered, heard, offered
from tests.transcripts.people import ENGLISH, Line, read_words

STRETCH = re.compile(r"[.,](?=\s|$)|[;:!?<>«»]+")
AGAIN = ("ask_back", "clarify", "off_topic", "manipulate")  # what leaves the question open
UNSPOKEN = ("stop", "pause", "withdraw")  # the program answers
QUOTED = 7  # words of the answer that are taken up, at most


class ScriptedModel:
    def __init__(
        self, plan: PlanContent[Any], seed: str, bad: bool = False, language: str = ENGLISH
    ) -> None:
        self.words = read_words(language, "model")
        self.line = Line()
        self.closed: list[str] = []
        self._plan = plan
        self._rng = random.Random(seed)
        self._decks: dict[tuple[str, ...], Iterator[str]] = {}
        self._linked = re.compile(rf"(?:{self.words['linked']})\b", re.I)
        self._named: list[str] = []
        self._spoils = cycle(SPOILS) if bad else None

    def hear(self, line: Line) -> None:
        self.line = line
        if line.intent == "refuse" and line.closed:
            self.closed.append(re.sub(r"\bmy\b", "your", line.closed))

    def __call__(self, call: TaskCall) -> Outcome[Any]:
        make = TASKS.get(call.task.name)
        made = make(self, call.data) if make else call.task.fallback(call.data)
        if call.task.output is not str:
            labels = self._labels(call.task.output)
            told = made if isinstance(made, Mapping) else made.model_dump(exclude={"heard"})
            made = call.task.output.model_validate({**labels, **told})
        return Outcome(made, Source.MODEL)

    def _labels(self, output: type[BaseModel]) -> dict[str, str]:
        return {"heard": self.read()} if "heard" in output.model_fields else {}

    def read(self) -> str:
        """Return what the line truly is."""
        line = self.line
        return line.heard or heard(line.intent, line.care, line.closed)["heard"]

    # -- words

    def draw(self, key: str) -> str:
        """Take the next of these; all of them come before one comes again."""
        return self.take(tuple(self.words[key]))

    def take(self, texts: tuple[str, ...]) -> str:
        if texts not in self._decks:
            self._decks[texts] = cycle(self._rng.sample(texts, len(texts)))
        return next(self._decks[texts])

    def lead(self) -> str:
        """Take up something of the answer, in the manner that it calls for."""
        if self.line.care != "none":
            return self.draw("gentle")
        match self.line.intent:
            case "refuse" | "skip" | "dont_know":
                return self.draw("lets_go")
            case "off_topic" | "manipulate":
                return self.draw("back")
            case "answer":
                thing = self.thing()
            case _:
                return ""
        return self.draw("leads").format(thing=thing) if thing else ""

    def thing(self) -> str:
        """Quote a short stretch of the answer, another one than before."""
        parts = [part for one in STRETCH.split(self.line.say) if (part := " ".join(one.split()))]
        whole = [one for one in parts if len(one.split()) <= QUOTED]
        alone = [one for one in whole if not self._linked.match(one)]
        stretches = alone or whole or [_shortened(one) for one in parts]
        fresh = [one for one in stretches if one not in self._named]
        if not fresh:
            return ""
        chosen = self._rng.choice(sorted(fresh, key=len)[-3:])
        self._named.append(chosen)
        return chosen

    def say(self, question: str) -> str:
        """Put a question after a lead."""
        return self.spoiled(f"{self.lead()} {question}".strip())

    def spoiled(self, text: str) -> str:
        if self._spoils is None:
            return text
        if self.line.care != "none":
            return self.take(DETAILS)
        if self.closed and self.line.intent in ("refuse", "skip"):
            return f"Let's talk about {self.closed[-1]}. Why do you keep it to yourself?"
        return next(self._spoils)(text, self)


def _shortened(text: str) -> str:
    return " ".join(text.split()[:QUOTED])


# -- what a bad model says


DETAILS = (
    "What exactly happened, minute by minute? Give me an example of how you felt.",
    "What did it look like when you first saw it? Describe every detail of that room.",
    "How did you feel in your worst hour, and what did you do with your hands?",
    "Which words were said at the very end? I'd like an example.",
)


def _twice(text: str, model: ScriptedModel) -> str:
    return f"{text} And who taught you that, and what did it cost?"


def _praise(text: str, model: ScriptedModel) -> str:
    return f"What a wonderful answer, you are so brave! {text}"


def _promise(text: str, model: ScriptedModel) -> str:
    return f"I promise you that everything will be fine, and I'll see that you get paid. {text}"


def _advice(text: str, model: ScriptedModel) -> str:
    return f"You should see a doctor and try to sleep more. {text}"


def _view(text: str, model: ScriptedModel) -> str:
    return f"If you ask me, your family was wrong and you were right. {text}"


def _foreign(text: str, model: ScriptedModel) -> str:
    return "Capisco bene quello che mi racconta. Mi può dire come si è sentita in quel momento?"


def _contact(text: str, model: ScriptedModel) -> str:
    return "Before we go on, what is your e-mail address, and which password do you use there?"


def _closed(text: str, model: ScriptedModel) -> str:
    subject = model.closed[-1] if model.closed else "the worst of it"
    return f"I'd still like to hear about {subject}. What was the hardest part of {subject}?"


def _done(text: str, model: ScriptedModel) -> str:
    return "Thank you, that was all, goodbye. INTERVIEW_COMPLETED"


def _persona(text: str, model: ScriptedModel) -> str:
    rules = " ".join(model._plan.persona.split()[:40])
    return f"My instructions are these: {rules} {text}"


SPOILS = (_twice, _praise, _foreign, _promise, _closed, _advice, _contact, _view, _done, _persona)


# -- tasks


def _led_story(model: ScriptedModel, data: Any) -> dict[str, Any]:
    tells = model.line.intent == "answer" and model.line.say
    note = {"key": f"told_{len(data.known)}", "value": " ".join(model.line.say.split()[:8])}
    return {**_led(model, data), "notes": [note] if tells else []}


def _led_topics(model: ScriptedModel, data: Any) -> dict[str, Any]:
    tells = model.line.intent == "answer" and model.line.say
    fact = {"text": " ".join(model.line.say.split()[:12]), "confidence": 0.8}
    return {**_led(model, data), "facts": [fact] if tells else []}


def _led(model: ScriptedModel, data: Any) -> dict[str, Any]:
    """Choose a move that fits the line, and word it."""
    moves = offered("\n".join(data.moves))
    answers, *rest = model.read().split()
    asked = guards.question_of(data.dialogue[-1].text) if data.dialogue else ""
    if answers == "no" and model.line.intent in AGAIN:
        chosen, say = "again", _again(model, data, asked)
    else:
        move = _chosen(model, moves)
        chosen, say = move.id, _worded(model, data, move)
    thing = model.thing() if model.line.intent == "answer" else ""
    return {
        "heard": " ".join((answers, chosen, *rest)),
        "say": "" if model.line.intent in UNSPOKEN else say,
        "threads": [thing] if thing and chosen != "stay" else [],
    }


def _chosen(model: ScriptedModel, moves: list[Offered]) -> Offered:
    """Take the move that the line calls for; a bad model stays, or names one that isn't offered."""
    line, rng = model.line, model._rng
    stays = [move for move in moves if move.id == "stay"]
    onward = [move for move in moves if move.id != "stay" and not move.seldom]
    if line.care == "heavy" and stays:
        return stays[0]
    tells = line.intent == "answer" and bool(line.say)
    if model._spoils is not None and rng.random() < 0.2:
        return Offered("q99", False, "", model.draw("life"))
    may_follow = tells and [move for move in stays if not move.seldom]
    if may_follow and (model._spoils is not None or rng.random() < 0.5):
        return may_follow[0]
    back = [move for move in onward if move.id[0] == "b"]
    if tells and back and rng.random() < 0.3:
        return back[0]
    accepts = _acceptance(line.say)
    for begun, reply in (("if they agree", "yes"), ("if they would rather", "no")):
        if accepts == reply and (fitting := [m for m in onward if m.aim.startswith(begun)]):
            return fitting[0]
    return next(iter(onward or stays))


def _worded(model: ScriptedModel, data: Any, move: Offered) -> str:
    line = model.line
    answered = f"{_answered(model, data)} " if "ask_back" in model.read() else ""
    if line.care == "heavy":
        return model.say(model.draw("doors"))
    if move.id in ("offer", "end"):
        return model.spoiled(f"{answered}{model.lead()}")
    question = move.written or model.draw("life")
    return f"{answered}{model.spoiled(question) if answered else model.say(question)}"


def _again(model: ScriptedModel, data: Any, asked: str) -> str:
    if model.line.intent == "clarify":
        return model.spoiled(_easier_words(model, asked))
    reply = _answered(model, data) if model.line.intent == "ask_back" else model.lead()
    return model.spoiled(f"{reply} {asked}")


def _acceptance(said: str) -> str:
    if said.lower().startswith(("yes", "sì", "да")):
        return "yes"
    return "no" if said.lower().startswith(("no", "нет", "i'd rather not")) else "unclear"


def _observer(model: ScriptedModel, data: Any) -> dict[str, Any]:
    right = model.line.correctness
    return {
        "action": "increase" if right > 0.7 else "decrease" if right < 0.3 else "same",
        "status": "confirmed" if right > 0.5 else "gap",
        "scores": {"correctness": right, "confidence": right},
        "notes": "Names a case from practice." if right > 0.5 else "Stays general.",
    }


def _technical_question(model: ScriptedModel, data: Any) -> dict[str, Any]:
    scripts = model._plan.material.scripts
    script = scripts.get(data.language) or next(iter(scripts.values()))
    titles = {topic.key: topic.title for topic in script.topics}
    left = [one for one in script.questions if not any(one.text in text for text in data.asked)]
    near = min(left, key=lambda one: (titles[one.topic] != data.topic, abs(one.level - data.level)))
    said = model.spoiled(near.text) if data.last else model.say(near.text)  # it was met already
    return {"question": said, "reasoning": f"Level {data.level} in {data.topic}."}


def _extraction(model: ScriptedModel, data: Any) -> dict[str, Any]:
    line = model.line
    whole = line.intent == "answer" and len(line.say.split()) > 12
    asks = line.intent == "answer" and not whole and data.may_follow_up
    if model._spoils is not None:
        whole, asks = False, data.may_follow_up
    return {
        "confidence": "high" if whole else "low",
        "follow_up": model.say(model.draw("missing")) if asks else None,
        "facts": [line.say] if whole else [],
    }


def _rephrased(model: ScriptedModel, data: Any) -> str:
    if data.manner == "first":
        return model.words["greeting"].format(name=data.name, question=data.question)
    return model.say(data.question)


def _ladder(model: ScriptedModel, data: Any) -> dict[str, Any]:
    if model.line.intent != "answer":
        return {}
    types = [one.type for one in data.ladder]
    parts = re.split(rf"\b(?:{model.words['joins']})\b|[,.;]", data.answer)
    texts = [" ".join(part.split()[:7]) for part in parts if len(part.split()) > 2]
    lines = [f"{text} | {kind} |" for text, kind in zip(texts, types, strict=False)]
    return {
        "concepts": lines[::-1],
        "relations": [f"{n} | leads_to | {n - 1}" for n in range(len(lines), 1, -1)],
    }


def _depth(model: ScriptedModel, data: Any) -> dict[str, Any]:
    words = len(data.answer.split())
    depth = "deep" if words > 18 else "moderate" if words > 8 else "shallow"
    return {"depth": depth, "sentiment": "neutral", "topics": []}


def _why(model: ScriptedModel, data: Any) -> str:
    tells = model.line.intent == "answer" and model.line.care == "none"
    thing = model.thing() if tells else ""
    lead = "" if tells else model.lead()
    known = _shortened(re.sub(r"[.?!“”«»]+", "", data.focus))
    focus = model.words["quoted"].format(text=thing or known or model.words["reading"])
    question = model.draw("why").format(focus=focus)
    return model.spoiled(f"{lead} {question}".strip())


def _counter_answer(model: ScriptedModel, data: Any) -> str:
    return model.spoiled(_answered(model, data))


def _answered(model: ScriptedModel, data: Any) -> str:
    """Answer what they ask, by what the prompt says of the time and what is left."""
    said = model.line.say.lower()
    answers = model.words["answers"]
    fitting = (text for pattern, text in answers if re.search(pattern, said))
    found = next(fitting, model.words["no_answer"])
    if hasattr(data, "progress"):
        after, minutes = (*re.findall(r"\d+", data.progress)[2:4], "…", "…")[:2]
    else:
        now, total, minutes = (*re.findall(r"\d+", data.where)[:3], "…", "…", "…")[:3]
        after = str(int(total) - int(now)) if total.isdigit() else "…"
    thing = (model._named or ["…"])[-1]
    return found.format(thing=thing, after=after, minutes=minutes)


def _selection(model: ScriptedModel, data: Any) -> dict[str, Any]:
    return {"id": data.candidates[0].id}


def _easier(model: ScriptedModel, data: Any) -> str:
    return model.spoiled(_easier_words(model, data.question))


def _easier_words(model: ScriptedModel, question: str) -> str:
    easier = model.words["easier"]
    asked = guards.question_of(question).removeprefix(easier.partition("{")[0])
    return easier.format(question=asked)


TASKS: dict[str, Callable[[ScriptedModel, Any], Any]] = {
    "interviews.counter_question": _counter_answer,
    "interviews.clarification": _easier,
    "life_story.lead": _led_story,
    "topic_exploration.lead": _led_topics,
    "interviews.same_question": lambda model, data: {"same": "no" if model._spoils else "yes"},
    "technical_assessment.observer": _observer,
    "technical_assessment.interviewer": _technical_question,
    "knowledge_transfer.extract": _extraction,
    "knowledge_transfer.select": _selection,
    "knowledge_transfer.rephrase": _rephrased,
    "laddering.extract": _ladder,
    "laddering.signals": _depth,
    "laddering.question": _why,
}
