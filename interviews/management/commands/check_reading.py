import asyncio
import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel, ConfigDict, ValidationError

from interviews.engine.reading import READING, Care, Heard, Intent, ReadingInput, parse
from llm.gateway import ask
from llm.routing.routes import has_model
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import OFFLINE, Outcome, Source


class LabelledAnswer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    answer: str
    question: str = ""
    language: str
    intent: Intent
    care: Care | None = None

    def input(self) -> ReadingInput:
        return ReadingInput(language=self.language, question=self.question, answer=self.answer)


Readings = Iterator[tuple[LabelledAnswer, Outcome[Heard]]]


@dataclass
class ClassCounts:
    """How often a class was labelled and read, by (class, language)."""

    labelled: Counter[tuple[str, str]] = field(default_factory=Counter)
    read: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, labelled: str, read: str, language: str) -> bool:
        self.labelled[labelled, language] += 1
        self.read[read, language] += 1
        self.right[labelled, language] += labelled == read
        return labelled == read

    def table(self, names: Iterable[str]) -> dict[str, dict[str, dict[str, Any]]]:
        """Return n, precision and recall by class and language; None where nothing was read."""
        languages = sorted({language for _, language in self.labelled})
        return {
            name: {one: self._figures(name, one) for one in languages if self.labelled[name, one]}
            for name in names
        }

    def _figures(self, name: str, language: str) -> dict[str, Any]:
        key = (name, language)
        return {
            "n": self.labelled[key],
            "precision": self.right[key] / self.read[key] if self.read[key] else None,
            "recall": self.right[key] / self.labelled[key],
        }


class Command(BaseCommand):
    """`check_reading FILE`: JSON lines with answer, question, language, intent and care."""

    help = (
        "Measures how answers are read: precision and recall of each class and language against "
        "a labelled file, by the configured model, or by rules where there is none."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="JSON lines: answer, question, language, …")
        parser.add_argument("--rules", action="store_true", help="by rules, also with a model")
        parser.add_argument("--format", choices=("text", "json"), default="text")
        parser.add_argument("--misses", type=int, default=100, help="how many misses to list")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = _rows(options["file"])
        if options["rules"] or not has_model():
            result = {"read_by": "rules"} | _measured(_by_rules(rows), options["misses"])
        else:  # the whole file first: a broken line is found before calls have been paid
            result = {"read_by": "model"} | _measured(_by_model(iter([*rows])), options["misses"])
        if options["format"] == "json":
            self.stdout.write(json.dumps(result, ensure_ascii=False))
            return
        self.stdout.write("\n".join(_as_text(result)))


def _measured(readings: Readings, most: int) -> dict[str, Any]:
    intents, care, instead = ClassCounts(), ClassCounts(), Counter[str]()
    misses: list[dict[str, Any]] = []
    for row, outcome in readings:
        read = parse(outcome.value.heard)
        if not outcome.is_judged:
            instead[outcome.reason] += 1
        right = intents.add(row.intent, read.intent, row.language)
        if row.care is not None:
            right = care.add(row.care, read.care, row.language) and right
        if not right and len(misses) < most:
            misses.append(row.model_dump() | {"read": {"intent": read.intent, "care": read.care}})
    if instead and instead.total() == intents.labelled.total():
        raise CommandError(f"The model read none of them: {', '.join(instead)}.")
    return {
        "classes": intents.table(get_args(Intent)),
        "care": care.table(get_args(Care)),
        "by_rules_instead": instead,
        "misses": misses,
    }


def _rows(path: Path) -> Iterator[LabelledAnswer]:
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(line, path, number)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} can't be read: {error}", returncode=2) from error


def _row(line: str, path: Path, number: int) -> LabelledAnswer:
    try:
        return LabelledAnswer.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the line"
        raise CommandError(f"{path}:{number}: {place}: {first['msg']}", returncode=2) from error


def _by_rules(rows: Iterator[LabelledAnswer]) -> Readings:
    for row in rows:
        yield row, Outcome(READING.fallback(row.input()), Source.FALLBACK, OFFLINE)


def _by_model(rows: Iterator[LabelledAnswer]) -> Readings:
    context = CallContext()
    while batch := list(islice(rows, settings.LLM_CONCURRENCY)):
        yield from zip(batch, asyncio.run(_ask_all(batch, context)), strict=True)


async def _ask_all(rows: Iterable[LabelledAnswer], context: CallContext) -> list[Outcome[Heard]]:
    return await asyncio.gather(*(ask(READING, row.input(), context) for row in rows))


def _as_text(result: dict[str, Any]) -> Iterator[str]:
    yield f"Read by {result['read_by']}."
    for why, number in result["by_rules_instead"].items():
        yield f"Rules stood in for it {number} times ({why})."
    yield f"{'class':<12} {'language':<8} {'n':>7} {'precision':>9} {'recall':>7}"
    for table in (result["classes"], result["care"]):
        for name, languages in table.items():
            for language, figures in languages.items():
                precision = figures["precision"]
                shown = "-" if precision is None else f"{precision:.3f}"
                counted = f"{figures['n']:>7} {shown:>9} {figures['recall']:>7.3f}"
                yield f"{name:<12} {language:<8} {counted}"
    yield f"Misses ({len(result['misses'])} listed):"
    for miss in result["misses"]:
        label = f"{miss['intent']}/{miss['care']}"
        read = f"{miss['read']['intent']}/{miss['read']['care']}"
        yield f"  [{miss['language']}] {label} read as {read}: {miss['answer']}"
