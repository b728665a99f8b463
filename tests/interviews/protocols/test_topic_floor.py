"""What topic exploration says without a model: written questions, plain phrases, no echo."""

import pytest
import yaml

from interviews.engine.language.sentences import asks
from interviews.engine.texts import wordings
from interviews.protocols.topic_exploration.fallback_texts import FOLDER
from plans.protocols.topic_exploration.content import TopicExplorationMaterial
from tests.each import each
from tests.interviews.protocols.exploring import LOW, MEDIUM, Exploring, material, written


def text_of(move):
    return move.utterances[-1].text


def test_a_written_question_is_asked_as_it_stands_and_others_in_one_plain_frame():
    run = Exploring(written(material(minutes=60))).all([MEDIUM, MEDIUM])
    asked = [text_of(move) for move in run.moves]
    assert asked[0] == "Let's begin with choosing a kettle. What of what set it off?"
    assert asked[1].endswith("What of who had a say?")
    assert asked[2].endswith("Could you tell me about what was compared?")


def test_no_word_of_an_answer_comes_back():
    odd = "The zibeline thermostat of Mr. Quillfeather broke at the Michaelmas fair, I remember."
    run = Exploring(material(minutes=30), seconds=30)
    while not run.over and run.state.exploration.phase != "DATA_COLLECTION":
        run.say(odd)
    said = " ".join(text_of(move) for move in run.moves)
    assert not any(w in said for w in ("zibeline", "thermostat", "Quillfeather", "Earlier", "“"))


@pytest.mark.parametrize("language", ["en", "it", "ru", "de", "es", "fr", "ar"])
def test_openings_come_again_only_after_all_were_used(language):
    words = yaml.safe_load((FOLDER / f"{language}.yaml").read_text())
    made = written(material(topics=4, minutes=60))
    seven = tuple(
        made.topics[i % 4].model_copy(update={"key": f"t{i}", "label": f"L{i}", "order": i + 1})
        for i in range(7)
    )
    run = Exploring(made.model_copy(update={"topics": seven}), language=language).all([LOW] * 6)
    used = [text_of(move).split(" What of")[0] for move in run.moves]
    (first,), others = words["first_opening"], words["openings"]
    patterns = [first, *others, *others][:7]
    assert used == [p.replace("{topic}", f"L{i}") for i, p in enumerate(patterns)]
    assert len(set(others)) == len(others) > 2


def test_every_language_has_every_text_and_one_frame_only():
    texts = {path.stem: yaml.safe_load(path.read_text()) for path in FOLDER.glob("*.yaml")}
    assert len(texts) == 7
    for found in texts.values():
        assert found.keys() == texts["en"].keys()
        assert len(found["questions"]) == 1
        assert not any("{word}" in w or "{insight}" in w for ws in found.values() for w in ws)
        for name in ("acknowledgements", "openings", "first_opening", "returns"):
            assert not any(asks(one) for one in found[name])


def test_the_open_question_is_put_in_other_words_and_stays_the_same_after_a_no_to_the_end():
    run = Exploring(written(material(minutes=60))).all([MEDIUM, "What do you mean?"])
    assert text_of(run.moves[-1]).endswith("What of who had a say?")
    run.all(["stop", "no"])
    assert text_of(run.moves[-1]) == "What of who had a say?"


def test_something_hard_opens_a_door_and_the_question_waits_for_it():
    hard = "He died last year, my husband, and he had bought it for us."
    run = Exploring(written(material(minutes=60))).all([MEDIUM, hard])
    assert [u.kind for u in run.last.utterances] == ["transition", "topic_question"]
    assert text_of(run.last) in wordings("en", "door")
    run.say("Yes.")
    assert run.said in wordings("en", "listening")
    run.say("He bought it for my birthday.")
    assert text_of(run.last).endswith("What of an ordinary morning?")


@each(
    ("language", "said"),
    [("en", "Who reads this?"), ("it", "Chi legge queste risposte?"), ("ru", "Кто это читает?")],
)
def test_who_asks_back_is_answered(language, said):
    run = Exploring(written(material(minutes=60)), language=language).all([said])
    assert run.last.reason == "question_back"
    assert text_of(run.last) == "What of what set it off?"


def test_a_plan_without_questions_still_loads():
    stored = material().model_dump(mode="json")
    for topic in stored["topics"]:
        del topic["questions"]
    loaded = TopicExplorationMaterial.model_validate(stored)
    assert loaded.topics[0].question_for(0) == ""
    assert text_of(Exploring(loaded).moves[0]).endswith("tell me about what set it off?")
