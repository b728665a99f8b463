"""Reads the catalogues of translations, and the strings of the sources that they must hold."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(settings.BASE_DIR)
PARTS = ("interviews", "interviewsite", "llm", "plans", "reflections")
CALLS = {  # by which a string is marked -> how many of its arguments are strings
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), 1),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"), 2),
}
LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d])?) )?(".*")')
IN_TEMPLATE = re.compile(r"""\b(gettext|ngettext|pgettext)\((.+?)\)\s""")


@dataclass
class Entry:
    """A string and its translations; `plural` is empty for most, `texts` has one for each form."""

    text: str
    plural: str = ""
    context: str = ""
    flags: str = ""
    texts: list[str] = field(default_factory=list)


def catalogue(language: str) -> list[Entry]:
    """All entries of a language's .po file, its header first."""
    path = ROOT / "locale" / language / "LC_MESSAGES" / "django.po"
    blocks = re.split(r"\n{2,}", path.read_text(encoding="utf-8").strip())
    return [_entry(block) for block in blocks]


def _entry(block: str) -> Entry:
    found: dict[str, str] = {}
    flags, current = "", ""
    for line in block.splitlines():
        if line.startswith("#"):
            flags += line if line.startswith(("#,", "#~")) else ""
            continue
        matched = LINE.fullmatch(line)
        if matched is None:
            raise ValueError(f"not a line of a catalogue: {line}")
        current = matched[1] or current
        found[current] = found.get(current, "") + ast.literal_eval(matched[2])
    forms = [found[key] for key in sorted(found) if key.startswith("msgstr")]
    told = (found.get("msgid", ""), found.get("msgid_plural", ""), found.get("msgctxt", ""))
    return Entry(*told, flags, forms)


@cache
def marked() -> frozenset[tuple[str, str]]:
    """Every string that the sources mark for translation: context (mostly empty), and text."""
    return frozenset([*_in_code(), *_in_templates()])


def _in_code() -> Iterator[tuple[str, str]]:
    for part in PARTS:
        for path in sorted((ROOT / part).rglob("*.py")):
            yield from _called(path.read_text(encoding="utf-8"))


def _called(source: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            strings = [one.value for one in node.args[: CALLS.get(name, 0)] if _is_text(one)]
            if strings:
                yield (strings[0], strings[1]) if name[0] == "p" else ("", strings[0])


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _in_templates() -> Iterator[tuple[str, str]]:
    paths = [p for p in (ROOT / "templates").rglob("*") if p.suffix in (".html", ".txt")]
    for path in sorted(paths):
        for name, arguments in IN_TEMPLATE.findall(templatize(path.read_text(encoding="utf-8"))):
            yield from _called(f"{name}({arguments})")
