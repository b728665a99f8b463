import asyncio
import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel, ConfigDict, ValidationError

from interviews.engine.guards import names_closed
from interviews.engine.reading import (
    READING,
    AnswerReading,
    Answers,
    Care,
    Heard,
    ReadingInput,
    Wish,
    parse,
)
from llm.gateway import ask
from llm.routing.routes import has_model
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import OFFLINE, Outcome, Source


class LabelledAnswer(BaseModel):
    """An answer with what should be read in it; `care` and `closed` count where they are given."""

    model_config = ConfigDict(extra="ignore")

    answer: str
    question: str = ""
    language: str
    answers: Answers
    wishes: tuple[Wish, ...] = ()
    care: Care | None = None
    closed: str | None = None

    def input(self) -> ReadingInput:
        return ReadingInput(language=self.language, question=self.question, answer=self.answer)

    @property
    def is_plain(self) -> bool:
        """Whether it answers and nothing else."""
        return self.answers in ("partly", "fully") and not self.wishes


Readings = Iterator[tuple[LabelledAnswer, Outcome[Heard]]]
Table = dict[str, dict[str, dict[str, Any]]]


@dataclass
class ClassCounts:
    """How often each class was labelled and read, by (class, language)."""

    labelled: Counter[tuple[str, str]] = field(default_factory=Counter)
    read: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, labelled: Collection[str], read: Collection[str], language: str) -> bool:
        both = {*labelled} & {*read}
        self.labelled.update((name, language) for name in labelled)
        self.read.update((name, language) for name in read)
        self.right.update((name, language) for name in both)
        return both == {*labelled, *read}

    def table(self, names: Iterable[str]) -> Table:
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


FIELDS: dict[str, tuple[str, ...]] = {
    "answers": get_args(Answers),
    "wishes": get_args(Wish),
    "care": get_args(Care),
    "closed": ("closed",),
}


class Command(BaseCommand):
    """`check_reading FILE`: JSON lines with answer, question, language, answers, wishes, care."""

    help = (
        "Measures how answers are read: precision and recall of each wish, level of care and kind "
        "of answer by language, and how many plain answers are wrongly interrupted, against a "
        "labelled file, by the configured model, or by rules where there is none."
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
    counts, instead = {name: ClassCounts() for name in FIELDS}, Counter[str]()
    plain, interrupted = Counter[str](), Counter[str]()
    misses: list[dict[str, Any]] = []
    for row, outcome in readings:
        read = parse(outcome.value.heard)
        if not outcome.is_judged:
            instead[outcome.reason] += 1
        right = [
            counts[name].add(labelled, found, row.language)
            for name, labelled, found in _compared(row, read)
        ]
        if row.is_plain:
            plain[row.language] += 1
            interrupted[row.language] += _interrupts(row, read)
        if not all(right) and len(misses) < most:
            heard = {name: getattr(read, name) for name in FIELDS}
            misses.append(row.model_dump() | {"read": heard})
    if instead and instead.total() == counts["answers"].labelled.total():
        raise CommandError(f"The model read none of them: {', '.join(instead)}.")
    return {
        **{name: counts[name].table(classes) for name, classes in FIELDS.items()},
        "interrupted": {
            language: {"n": n, "interrupted": interrupted[language]}
            for language, n in sorted(plain.items())
        },
        "by_rules_instead": instead,
        "misses": misses,
    }


def _compared(
    row: LabelledAnswer, read: AnswerReading
) -> Iterator[tuple[str, Collection[str], Collection[str]]]:
    """Yield what was labelled and what was read in each field that is labelled."""
    yield "answers", (row.answers,), (read.answers,)
    yield "wishes", row.wishes, read.wishes
    if row.care is not None:
        yield "care", (row.care,), (read.care,)
    if row.closed is not None:
        closed, closes = bool(row.closed), bool(read.closed)
        named = not closed or names_closed(read.closed, (row.closed,), row.language)
        yield "closed", ("closed",) * closed, ("closed",) * (closes and named)


def _interrupts(row: LabelledAnswer, read: AnswerReading) -> bool:
    """Return whether an answer that is nothing else would be met as something else."""
    return not read.told or bool(read.wishes) or (row.care == "none" and read.care == "acute")


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
    for language, one in result["interrupted"].items():
        share = one["interrupted"] / one["n"]
        yield f"Wrongly interrupted, {language}: {one['interrupted']} of {one['n']} ({share:.2%})"
    yield f"{'field':<8} {'class':<12} {'language':<8} {'n':>7} {'precision':>9} {'recall':>7}"
    for kind, name in ((kind, name) for kind, names in FIELDS.items() for name in names):
        for language, figures in result[kind][name].items():
            precision = figures["precision"]
            shown = "-" if precision is None else f"{precision:.3f}"
            counted = f"{figures['n']:>7} {shown:>9} {figures['recall']:>7.3f}"
            yield f"{kind:<8} {name:<12} {language:<8} {counted}"
    yield f"Misses ({len(result['misses'])} listed):"
    for miss in result["misses"]:
        label, read = _in_words(miss), _in_words(miss["read"])
        yield f"  [{miss['language']}] {label} read as {read}: {miss['answer']}"


def _in_words(fields: dict[str, Any]) -> str:
    closed = f": {fields['closed']}" if fields.get("closed") else ""
    care = fields.get("care") or "none"
    kept = (fields["answers"], *fields["wishes"], *((care,) if care != "none" else ()))
    return " ".join(kept) + closed
