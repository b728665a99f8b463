"""The scripts that ship with the project keep the rules of interviewing that code can check."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from llm.tasks.yaml_files import read_yaml_file
from plans.similarity import alike, normalise
from tests.each import each

FOLDER = Path(__file__).parents[2] / "plans" / "demo" / "scripts"
FULL = ("life_story_en", "life_story_ru")
SHORT = ("life_story_short_en", "life_story_short_ru")
TECHNICAL = ("technical_backend_en", "technical_backend_ru")
SCRIPTS = {name: read_yaml_file(FOLDER / f"{name}.yaml") for name in FULL + SHORT + TECHNICAL}

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
THEMES = {
    "childhood", "family", "school", "work", "money", "health", "relationships", "places",
    "beliefs", "community", "turning-points", "future", "history",
}  # fmt: skip
ASKS_AGAIN = {  # a second question word after a conjunction asks a second question
    "en": re.compile(r"\b(and|or|then) (\w+ )?(what|who|whom|whose|why|how|when|where|which)\b"),
    "ru": re.compile(r"\b(и|или|а) (\w )?(что|чем|кто|кого|кому|почему|как|когда|где|как\w+)\b"),
}
YES_OR_NO = {
    "en": re.compile(
        r"^(do|does|did|is|are|was|were|have|has|had|can|could|would|will|should) ", re.IGNORECASE
    ),
    "ru": re.compile(r"\bли\b", re.IGNORECASE),
}
OPEN = {  # a word that asks for more than yes or no
    "en": re.compile(r"\b(what|who|whom|whose|why|how|when|where|which)\b"),
    "ru": re.compile(
        r"\b(что|чего|чему|чем|чём|кто|кого|кому|кем|ком|как|как(ой|ая|ое|ие|ую|им|их|ом|ими|ого|ому)"
        r"|каков\w*|почему|зачем|чь[еёяи]\w*|когда|где|куда|откуда|сколько|насколько)\b"
    ),
}
# "вы" takes the plural, so that nobody is addressed as a man or as a woman.
GENDERED = re.compile(r"\bвы( \w+)? \w+л(а|ся|ась)?\b|\w\(а\)|\bвы (\w+ )?(сам|сама|рад|рада)\b")


def questions(script: dict[str, Any]) -> list[dict[str, Any]]:
    return [question for section in script["sections"] for question in section["questions"]]


@pytest.fixture(params=SCRIPTS)
def script(request: pytest.FixtureRequest) -> dict[str, Any]:
    return SCRIPTS[request.param]


def test_the_full_scripts_are_whole_lives() -> None:
    for name in FULL:
        sections = {section["key"] for section in SCRIPTS[name]["sections"]}
        assert len(sections) >= 12
        assert sections >= THEMES
        assert len(questions(SCRIPTS[name])) == 110


@pytest.mark.parametrize(("short", "full"), list(zip(SHORT, FULL, strict=True)))
def test_the_short_scripts_are_a_selection_that_can_be_finished(short: str, full: str) -> None:
    asked = {question["key"]: question for question in questions(SCRIPTS[full])}
    assert len(SCRIPTS[short]["sections"]) == 5
    assert len(questions(SCRIPTS[short])) == 12
    for question in questions(SCRIPTS[short]):
        same = {**asked[question["key"]], "block_seconds": question["block_seconds"]}
        assert question == same
        assert 120 <= question["block_seconds"] <= 180


TOLD = {  # minutes, as the start page tells them, and as the introduction does
    "life_story_en": (300, "about five hours"),
    "life_story_ru": (300, "около пяти часов"),
    "life_story_short_en": (30, "about half an hour"),
    "life_story_short_ru": (30, "около получаса"),
}


@each("name", TOLD)
def test_times_add_up_to_what_participants_are_told(name: str) -> None:
    minutes, words = TOLD[name]
    bots = read_yaml_file(FOLDER.parent / "bots.yaml")["bots"]
    (bot,) = (bot for bot in bots if name in bot["scripts"])
    script = SCRIPTS[name]
    assert sum(question["block_seconds"] for question in questions(script)) == minutes * 60
    assert bot["minutes"] == minutes
    assert words in script["intro"]
    assert words not in bot["texts"][script["language"]]["summary"]  # pages tell it by `minutes`


@each("name", FULL + SHORT)
def test_every_question_has_one_or_two_probes_of_its_own(name: str) -> None:
    language, found = SCRIPTS[name]["language"], []
    for question in questions(SCRIPTS[name]):
        probes = question["probes"].splitlines()
        assert 1 <= len(probes) <= 2, question["key"]
        assert not any(alike(probe, question["text"]) for probe in probes), question["key"]
        assert not any(alike(*pair) for pair in combinations(probes, 2)), question["key"]
        found += probes
    assert len(set(found)) == len(found)
    for probe in found:
        check_form(probe, language)


@pytest.mark.parametrize(("english", "russian"), [FULL, SHORT])
def test_probes_run_in_parallel(english: str, russian: str) -> None:
    pairs = zip(questions(SCRIPTS[english]), questions(SCRIPTS[russian]), strict=True)
    uneven = [
        e["key"]
        for e, r in pairs
        if len(e["probes"].splitlines()) != len(r["probes"].splitlines())
        or ("guidance" in e) != ("guidance" in r)
    ]
    assert uneven == []


# What asks for sorrow; each says in words of its own that it may be left.
HARD = {
    "childhood-hardest", "war", "loss-of-someone", "serious-illness", "discrimination",
    "worst-experience",
}  # fmt: skip


@pytest.mark.parametrize("name", FULL)
def test_few_questions_ask_for_sorrow_and_no_section_ends_on_one(name: str) -> None:
    by_key = {question["key"]: question for question in questions(SCRIPTS[name])}
    openings = [" ".join(by_key[key]["text"].split()[:3]) for key in HARD]
    assert len(set(openings)) == len(HARD)
    assert all("guidance" in by_key[key] for key in HARD)
    for section in SCRIPTS[name]["sections"]:
        assert section["questions"][-1]["key"] not in HARD
        assert section["questions"][0]["key"] not in HARD
        assert sum(question["key"] in HARD for question in section["questions"]) <= 1


@pytest.mark.parametrize("name", TECHNICAL)
def test_technical_scripts_go_from_easy_to_hard_and_say_what_good_answers_hold(name: str) -> None:
    sections = SCRIPTS[name]["sections"]
    assert len(sections) >= 8
    assert len(questions(SCRIPTS[name])) >= 25
    for section in sections:
        times = [question["block_seconds"] for question in section["questions"]]
        assert times == sorted(times)
    weak = {"en": "Weak answers", "ru": "Слабые ответы"}[SCRIPTS[name]["language"]]
    for question in questions(SCRIPTS[name]):
        good, _, bad = question["guidance"].partition(weak)
        assert good.count(";") >= 2, question["key"]  # several points to look for
        assert bad.strip(" :."), question["key"]


@each(("english", "russian"), [FULL, SHORT, TECHNICAL])
def test_the_languages_run_in_parallel(english: str, russian: str) -> None:
    def outline(name: str) -> list[Any]:
        return [
            (section["key"], [(q["key"], q["block_seconds"]) for q in section["questions"]])
            for section in SCRIPTS[name]["sections"]
        ]

    assert outline(english) == outline(russian)
    assert (SCRIPTS[english]["language"], SCRIPTS[russian]["language"]) == ("en", "ru")


def test_the_form_is_complete(script: dict[str, Any]) -> None:
    assert set(script) == {"format", "version", "name", "language", "intro", "outro", "sections"}
    assert (script["format"], script["version"]) == ("interviewsite/script", 1)
    for section in script["sections"]:
        assert set(section) == {"key", "title", "questions"}
        assert section["title"].strip()
    for question in questions(script):
        required = {"key", "text", "objective", "block_seconds"}
        assert required <= set(question) <= required | {"guidance", "probes"}
        assert 120 <= question["block_seconds"] <= 600
        assert all(question[field].strip() for field in question if field != "block_seconds")


def test_keys_are_unique_slugs(script: dict[str, Any]) -> None:
    for keys in (
        [section["key"] for section in script["sections"]],
        [question["key"] for question in questions(script)],
    ):
        assert len(keys) == len(set(keys))
        assert all(SLUG.fullmatch(key) for key in keys)


def test_objectives_are_distinct(script: dict[str, Any]) -> None:
    objectives = [question["objective"] for question in questions(script)]
    assert len({normalise(objective) for objective in objectives}) == len(objectives)
    assert [pair for pair in combinations(objectives, 2) if alike(*pair)] == []


def test_no_two_questions_are_alike(script: dict[str, Any]) -> None:
    texts = [question["text"] for question in questions(script)]
    assert [pair for pair in combinations(texts, 2) if alike(*pair)] == []


def test_each_question_asks_one_open_thing(script: dict[str, Any]) -> None:
    for question in questions(script):
        check_form(question["text"], script["language"])


def check_form(text: str, language: str) -> None:
    assert text.endswith("?"), text
    assert text.count("?") == 1, text
    assert not ASKS_AGAIN[language].search(text.lower()), text
    assert not YES_OR_NO[language].search(text), text
    assert OPEN[language].search(text.lower()), text


def test_hard_questions_are_optional_and_late(script: dict[str, Any]) -> None:
    """No section opens with a question that begs leave, and nothing is asked for in the closing."""
    leave = re.compile(r"^(if|only|если вам|если вы|если это|если захо|если хоч|ровно)\b", re.I)
    for section in script["sections"]:
        assert not leave.match(section["questions"][0]["text"])
    assert "?" not in script["outro"]
    assert "?" not in script["intro"]


def test_only_the_name_is_filled_in(script: dict[str, Any]) -> None:
    said = script["intro"] + script["outro"]
    assert set(re.findall(r"\{[^}]*\}", said)) == {"{participant_name}"}
    for field in ("intro", "outro"):
        assert script[field].replace("{participant_name}", "").count("{") == 0
    for question in questions(script):
        assert not {"{", "}"} & set("".join(str(value) for value in question.values()))


@each("name", [FULL[1], SHORT[1], TECHNICAL[1]])
def test_russian_assumes_nobodys_sex(name: str) -> None:
    spoken = [SCRIPTS[name]["intro"], SCRIPTS[name]["outro"]]
    for question in questions(SCRIPTS[name]):
        spoken += [question["text"], *question.get("probes", "").splitlines()]
    assert [text for text in spoken if GENDERED.search(text.lower())] == []
