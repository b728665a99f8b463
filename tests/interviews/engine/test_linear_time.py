"""No text that people type makes the product work for longer than its length explains."""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
import regex

import interviews
import llm
import plans
import reflections
from interviews.engine.contact_data.detection import SPELLED, confidential
from interviews.engine.contact_data.fields import read_field
from interviews.engine.language import concepts, lists, wishes
from interviews.engine.language.distress import in_distress
from interviews.engine.language.sentences import spaced_sentences
from interviews.engine.reading import read_by_rules, tells_more
from interviews.engine.signal import score
from interviews.protocols.laddering.rules.phrases import sentences
from interviews.protocols.life_story.notes import found_by_rules

PRODUCT = (interviews, plans, reflections, llm)
NOT_OF_PEOPLE = re.compile(r"\.(migrations|admin|apps)(\.|$)")
AGAIN = [
    *("a", "a ", "A ", "a.a", "я", "я ", "م", "م ", "1", "1 ", "12-", "+1 ", "(1) ", "a1 "),
    *(" ", "\n", "\t", " \n", ".", ". ", ",", ", ", "-", " - ", "—", "_", "?", "?!", "“", "”"),
    *('"', "'", "«", "`", "(", "[", "[](", "@", "a@", "a@a.", "/", "<", "&", "#", "*", "| a "),
    *("so ", "no ", "um ", "and ", "please ", "i just ", "e ", "non ", "così ", "y ", "und "),
    *("et ", "ну ", "да ", "и ", "لا ", "يعني ", "no, ", "it is ", "the ", "l'", "don't "),
    *("“x”", "“x” he said. ", "S il y a ", "бывшего ", "просто ", "einfach nur ", "a lot "),
]
END = "\x00"
SIZES = (16, 24, 32, 48, 64, 256, 1_024, 4_096, 16_384)  # characters
TOO_MUCH = 2.25  # times what the longer text explains; with the square of it, it is four times
AT_ONCE = 13  # times as much for a few characters more
LITTLE = 0.002  # seconds that need no explanation
LONG = 4_096  # characters, in which a square that is too much for the longest text shows already
STARTS = (
    "он ",
    "ich will ",
    "i think ",
    "I was born ",
    "I lived in Paris ",
    "i want ",
    "my name is ",
    "хочу ",
)


def modules() -> Iterator[ModuleType]:
    for package in PRODUCT:
        yield package
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not NOT_OF_PEOPLE.search(one.name):
                yield importlib.import_module(one.name)


def patterns_in(value: Any, depth: int = 3) -> Iterator[Any]:
    if isinstance(value, (re.Pattern, regex.Pattern)):
        yield value
    elif depth and isinstance(value, dict):
        for one in value.values():
            yield from patterns_in(one, depth - 1)
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from patterns_in(one, depth - 1)
    elif depth and hasattr(value, "cache_info"):
        yield from built_by(value.__wrapped__, depth)


def built_by(function: Any, depth: int) -> Iterator[Any]:
    """Yield what a cached function without parameters, or with a language for one, builds."""
    code = getattr(function, "__code__", None)
    if code is None or "Pattern" not in str(function.__annotations__.get("return", "")):
        return
    if code.co_argcount == 0:
        yield from patterns_in(function(), depth - 1)
    elif code.co_varnames[: code.co_argcount] == ("language",):
        for language in lists.languages():
            yield from patterns_in(function(language), depth - 1)


def written_in(module: ModuleType) -> Iterator[Any]:
    """Yield the patterns that are written where they are used: `re.sub("…", …)`."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            owner, first = node.func.value, node.args[0]
            is_ours = isinstance(owner, ast.Name) and owner.id in ("re", "regex")
            if is_ours and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield re.compile(first.value)


def of_modules() -> Iterator[tuple[str, Any]]:
    for module in modules():
        for name, value in list(vars(module).items()):
            yield from ((f"{module.__name__}.{name}", one) for one in patterns_in(value))
        yield from ((module.__name__, one) for one in written_in(module))


def looked_for() -> Iterator[tuple[str, Any]]:
    """The lists whose entries are looked for anywhere in a text."""
    for name in get_args(lists.ListName):
        if name in ("impact", "emotion", "names", "examples", "common", "turning"):
            for language in lists.languages():
                yield f"{name}, {language}", lists.beginning(name, language)
    for name, language in product(get_args(lists.GuardName), lists.languages()):
        yield f"{name}, {language}", lists.guarded_words(name, language)


def matched_whole() -> Iterator[tuple[str, Any]]:
    for name in get_args(lists.ListName):
        yield name, lists.listed(name, whole=True)
        for language in lists.languages():
            yield f"{name}, {language}", lists.listed(name, language, whole=True)
    for name, language in product(get_args(lists.GuardName), lists.languages()):
        yield f"{name}, {language}", lists.guarded(name, language)


# what is kept in memory of texts: a reading that was kept would seem to take no time
KEPT = (
    *(concepts._short_senses, concepts._long_senses, concepts.may_be_in),
    *(wishes.plain, wishes.bare, wishes._said, wishes._read),
)


def cost(work: Callable[[str], object], text: str) -> float:
    for kept in KEPT:
        kept.cache_clear()
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


def repeated(again: str, size: int, start: str = "") -> str:
    return start + again * (size // len(again) or 1) + END


def grows_too_fast(
    work: Callable[[str], object], again: str, start: str = "", without: float = 0
) -> bool:
    """Return whether longer texts cost far more than their length explains.

    It stops at the first length that shows it, so that nothing runs for long; and at a long text
    that costs about what it does `without` the start, and four times what a quarter of it does.
    """

    def text(size: int) -> str:
        return repeated(again, size, start)

    before = cost(work, text(SIZES[0]))
    for shorter, longer in pairwise(SIZES):
        now = cost(work, text(longer))
        allowed = longer / shorter * TOO_MUCH if longer >= 4 * shorter else AT_ONCE
        if now > LITTLE and now > allowed * before:
            if now > 1:
                return True
            now = min(cost(work, text(longer)) for _ in range(3))
            before = min(cost(work, text(shorter)) for _ in range(3))
            if now > LITTLE and now > allowed * before:
                return True
        if longer >= LONG and now < max(LITTLE, min(1.5 * without, 5 * before)):
            return False
        before = now
    return False


def grown(work: Callable[[str], object], again: str) -> Iterator[str]:
    """Yield after which starts it takes too long."""
    if grows_too_fast(work, again):
        yield ""
    without = cost(work, repeated(again, LONG))
    yield from (start for start in STARTS if grows_too_fast(work, again, start, without))


def slow(found: Iterator[tuple[str, Any]], *operations: str) -> Iterator[str]:
    every = {pattern: name for name, pattern in found if isinstance(pattern.pattern, str)}
    return (
        f"{name}: {operation} of {again!r} in {pattern.pattern[:90]!r}"
        for pattern, name in every.items()
        for operation in operations
        for again in AGAIN
        if grows_too_fast(operation_of(pattern, operation), again)
    )


def operation_of(pattern: Any, name: str) -> Callable[[str], object]:
    work = getattr(pattern, name)
    return (lambda text: work("", text)) if name == "sub" else work


def test_no_pattern_takes_longer_than_its_text_explains():
    assert [*slow(of_modules(), "sub", "fullmatch")] == []


def test_no_list_takes_longer_than_its_text_explains():
    assert [*slow(looked_for(), "sub")] == []
    assert [*slow(matched_whole(), "fullmatch")] == []


READERS = {
    "reading": lambda text: read_by_rules(text, "en", "Who was there?"),
    "distress": in_distress,
    "more": lambda text: tells_more(text, "care"),
    "signal": lambda text: score(text, "en"),
    "notes": found_by_rules,
    "contact data": lambda text: list(confidential(text)),
    "field": lambda text: read_field("name", text, "en"),
    "sentences": spaced_sentences,
    "clauses": lambda text: sentences(text, "en"),
}


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("name", READERS)
def test_no_answer_takes_longer_to_read_than_its_length_explains(name, again):
    read_by_rules("Stop.", "en", "")  # builds what it looks for
    assert [*grown(READERS[name], again)] == []


@pytest.mark.parametrize("again", ["’", "a’", "+", "-"])
def test_runs_of_signs_are_looked_through_for_addresses_about_as_fast_as_words(again):
    """A pattern keeps the interpreter to itself, and so the whole process waiting."""
    words, signs = (
        min(cost(SPELLED.search, repeated(text, SIZES[-1])) for _ in range(3))
        for text in ("a ", again)
    )
    assert signs < 6 * words


def test_readings_in_memory_give_garbage_collection_little_to_look_through():
    assert len({id(one) for one in concepts.senses("so well house " * 1_000, "en")}) == 3


@pytest.mark.parametrize("pattern", [r"(?:a|a)*b", r"\s+x", r"(?:a+)+$", r"[^”]*”"])
def test_a_pattern_that_grows_is_found(pattern):
    assert any(slow(iter([("one", re.compile(pattern))]), "sub", "fullmatch"))


@pytest.mark.parametrize("start", STARTS)
def test_a_reading_that_grows_after_one_beginning_only_is_found(start):
    def read(text):
        score(text, "en")
        return text.startswith(start) and re.search(r"\s+x", text)

    assert [*grown(read, " ")] == [start]
