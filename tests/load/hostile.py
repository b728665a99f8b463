"""Answers that cost careless patterns seconds: repetitions, runs and salads, the same by a seed."""

import random
from collections.abc import Callable
from dataclasses import dataclass

LONGEST = 16_000  # characters that a site takes
DEADLY = {
    "words that repeat": "I lived in Paris " + "so " * 60 + "end",
    "line breaks between two words": "loud" + "\n" * 15_900 + "heavy",
}
FILLERS = {
    "ar": ("يعني", "طيب", "لا", "و", "ثم", "أنا", "كنت", "في", "بيت", "أمي"),
    "de": ("also", "na ja", "ja", "und", "dann", "ich", "war", "im", "Haus", "nicht"),
    "en": ("so", "well", "no", "and", "then", "I", "was", "in", "house", "not"),
    "es": ("pues", "bueno", "no", "y", "luego", "yo", "era", "en", "casa", "nada"),
    "fr": ("bon", "ben", "non", "et", "puis", "je", "c’était", "dans", "maison", "pas"),
    "it": ("allora", "beh", "no", "e", "poi", "io", "ero", "in", "casa", "non"),
    "ru": ("ну", "вот", "нет", "и", "потом", "я", "был", "в", "доме", "не"),
}
SPACES = (" ", "  ", "\t", "\n", "\r\n", "\n\n", "\u00a0", "\u2028", " \n ")
DASHES = ("-", "–", "—", " - ", "--", "‑", "_", ".", ",", "...", "?!", "/", "@", "+", "'", "’")
QUOTES = ('"', "“", "”", "«", "»", "„", "'", "‘", "(", ")", "[", "]", "{", "<b>", "</b>", "`")
Shape = Callable[[random.Random, tuple[str, ...], int], str]


@dataclass(frozen=True)
class Answer:
    """What is sent to a bot in a language, and what made it."""

    bot: str
    language: str
    name: str
    text: str

    def __str__(self) -> str:
        start = f"{self.text[:60]!a}{'…' if len(self.text) > 60 else ''}"
        return f"{self.bot}, {self.language}, {self.name}: {start} ({len(self.text):,} characters)"


def _filled(text: str, length: int) -> str:
    return (text * (length // len(text) + 1))[:length]


def _repetition(rng: random.Random, words: tuple[str, ...], length: int) -> str:
    return _filled(" ".join(rng.choices(words, k=rng.randint(1, 3))) + rng.choice(SPACES), length)


def _run(signs: tuple[str, ...]) -> Shape:
    """One word, a run of one sign or a few, and another word."""

    def shape(rng: random.Random, words: tuple[str, ...], length: int) -> str:
        run = "".join(rng.choices(signs, k=rng.choice((1, 1, 2, 5))))
        return f"{rng.choice(words)}{_filled(run, length)}{rng.choice(words)}"

    return shape


def _digits(rng: random.Random, words: tuple[str, ...], length: int) -> str:
    between = ("", "", *SPACES, *DASHES)
    return "".join(f"{rng.randrange(10 ** rng.randint(1, 9))}{rng.choice(between)}" for _ in range(
        length // 4
    ))  # fmt: skip


def _letters(rng: random.Random, words: tuple[str, ...], length: int) -> str:
    return _filled(rng.choice("".join(words)) + rng.choice(("", "", " ", "-", ".")), length)


def _salad(rng: random.Random, words: tuple[str, ...], length: int) -> str:
    signs = (" ", " ", " ", *SPACES, *DASHES, *QUOTES)
    return "".join(rng.choice(words) + rng.choice(signs) for _ in range(length // 4))


def _sentence(rng: random.Random, words: tuple[str, ...], length: int) -> str:
    """Something said, a repetition, and an end that lets patterns try all of it again."""
    said = " ".join(rng.choices(words, k=8))
    return f"{said} {_repetition(rng, words, length)} {rng.choice(words)}{rng.choice('.?!…:')}"


SHAPES: dict[str, Shape] = {
    "a repetition": _repetition,
    "a run of spaces": _run(SPACES),
    "a run of dashes": _run(DASHES),
    "a run of quotes": _run(QUOTES),
    "digits": _digits,
    "letters": _letters,
    "a word salad": _salad,
    "a sentence and a repetition": _sentence,
}


def generated(bot: str, language: str, number: int, seed: int) -> Answer:
    """Return the answer of that number; short ones are as frequent as long ones."""
    rng = random.Random(f"{seed} {language} {number}")
    name = rng.choice(list(SHAPES))
    text = SHAPES[name](rng, FILLERS[language], int(10 ** rng.uniform(1, 4.2)))[:LONGEST]
    return Answer(bot, language, f"{name} (number {number})", text)
