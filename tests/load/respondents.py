"""People of several temperaments, made up: each answer is unlike any other."""

import random
from collections.abc import Iterator

PLACES = ("Riga", "a village by the lake", "Palermo", "the harbour", "a flat over a bakery")
PEOPLE = ("my grandmother", "my brother", "a neighbour called Ilse", "our teacher", "my first boss")
DOINGS = ("told stories", "mended clocks", "sang at the stove", "left for the sea", "kept bees")
FEELINGS = ("and I was proud", "which I only understood later", "and nobody spoke of it again")
LOSSES = (
    "She died that winter and I cried for weeks.",
    "We lost the house in the war, and my father never got over it.",
    "My brother had cancer. I still set a plate for him now and then.",
)
ODD = (
    "<b>That</b> is &amp; was <script>alert(1)</script> my answer 🙂",
    "=1+1; it's what we called the shop, “Uno e uno”.",
    "Мы жили тогда у реки, и бабушка пела по вечерам.",
    "Was? Ach so. Ja, eigentlich schon. 👩‍👩‍👧",
)
HOSTILE = (  # each has frozen something once, or might
    "I lived in Paris " + "so " * 60 + "end",
    "We" + "\n" * 15_900 + "walked",
    "We" + " " * 15_900 + "walked",
    "We" + "-" * 15_900 + "walked",
    "no " * 5_000,
    "um " * 5_000,
    "“" * 5_000,
)
SKIPS = ("I'd rather not say.", "Next question, please.", "Skip this one, please.")


def _sentence(rng: random.Random) -> str:
    who, place = rng.choice(PEOPLE), rng.choice(PLACES)
    return f"In {place}, {who} {rng.choice(DOINGS)}, {rng.choice(FEELINGS)}."


def _terse(rng: random.Random) -> str:
    return rng.choice(("Yes, I think so.", "Not really.", "It was fine.", _sentence(rng)))


def _talkative(rng: random.Random) -> str:
    return " ".join(_sentence(rng) for _ in range(rng.randint(3, 12)))


def _moved(rng: random.Random) -> str:
    return f"{_sentence(rng)} {rng.choice(LOSSES) if rng.random() < 0.5 else _sentence(rng)}"


def _reluctant(rng: random.Random) -> str:
    return rng.choice(SKIPS) if rng.random() < 0.4 else _terse(rng)


def _odd(rng: random.Random) -> str:
    return f"{rng.choice(ODD)} {_sentence(rng) if rng.random() < 0.5 else ''}".strip()


TEMPERAMENTS = {
    "terse": _terse,
    "talkative": _talkative,
    "moved": _moved,
    "reluctant": _reluctant,
    "odd": _odd,
}


def answers(number: int, seed: int, hostile: float = 0.0) -> tuple[str, Iterator[str]]:
    """The temperament of that respondent, and answers without end, each told from the others.

    `hostile` is the share of those that might freeze whatever reads them.
    """
    name = list(TEMPERAMENTS)[number % len(TEMPERAMENTS)]
    rng = random.Random(f"{seed}:{number}")

    def given() -> Iterator[str]:
        count = 0
        while True:
            count += 1
            said = TEMPERAMENTS[name](rng)
            if rng.random() < hostile:
                said = rng.choice(HOSTILE)
            yield said if said in SKIPS else f"{said} ({number}.{count})"

    return name, given()
