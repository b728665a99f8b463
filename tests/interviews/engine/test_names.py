"""A name is optional: every text that addresses somebody reads well without one."""

import re
from pathlib import Path

from interviews.engine.texts import NAME, PLACE, _texts, addressed, named
from plans.portability.reader import read_script
from tests.each import each

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = sorted((ROOT / "plans" / "demo" / "scripts").glob("*.yaml"))
LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ru")
# a space or comma where none belongs, a comma before the end, or a place that was left
ODD = re.compile(r"\s[,،.]|[,،]\s*[,،.!?؟]|[ \t]{2}|^[,،\s]|[,،]$|participant_name|\{name\}")
THANKS = "Thank you|Спасибо(?: вам)?|Danke|Merci|Gracias|Grazie"
THANKS_COMMA = re.compile(rf"\b(?:{THANKS})[,،] (?:for|за|für|pour|por|di|per)\b")


@each(
    ("text", "without"),
    [
        ("Thank you, {participant_name}, for your time.", "Thank you for your time."),
        ("Спасибо, {participant_name}, за ответы.", "Спасибо за ответы."),
        ("شكرًا، {participant_name}، على وقتك.", "شكرًا على وقتك."),
        ("Hello, {participant_name}. Let's begin.", "Hello. Let's begin."),
        ("Hello {participant_name}! Let's begin.", "Hello! Let's begin."),
        ("Hello {participant_name}, let's begin.", "Hello, let's begin."),
        ("{participant_name}, thank you.", "Thank you."),
        ("That was it. {participant_name}, thank you.", "That was it. Thank you."),
        ("Thank you, {participant_name}", "Thank you"),
        ("{participant_name}", ""),
    ],
)
def test_where_a_name_stood_the_sentence_closes_up(text, without):
    assert named(text, " ") == without
    assert named(text, "Ann") == text.replace(NAME, "Ann")


@each("path", SCRIPTS)
@each("name", ["", "Ann"])
def test_scripts(path, name):
    script = read_script(path.read_text(encoding="utf-8"), name=path.name)
    for text in (script.intro, script.outro):
        assert not odd(named(text, name))


@each("language", LANGUAGES)
@each("name", ["", "Ann"])
def test_fixed_texts(language, name):
    folders = sorted((ROOT / "interviews").rglob("texts/"))
    texts = [
        text for folder in folders for every in _texts(language, folder).values() for text in every
    ]
    assert any("{name}" in text for text in texts)
    filled = [fill(text, addressed(name, language)) for text in texts]
    assert [text for text in filled if odd(text)] == []


def fill(text, name):
    """The text with the name where it addresses somebody, and a word in each other place."""
    return PLACE.sub("word", re.sub(r"(?<=\w){name}", name, text))


def odd(text):
    return [*ODD.findall(text), *THANKS_COMMA.findall(text)]
