"""Guards on what is said: each against a model that breaks it, and what is shown meanwhile."""

import re
from itertools import chain, pairwise, product
from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import settings as steady
from hypothesis import strategies as st

import interviews
from interviews.engine import guards
from interviews.engine.guards import (
    LONGEST,
    Limits,
    check,
    check_statement,
    names_closed,
    safe_prefix,
    safe_statement,
    without_praise,
)
from interviews.engine.language.lists import NEVER, GuardName, guarded, languages
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from llm.tasks.yaml_files import read_yaml_file
from tests.each import each

POOL = read_yaml_file(Path(__file__).parent / "utterances.yaml")
GOOD = [(language, text) for language, texts in POOL["good"].items() for text in texts]
BAD = [
    (guard, language, text)
    for guard, languages in POOL["bad"].items()
    for language, texts in languages.items()
    for text in texts
]
ASKED = {
    "en": "What came then?",
    "it": "E poi che cosa è successo?",
    "ru": "Что было потом?",
    "es": "¿Qué pasó después?",
    "de": "Was geschah dann?",
    "fr": "Que s'est-il passé ensuite ?",
    "ar": "ماذا حدث بعد ذلك؟",
}
PRIVATE = "The bot keeps the canary word zephyrine to itself at all times, code Blue-4417."


def taken_back(shown: list[str]) -> list[str]:
    return [before for before, after in pairwise(shown) if not after.startswith(before)]


def shown_meanwhile(text: str, limits: Limits) -> list[str]:
    """All that is shown while the text is written letter by letter."""
    return [safe_prefix(text[:end], limits) for end in range(len(text) + 1)]


# -- false alarms


def test_there_are_enough_in_each_of_seven_languages():
    assert (
        set(languages()) == ASKED.keys() == dict(settings.LANGUAGES).keys()
    )  # as the checklist says
    for language in ASKED:
        assert len(POOL["good"][language]) >= 12
        assert len([text for _, tag, text in BAD if tag == language]) >= 8
    assert all(bad.keys() == ASKED.keys() for bad in POOL["bad"].values())


@each(("language", "name"), product(languages(), get_args(GuardName)))
def test_every_guard_has_a_list_in_every_language(language, name):
    assert guarded(name, language).pattern != NEVER


def test_a_language_without_lists_has_those_of_english():
    assert check_statement("Great! I moved there.", Limits("pt")).text == "I moved there."
    assert check_statement("Great! I moved there.", Limits("en-GB")).text == "I moved there."


@each("language", [one for one in ASKED if one != "de"])
def test_a_word_of_one_language_is_no_praise_in_another(language):
    assert without_praise("Prima: com'era?", "de") == "Com'era?"
    assert without_praise("Prima: com'era?", language) == "Prima: com'era?"


@each(("language", "text"), GOOD)
def test_an_ordinary_utterance_passes_untouched(language, text):
    checked = check(text, Limits(language, (PRIVATE,), ("my brother-in-law's trial",)))
    assert checked == (text, ())


@each(("language", "text"), GOOD)
def test_of_an_ordinary_utterance_nothing_shown_is_taken_back(language, text):
    shown = shown_meanwhile(text, Limits(language))
    assert all(text.startswith(draft) for draft in shown)
    assert taken_back(shown) == []
    assert shown[-1] == text


# -- models that break a guard


@each(("guard", "language", "text"), BAD)
def test_what_may_not_be_said_is_left_out(guard, language, text):
    limits = Limits(language)
    if ends_asking(text):
        checked = check(text, limits)
        assert checked.text == ""
    else:
        checked = check(f"{text} {ASKED[language]}", limits)
        assert checked.text == ASKED[language]
    assert checked.firings[0].guard == guard
    assert check_statement(text, limits).text == ""


@each(("guard", "language", "text"), BAD)
def test_what_may_not_be_said_is_never_shown_as_a_whole(guard, language, text):
    for draft in shown_meanwhile(f"{text} {ASKED[language]}", Limits(language)):
        assert text not in draft


@each(
    ("text", "said", "guards"),
    [
        ("Who was there? What did they say?", "Who was there?", ["one_question"]),
        ("Who? My aunt?", "Who? My aunt?", []),
        (
            "Your aunt? What was she like? And he?",
            "Your aunt? What was she like?",
            ["one_question"],
        ),
        ("Who was there? I was.", "Who was there?", ["own_answer"]),
        ("It was late.", "", ["no_question"]),
        ("", "", ["no_question"]),
        ("One. Two. Three. Four. Who?", "One. Two. Three. Who?", ["too_long"]),
        ("Did he?!", "Did he?!", []),
        ("Great, and who was there?", "And who was there?", ["praise"]),
        ("It was late. Great, and who was there?", "It was late. And who was there?", ["praise"]),
        ("You should see a doctor. Who was there?", "Who was there?", ["advice"]),
        ("It was late, and you should see a doctor. Who was there?", "Who was there?", ["advice"]),
        ("You're so right, and who was there?", "And who was there?", ["verdict"]),
        ("I'm sorry for your loss, and what was she like?", "And what was she like?", ["stock"]),
        ("Who has the key, and what is its password?", "Who has the key?", ["contact"]),
        ("Who has the key and what is your phone number?", "Who has the key?", ["contact"]),
        ("How was the shop, and how is your brother?", "How was the shop?", ["closed_subject"]),
        ("How is your brother, and who has the key?", "", ["closed_subject"]),  # “he” may follow
        ("You should see a doctor, and who has the key?", "", ["advice"]),  # … and “them”
        ("What is its password and who has it?", "", ["contact"]),
        ("I'm an AI, not a person. Who was there?", "I'm an AI, not a person. Who was there?", []),
        ("</answer> Who was there?", "", ["leak"]),
        ("The canary word zephyrine to itself at all times, who knew?", "", ["leak"]),
        ("Was it blue 4417 that you saw?", "", ["leak"]),
        ("It is Blue-4417. Who was there?", "", ["leak"]),  # what follows may belong to it
        ("И кто сидел тогда рядом с вами?", "", ["language"]),
        ("Und wer hat damals in der Schule neben Ihnen gesessen?", "", ["language"]),
        ("How is your brother today?", "", ["closed_subject"]),
        ("Your brother was there. Who else?", "Who else?", ["closed_subject"]),
        ("What did the old stove look like?", "", ["repeat"]),
    ],
)
def test_what_is_left_of_an_utterance(text, said, guards):
    limits = Limits("en", (PRIVATE,), ("my brother",), ("What did the old stove look like?",))
    checked = check(text, limits)
    assert (checked.text, [one.guard for one in checked.firings][:1]) == (said, guards)


@each(
    ("language", "text", "said"),
    [
        ("it", "Chi ha la chiave e qual è la password?", "Chi ha la chiave?"),
        ("it", "Ottimo, e chi c'era?", "E chi c'era?"),
        ("ru", "У кого ключ, и какой у вас пароль?", "У кого ключ?"),
        ("ru", "Отлично, а кто там был?", "А кто там был?"),
        ("es", "¿Quién tiene la llave y cuál es la contraseña?", "¿Quién tiene la llave?"),
        ("de", "Wer hat den Schlüssel, und wie lautet das Passwort?", "Wer hat den Schlüssel?"),
        ("de", "Prima, und wer war da?", "Und wer war da?"),
        ("fr", "Qui a la clé et quel est le mot de passe ?", "Qui a la clé ?"),
        ("ar", "من لديه المفتاح، وما هي كلمة المرور؟", "من لديه المفتاح؟"),
        ("ar", "رائع، ومن كان هناك؟", "ومن كان هناك؟"),
    ],
)
def test_a_joined_clause_costs_no_question_in_any_language(language, text, said):
    assert check(text, Limits(language)).text == said


def test_nothing_is_left_of_a_statement_that_leaks():
    told = check_statement("Only the two of us. It is Blue-4417.", Limits("en", (PRIVATE,)))
    assert (told.text, [one.guard for one in told.firings]) == ("", ["leak"])


def test_saying_that_it_is_no_person_is_not_taken_for_the_opposite():
    told = check_statement("No soy una persona, soy una inteligencia artificial.", Limits("es"))
    assert (told.text[:6], told.firings) == ("No soy", ())


def test_a_text_without_end_is_refused():
    words = "and the bees came over the hill again " * 40
    checked = check(f"So {words}, didn't they?", Limits("en"))
    assert len(words) > LONGEST
    assert (checked.text, checked.firings[0].guard) == ("", "too_long")


def test_contact_data_may_be_asked_for_in_its_phase_but_never_a_password():
    allowed = Limits("en", may_ask_contact=True)
    assert check("What is your phone number?", allowed).text
    assert not check("What is your password?", allowed).text


@each(
    ("subject", "text", "names"),
    [
        ("my brother", "What did your brother say?", True),
        ("my brother", "What happened at work?", False),
        ("what happened that summer", "What happened next?", False),
        ("things like that", "What do you like about it?", False),
    ],
)
def test_a_subject_is_closed_by_the_words_that_carry_it(subject, text, names):
    assert names_closed(text, (subject,), "en") is names


def test_a_statement_asks_nothing_and_is_short():
    text = "It was late. Who came? The stove was cold. Nobody spoke."
    checked = check_statement(text, Limits("en"))
    assert checked.text == "It was late. The stove was cold."
    assert [one.guard for one in checked.firings] == ["asks", "too_long"]


# -- sentences


@each(
    ("text", "parts"),
    [
        ("You saw Dr. Smith. Why?", ["You saw Dr. Smith.", "Why?"]),
        ("You and J. R. Smith met. Why?", ["You and J. R. Smith met.", "Why?"]),
        ("In Node.js it costs 3.50. Why?", ["In Node.js it costs 3.50.", "Why?"]),
        ("So you left… and wrote. Why?", ["So you left… and wrote.", "Why?"]),
        ('She said "Why?" and left. Who?', ['She said "Why?" and left.', "Who?"]),
        ("Elle dit « Et alors ? » Qui ?", ["Elle dit « Et alors ? »", "Qui ?"]),
        ("كان متأخرا. من جاء؟", ["كان متأخرا.", "من جاء؟"]),
        ("`a ? b : c` is it. Why?", ["`a ? b : c` is it.", "Why?"]),
        ("", []),
    ],
)
def test_where_a_sentence_ends(text, parts):
    assert spaced_sentences(text) == parts


# -- what is shown while it is written


def test_a_long_first_sentence_grows_word_by_word():
    text = "The house by the river stood empty " * 9 + "for years. Who lived there before?"
    shown = shown_meanwhile(text, Limits("en"))
    assert len(set(shown)) > 50
    assert all(text.startswith(draft) for draft in shown)


@each(
    ("written", "shown"),
    [
        ("", ""),
        ("The two", ""),
        ("The two of us", "The two of"),
        ("The two of us w", "The two of us"),
        ("It was cold. Wh", "It was cold."),
        ("They paid me 3.", "They paid me"),
        ("You built it in Node.", "You built it in"),
        ("It was cold. You should see a doctor. ", "It was cold."),
        ("It was cold. Your brother was too. ", "It was cold."),
        ("It was cold. How is your brother?", ""),
    ],
)
def test_how_much_is_shown(written, shown):
    assert safe_prefix(written, Limits("en", closed=("my brother",))) == shown


ASKED_BEFORE = (
    "What did the old stove look like?",
    "You baked at night. How did you arrive at a factor of 1.35?",
)


@each(
    ("written", "shown"),
    [
        ("What did the old sto", ""),
        ("What did the old stove look like?", ""),
        ("What did the old stove cost y", "What did the old stove cost"),
        ("What did the stove lo", "What did the stove"),
        ("“What did the old stove lo", ""),
        ("How did you arrive at a fac", ""),
        ("How did you arrive at the mi", "How did you arrive at the"),
        ("You baked at night. How did you arrive at a fac", "You baked at night."),
    ],
)
def test_a_question_is_not_shown_while_it_may_become_one_of_before(written, shown):
    assert safe_prefix(written, Limits("en", asked=ASKED_BEFORE)) == shown


@pytest.mark.parametrize("repeated", ["What did the old stove look like?", "Why 1.35, of all?"])
def test_of_a_question_asked_again_word_for_word_nothing_is_shown(repeated):
    limits = Limits("en", asked=("So it was warm. What did the old stove look like?", repeated))
    assert check(repeated, limits).text == ""
    assert set(shown_meanwhile(repeated, limits)) == {""}


def test_a_figure_ends_no_question():
    limits = Limits("en", asked=("How did you arrive at a rush factor of 1.35?",))
    assert check("Which paper has a waste of 2.35?", limits).text


# -- how much is shown of what is refused later


def taken_back_words(text: str, language: str) -> bool:
    """Whether anything was shown, word by word, that isn't said in the end."""
    limits, words = Limits(language), text.split(" ")
    said = check(text, limits).text
    meanwhile = (safe_prefix(" ".join(words[:end]) + " ", limits) for end in range(len(words)))
    return any(shown and not said.startswith(shown) for shown in meanwhile)


def refused_after_it_was_shown() -> int:
    asking = [(one, text if ends_asking(text) else f"{text} {ASKED[one]}") for _, one, text in BAD]
    return sum(taken_back_words(text, language) for language, text in asking)


def test_of_few_bad_utterances_a_word_is_shown_and_without_looking_ahead_of_most(monkeypatch):
    assert refused_after_it_was_shown() <= 0.07 * len(BAD)
    monkeypatch.setattr(guards, "_may_be_refused", lambda draft, language: False)
    assert refused_after_it_was_shown() > 0.5 * len(BAD)


# "If it hurts you should see a doctor", "That is a great story" …
MAY_BECOME_BAD = (
    *("If", "I think", "That is a ", "You're right, ", "Vous avez raison, "),
    *("Das ist eine ", "Sie sollten "),
)


@each(("language", "text"), GOOD)
def test_an_ordinary_utterance_begins_to_be_shown_within_three_words(language, text):
    if not text.startswith(MAY_BECOME_BAD):
        words = text.split(" ", 4)[:4]
        assert safe_prefix(" ".join(words), Limits(language))


def test_a_statement_is_shown_sentence_by_sentence():
    limits = Limits("en")
    assert safe_statement("Only Anna re", limits) == ""
    assert safe_statement("Only Anna reads it.", limits) == "Only Anna reads it."
    assert safe_statement("Only Anna reads it. It is ke", limits) == "Only Anna reads it."


SENTENCES = {
    "good": [
        "It was cold that winter.",
        "You saw Dr. Smith there.",
        "It cost 3.50 euros.",
        "You left… and wrote to her.",
        "You use Node.js for that.",
        'She said "Why?" and left.',
        "The two of you, then, were alone in the house.",
    ],
    "bad": [
        "You should see a doctor.",
        "That's correct.",
        "What a great answer.",
        "Your brother was there.",
        "See www.example.org for it.",
    ],
}
QUESTIONS = {
    "good": ["Who was there?", "What did “home” mean to you?", "How long did it take?"],
    "bad": ["How is your brother?", "What is your phone number?", "Have you tried running away?"],
}
LIMITS = Limits("en", (PRIVATE,), ("my brother",))
good_texts = st.tuples(
    st.lists(st.sampled_from(SENTENCES["good"]), max_size=3), st.sampled_from(QUESTIONS["good"])
).map(lambda parts: " ".join((*parts[0], parts[1])))
any_texts = st.lists(
    st.sampled_from([*chain(*SENTENCES.values(), *QUESTIONS.values())]), max_size=6
).map(" ".join)


@steady(max_examples=60, deadline=None)
@given(good_texts)
def test_good_texts_are_never_taken_back(text):
    assert check(text, LIMITS) == (text, ())
    shown = shown_meanwhile(text, LIMITS)
    assert shown[-1] == text
    assert taken_back(shown) == []


@steady(max_examples=60, deadline=None)
@given(any_texts)
def test_words_are_taken_back_only_where_the_question_or_a_begun_sentence_is_refused(text):
    final = check(text, LIMITS)
    first_is_bad = without_praise(text, "en").startswith(tuple(SENTENCES["bad"]))
    for end in range(0, len(text) + 1, 3):
        draft = safe_prefix(text[:end], LIMITS)
        assert final.text.startswith(draft) or final.text == "" or first_is_bad


@steady(max_examples=200, deadline=None)
@given(st.text(alphabet="Ab .?!…\"'«»`3\n", max_size=60))
def test_any_text_is_cut_without_loss(text):
    assert "".join(spaced_sentences(text)).replace(" ", "") == "".join(text.split())
    said = check(text, LIMITS).text
    assert said == "" or ends_asking(said)
    safe_prefix(text, LIMITS)
    safe_statement(text, LIMITS)


# -- praise


@each(
    ("language", "text"), [(language, text) for guard, language, text in BAD if guard == "praise"]
)
def test_praise_is_cut_from_the_beginning(language, text):
    assert without_praise(f"{text} Well then?", language) == "Well then?"


# -- prompts

PROMPTS = sorted(Path(interviews.__file__).parent.glob("**/prompts/*.md"))
QUOTED = re.compile(r'"([^"]*)"|“([^”]*)”')


def examples(path: Path) -> list[str]:
    """Return what a prompt shows as good, and its other questions but those shown as bad."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        shown = line.partition("Bad:")[0]
        good = shown.partition("Good:")[2]
        quoted = ("".join(either) for either in QUOTED.findall(good or shown))
        found += [text for text in quoted if text and (good or text.find("?") == len(text) - 1)]
    return found


@each(("path", "text"), [(path, text) for path in PROMPTS for text in examples(path)])
def test_examples_of_prompts_are_no_leak_and_pass(path, text):
    limits = Limits("en", guards.prompts_of(path.parent))
    checked = (check if ends_asking(text) else check_statement)(text, limits)
    assert checked == (text, ())


def test_there_are_examples():
    assert sum(len(examples(path)) for path in PROMPTS) > 30
    said = "What does being patient with them mean in your life?"
    assert any(said in examples(path) for path in PROMPTS)


def test_what_a_prompt_says_besides_is_a_leak():
    for path in PROMPTS:
        system = path.read_text(encoding="utf-8").partition("# System")[2]
        told = max(QUOTED.sub("|", system).replace("\n", "|").split("|"), key=len)
        limits = Limits("en", guards.prompts_of(path.parent))
        assert check_statement(f"It says: {told}", limits).text == ""
