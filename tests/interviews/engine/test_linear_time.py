"""No text that people type makes a pattern work for longer than its length explains."""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
import regex

import interviews
import llm
import plans
import reflections
from interviews.engine.language import lists

PRODUCT = (interviews, plans, reflections, llm)
LEFT_OUT = re.compile(r"\.(migrations|admin|apps)(\.|$)")
AGAIN = [  # what is repeated; each is also read with an end that no pattern expects
    *("a", "a ", "A", "é", "я", "я ", "م", "م ", "1", "1 ", "12-", "+1 ", "(1) ", "a1"),
    *(" ", "\n", "\t", " \n", "\r\n", "\u00a0", ".", ". ", "..", ",", ", ", "-", " - ", "—", "_"),
    *("?", "? ", "!", "“", "”", '"', '""', "'", "''", "«", "»", "`", "``", "(", ")", "[", "[]("),
    *("@", "a@", "a@a.", "a.a", "/", "a/", "<", "<a ", "&", "#", "# ", "*", "**", "|", "| a ", "{"),
    *("so ", "no ", "um ", "and ", "please ", "i ", "just ", "really ", "i just ", "can we ", "my "),
    *("e ", "ma ", "non ", "solo ", "così ", "mi ", "y ", "pero ", "sí ", "und ", "so, ", "nur "),
    *("et ", "mais ", "oui ", "je ", "ну ", "да ", "не ", "и ", "просто ", "о ", "لا ", "يعني "),
    *("no, ", "no. ", "it is ", "the ", "a, b and ", "l'", "don't ", "x: ", "1. ", "- a\n", "a\n\n"),
]
ENDS = ("", "\x00", " end")
SHORTEST, LONGEST = 16, 16_384  # characters
TWICE = 3.2  # twice the text may cost so much more; with the square of its length it is four times
LITTLE = 0.002  # seconds of work that no pattern needs to explain


def modules() -> Iterator[ModuleType]:
    for package in PRODUCT:
        yield package
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not LEFT_OUT.search(one.name):
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
        yield from _cached(value, depth)


def _cached(function: Any, depth: int) -> Iterator[Any]:
    """What a cached function without parameters, or with a language for one, returns."""
    code = getattr(function.__wrapped__, "__code__", None)
    hints = getattr(function.__wrapped__, "__annotations__", {})
    if code is None or "Pattern" not in str(hints.get("return", "")):
        return
    if code.co_argcount == 0:
        yield from patterns_in(function(), depth - 1)
    elif code.co_varnames[: code.co_argcount] == ("language",):
        for language in lists.languages():
            yield from patterns_in(function(language), depth - 1)


def written_in(module: ModuleType) -> Iterator[Any]:
    """The patterns that are written where they are used: `re.sub("…", …)`."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            owner, first = node.func.value, node.args[0]
            if isinstance(owner, ast.Name) and owner.id in ("re", "regex"):
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield (re if owner.id == "re" else regex).compile(first.value)


def listed() -> Iterator[Any]:
    for name in get_args(lists.ListName):
        yield lists.listed(name)
        yield lists.listed(name, whole=True)
        yield lists.within(name)
        for language in lists.languages():
            yield lists.beginning(name, language)
            yield lists.in_words_of(language, name)
    for name in get_args(lists.GuardName):
        yield lists.guarded(name)
        yield lists.guarded_words(name)


def every() -> dict[str, tuple[str, Any]]:
    found: dict[Any, str] = {}
    for module in modules():
        for name, value in list(vars(module).items()):
            for pattern in patterns_in(value):
                found.setdefault(pattern, f"{module.__name__}.{name}")
        for pattern in written_in(module):
            found.setdefault(pattern, module.__name__)
    for pattern in listed():
        found.setdefault(pattern, "interviews.engine.language.lists")
    return {f"{i}": (name, pattern) for i, (pattern, name) in enumerate(found.items())}


def cost(work: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


def grows_too_fast(work: Callable[[str], object], again: str, end: str) -> bool:
    """Return whether twice the text is, more than once, far more than twice the work.

    It stops at the first length that shows it, so that nothing runs for long.
    """
    size, before = SHORTEST, LITTLE
    while size <= LONGEST:
        text = again * (size // len(again)) + end
        now = cost(work, text)
        if now > LITTLE and now > TWICE * before:
            now = min(cost(work, text) for _ in range(2)) if now < 1 else now
            half = again * (size // 2 // len(again)) + end
            if now > LITTLE and now > TWICE * max(cost(work, half), LITTLE / 4):
                return True
        size, before = size * 2, max(now, LITTLE / 4)
    return False


OPERATIONS = {
    "sub": lambda pattern: lambda text: pattern.sub("", text),
    "fullmatch": lambda pattern: pattern.fullmatch,
    "search": lambda pattern: pattern.search,
}


def slow(pattern: Any) -> Iterator[str]:
    for name, operation in OPERATIONS.items():
        for again in AGAIN:
            for end in ENDS:
                if not isinstance(pattern.pattern, str):
                    continue
                if grows_too_fast(operation(pattern), again, end):
                    yield f"{name} of {again!r} … {end!r}"
