"""Transcripts as Markdown, one file for each protocol and mode."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.db import transaction

from interviews.choices import SessionStatus
from interviews.engine.result import AnyResult, GuardFiring
from plans.bots.compile import compile_bot
from plans.demo.loader import load_demo
from plans.models import Bot
from plans.protocols import PlanContent
from tests.transcripts.people import ENGLISH, Line, Person, people, played_in
from tests.transcripts.play import Played, play

BOTS = {
    "life_story": "life-story-short",
    "topic_exploration": "product-research",
    "technical_assessment": "technical-backend-en",
    "knowledge_transfer": "print-shop-handover",
    "laddering": "evening-reading",
}
BY_LANGUAGE = {
    "en": BOTS,
    "it": {"topic_exploration": "vita-in-quartiere", "laddering": "evening-reading"},
    "ru": {
        "life_story": "life-story-short",
        "technical_assessment": "technical-backend-ru",
        "laddering": "evening-reading",
    },
}
MODES = {
    "floor": "no model, rules alone",
    "model": "a scripted model that reads each line truthfully",
    "bad": "a scripted model that reads truthfully and says what it must not",
}
BAD_FOR = ("grieving",)  # who meets the bad model
LONGEST = 160  # characters of a text that a guard refused


@cache
def plans() -> dict[str, dict[str, PlanContent[Any]]]:
    """By language and protocol, once in a process and without leaving the demo's rows."""
    with transaction.atomic():
        load_demo()
        found = {
            language: {name: compile_bot(Bot.objects.get(slug=slug)) for name, slug in bots.items()}
            for language, bots in BY_LANGUAGE.items()
        }
        transaction.set_rollback(True)
    return found


def write(
    folder: Path, protocols: Sequence[str] = (), seed: int = 1, language: str = ENGLISH
) -> Iterator[Path]:
    for name, plan in plans()[language].items():
        for mode in MODES if not protocols or name in protocols else ():
            chosen = [people()[one] for one in BAD_FOR] if mode == "bad" else played_in(language)
            if mode == "bad" and language != ENGLISH:  # what it says is in English
                continue
            played = [play(plan, one, mode, seed, language) for one in chosen]
            yield save(folder, plan, mode, played)


def save(folder: Path, plan: PlanContent[Any], mode: str, played: Sequence[Played]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    language = played[0].run.language
    ending = "" if language == ENGLISH else f"-{language}"
    path = folder / f"{plan.protocol}-{mode}{ending}.md"
    path.write_text(document(plan, mode, played), encoding="utf-8")
    return path


def document(plan: PlanContent[Any], mode: str, played: Sequence[Played]) -> str:
    head = f"# {plan.title} ({plan.protocol}, {mode})\n\nWith {MODES[mode]}."
    return "\n\n".join([head, *map(_interview, played)]) + "\n"


def _interview(played: Played) -> str:
    person: Person = played.person
    opening = played.run.moves[0]
    heading = f"{person.name[0].upper()}{person.name[1:]}"
    parts = [f"## {heading}", f"*{person.who}*", *_intro(played), *_said(opening)]
    paused = False
    for line, result in played.exchanges:
        if paused:
            parts.append("*(comes back ten minutes later)*")
        parts += [_heard(line), _note(line, result), *_said(result)]
        paused = result.status == SessionStatus.PAUSED
    return "\n\n".join([*parts, _end(played)])


def _intro(played: Played) -> list[str]:
    intro = played.run.intro
    return [f"**Interviewer:** {escaped(intro.text.strip())}"] if intro else []


def escaped(text: str) -> str:
    return text.replace("<", "\\<")


def _said(result: AnyResult) -> list[str]:
    return [f"**Interviewer:** {escaped(one.text.strip())}" for one in result.utterances]


def _heard(line: Line) -> str:
    return f"> {escaped(line.say)}" if line.press == "user_answer" else f"> *[{line.press}]*"


def _note(line: Line, result: AnyResult) -> str:
    meant = [line.intent if line.press == "user_answer" else "button"]
    meant += [line.care] if line.care != "none" else []
    meant += [f"closes “{line.closed}”"] if line.closed else []
    phase = result.details.get("phase", "")
    taken = [result.reason, *([str(phase)] if phase else [])]
    taken += ["flagged"] if result.flagged else []
    taken += ["masked"] if result.masked is not None else []
    notes = [f"means: {', '.join(meant)}", f"taken as: {', '.join(taken)}"]
    notes += [_guard(one) for one in result.firings]
    return "\n".join(f"<sub>{escaped(note)}</sub>  " for note in notes)


def _guard(firing: GuardFiring) -> str:
    before = " ".join(firing.before.split())
    cut = before if len(before) <= LONGEST else f"{before[:LONGEST]}…"
    return f"guard {firing.guard}: {firing.reason}. It was going to say: “{cut}”"


def _end(played: Played) -> str:
    run, last = played.run, played.run.last
    progress = next((m.progress for m in reversed(run.moves) if m.progress), None)
    covered = run.protocol.covered(run.plan, run.state)
    fired = Counter(chain.from_iterable((f.guard for f in m.firings) for m in run.moves))
    parts = [
        f"{last.status} ({last.reason})" if run.ended else "still open after the last line",
        f"{len(played.exchanges)} answers",
        f"at {progress[0]} of {progress[1]} {progress[2]}" if progress else "",
        f"covered {_share(covered)}" if covered else "",
        "guards: " + (", ".join(f"{k} ×{n}" for k, n in fired.items()) or "none"),
    ]
    return f"**End:** {'; '.join(filter(None, parts))}."


def _share(covered: Sequence[Any]) -> str:
    return ", ".join(f"{one.label} {one.covered}/{one.sub_goals}" for one in covered)
