"""Sentences that were rewritten stay away, wherever people read them."""

import ast
import re
from pathlib import Path

import pytest
from django.contrib import admin

REWRITTEN = (
    "A conversation in writing",
    "Here you can tell about your life",
    "what turned it",
    "listens and asks on",
    "asks on at",
    "can also leave it empty",
    "With each answer it is noted",
    "Which keys you press is not",
    "lace is kept",
    "Go on",
    "go on with",
    "goes on with",
    "put aside",
    "To the first page",
    "gone on with",
    "has grown old",
    "You may leave out either",
    "Could you say what mattered to you",
    "You have finished here",
    "What stays is that an interview was begun",
    "let us go on",
    "nothing to tell this time",
    "Somebody to turn to",
    "Made of it",
    "fter-work",
    "sks how it was",
    "It is closed",
    "doesn’t want to take part: code",
    "to mend",
    "They hold until",
    "Empty: for good",
    "names gives one interview",
    "Look hurried",
    "look hurried",
    "Intelligence of",
    "Letters of",
    "Work that nobody waits for",
    "wished for in a row",
    "is at a button stays",
    "So many ",
)
PLACES = (
    "README.md",
    "CHANGELOG.md",
    "docs",
    "templates",
    "static",
    "plans",
    "reflections",
    "llm",
    "interviewsite",
    "interviews",
    "locale",
)
READ = {".html", ".js", ".md", ".po", ".py", ".txt", ".yaml"}
ROOT = Path(__file__).parent.parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def shown(path: Path) -> str:
    """Return what people may read of a file: all of a template, the msgids of a catalogue, and
    the strings of a module without its docstrings."""
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".py":
            return "\n".join(strings(ast.parse(text)))
        case ".po":
            lines = re.findall(
                r'^(?:msgid(?:_plural)? )?"(.*)"$', re.sub(r'msgstr.*\n(".*"\n)*', "", text), re.M
            )
            return "".join(lines)
        case _:
            return " ".join(text.split())


def strings(tree: ast.Module) -> list[str]:
    documented = [node for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and node.body]
    docstrings = {
        id(node.body[0].value) for node in documented if isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def rewritten(path: Path) -> list[str]:
    text = shown(path)
    return [words for words in REWRITTEN if words in text]


@pytest.mark.parametrize("place", PLACES)
def test_no_rewritten_sentence_is_back(place):
    files = [f for f in (ROOT / place, *(ROOT / place).rglob("*")) if f.suffix in READ]
    assert files
    found = {str(file.relative_to(ROOT)): rewritten(file) for file in files}
    assert {file: words for file, words in found.items() if words} == {}


def test_sentences_are_found_in_every_kind_of_file(tmp_path):
    for name, text in {
        "a.html": "<p>Go\n  on</p>",
        "a.py": '"""So many words."""\nHELP = f"{1} thing to " "mend"\n',
        "a.po": 'msgid ""\n"This page has "\n"grown old."\nmsgstr ""\n"Go on"\n',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert rewritten(tmp_path / "a.html") == ["Go on"]
    assert rewritten(tmp_path / "a.py") == ["to mend"]
    assert rewritten(tmp_path / "a.po") == ["has grown old"]


def test_the_admin_calls_things_what_they_are():
    names = {str(model._meta.verbose_name_plural) for model in admin.site._registry}
    assert {"e-mails", "model calls"} <= names
    assert not names & {"letters", "calls", "intelligence"}
