"""Which words aren't kept, and what goes with them."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.common_rules import decide, preview, rules_reading
from interviews.engine.contact_data.masking import STRUCK
from interviews.engine.context import TranscriptLine
from interviews.engine.guards import Limits, check
from interviews.engine.reading import Heard, parse
from interviews.engine.strikes import KEY, strike
from interviews.engine.texts import wordings
from tests.each import each
from tests.interviews.engine.tiny import READ, TINY, by_model, settled, turn

FIRST = "I was a clerk. My boss hides cash on an account in Vaduz."
ASKED = "So there was cash in Vaduz. How did you find out?"
SECOND = "By chance. I opened a letter of his."
MARKED = f"I was a clerk. {STRUCK}."


def spoken(*answers: str, language: str = "en", heard: str = "no strike"):
    """A turn at the last of these answers, with a question before each, read as that."""
    lines = []
    for place, text in enumerate(answers[:-1]):
        for role, said in ((SpeakerRole.INTERVIEWER, ASKED if place else "Well?"), (None, text)):
            who = role or SpeakerRole.PARTICIPANT
            kind = EntryKind.QUESTION if role else EntryKind.USER_ANSWER
            lines.append(TranscriptLine(who, kind, said, position=len(lines) + 1))
    ctx = turn(answers[-1], language, transcript=tuple(lines), reading=parse(heard))
    return replace(ctx, received=replace(ctx.received, position=len(lines) + 2))


def kept(ctx) -> list[str]:
    """What is left of the answers."""
    found = strike(ctx).entries
    said = [one for one in ctx.transcript if one.role == SpeakerRole.PARTICIPANT]
    texts = {one.position: one.text for one in said} | {ctx.received.position: ctx.answer}
    return [found.get(place, text) for place, text in texts.items()]


WISH = "Better not write that down."


@each(
    ("heard", "answers", "left"),
    [
        # word for word, whatever its case, spaces and marks
        ("fully strike: My boss hides cash on an account in Vaduz.", [FIRST], [MARKED]),
        ("fully strike: “my boss  hides CASH on an account in Vaduz”", [FIRST], [MARKED]),
        ("no strike: my boss hides cash on an account in Vaduz", [FIRST, SECOND, WISH],
         [MARKED, SECOND, WISH]),
        # named, in the last two answers
        ("no strike: the bit about my boss's account", [FIRST, WISH], [MARKED, WISH]),
        ("no strike: my boss's account", [SECOND, FIRST, "Forget that about my boss's account."],
         [SECOND, MARKED, "Forget that about my boss's account."]),
        ("partly strike: the account", [f"{FIRST} Forget that account."],
         [f"{MARKED} Forget that account."]),
        # a name alone
        ("fully strike: Vaduz", [FIRST, "Vaduz is small. Don't write where."],
         [f"I was a clerk. My boss hides cash on an account in {STRUCK}.",
          f"{STRUCK} is small. Don't write where."]),
        # not to be found: the whole answer, or the one before a mere wish
        ("fully strike", [SECOND, f"{FIRST} {WISH}"], [SECOND, STRUCK]),
        ("fully strike: the elephants", [SECOND, f"{FIRST} {WISH}"], [SECOND, STRUCK]),
        ("no strike", [FIRST, SECOND, WISH], [FIRST, STRUCK, WISH]),
        ("no strike", [WISH], [STRUCK]),
        ("no strike: that", [FIRST, WISH], [STRUCK, WISH]),
        # two of them
        ("fully strike: I was a clerk; strike: I opened a letter of his", [FIRST, SECOND],
         ["[…]. My boss hides cash on an account in Vaduz.", "By chance. […]."]),
    ],
)  # fmt: skip
def test_what_is_struck(heard, answers, left):
    assert kept(spoken(*answers, heard=heard)) == [one.replace("[…]", STRUCK) for one in left]


@each(
    ("language", "told", "wish", "named", "left"),
    [
        ("de", "Ich war Schreiber. Mein Chef hat ein Konto in Vaduz.",
         "Vergessen Sie das wieder, das mit dem Konto.", "das mit dem Konto", "Ich war Schreiber."),
        ("it", "Facevo l'impiegato. Il mio capo ha un conto a Vaduz.",
         "Meglio non scriverlo, quello del conto.", "quello del conto", "Facevo l'impiegato."),
        ("fr", "J'étais employé. Mon chef a un compte à Vaduz.",
         "N'écrivez pas ça, l'histoire du compte.", "l'histoire du compte", "J'étais employé."),
        ("es", "Era empleado. Mi jefe tiene una cuenta en Vaduz.",
         "Mejor no anote eso, lo de la cuenta.", "lo de la cuenta", "Era empleado."),
        ("ru", "Я был писарем. У моего начальника счёт в Вадуце.",
         "Забудьте это, про счёт.", "про счёт", "Я был писарем."),
        ("ar", "كنت كاتبا. مديري يملك حسابا في فادوز.",
         "لا تكتب ذلك، موضوع الحساب.", "موضوع حسابا", "كنت كاتبا."),
    ],
)  # fmt: skip
def test_in_seven_languages(language, told, wish, named, left):
    ctx = spoken(told, wish, language=language, heard=f"no strike: {named}")
    assert kept(ctx) == [f"{left} {STRUCK}.", wish]


def test_what_is_said_of_it_goes_where_it_was_said_after_it():
    found = strike(spoken(FIRST, SECOND, WISH, heard="no strike: My boss hides cash on an account"))
    assert found.entries[3] == f"{STRUCK} How did you find out?"
    assert not found.tells("I was a clerk.", 2)
    assert not found.tells("Well, was he rich?")


@each(
    ("text", "position", "goes"),
    [
        ("Cash lies in Vaduz", 9, True),  # words that nothing else holds
        ("boss: hides money", 2, True),  # as many words of it as of the rest
        ("boss: hides money", 4, True),
        ("Was a clerk of his", 2, False),
        ("Is afraid of the boss", 4, False),  # from another answer
        ("Nothing of it at all", 2, False),
        ("", 2, False),
    ],
)
def test_what_was_drawn_from_it(text, position, goes):
    told = "I was a clerk of his. My boss hides cash in Vaduz."
    ctx = spoken(told, "I fear my boss.", WISH, heard="no strike: My boss hides cash in Vaduz.")
    assert strike(ctx).tells(text, position) is goes


def test_where_nothing_is_left_of_an_answer_nothing_is_kept_of_it():
    found = strike(spoken("It was Vaduz.", WISH))
    assert found.tells("evades taxes", 2)
    assert not found.tells("evades taxes", 9)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=4), st.text(max_size=40))
def test_whatever_is_named_something_goes_and_nothing_is_added(answers, named):
    left = kept(spoken(*answers, heard=f"no strike: {named}"))
    told = any(one.isalnum() for text in answers[-2:] for one in text)
    assert not told or any(STRUCK in text for text in left)
    for rest, text in zip(left, answers, strict=True):
        letters = iter(text)
        assert all(one in letters for one in rest.replace(STRUCK, "") if one.isalnum())


# -- what follows


def struck(answer: str, heard: str, **changes):
    ctx = spoken(FIRST, answer)
    return settled(replace(ctx, **changes), {READ: by_model(Heard(heard=heard))})


def test_a_wish_alone_is_met_and_the_open_question_put_again():
    result = struck(WISH, "no strike: My boss hides cash on an account in Vaduz.")
    first, second = result.utterances
    assert first.text in wordings("en", "struck")
    assert second.text == "What was question 2 about?"
    assert result.reason == "noted"
    assert result.state.number == 2


def test_beside_an_answer_the_next_question_follows():
    result = struck(f"{SECOND} {WISH}", "fully strike: I opened a letter of his.")
    assert result.reason == "next after answer"
    assert result.utterances[0].text in wordings("en", "struck")
    assert result.strike.entries == {4: f"By chance. {STRUCK}. {WISH}"}
    assert "letter" not in str(result.state) + str(result.read_by_rules) + str(result.details)


def test_words_of_danger_are_kept_so_that_people_can_help():
    result = struck("I want to die. Don't write that down.", "fully acute strike: I want to die.")
    assert result.reason == "distress"
    assert result.strike is None
    assert KEY not in result.read_by_rules


def test_what_was_told_in_danger_is_left_and_that_is_not_denied():
    result = struck("Forget that I wanted to die.", "no strike: I wanted to die", care_shown=True)
    assert result.strike is None
    assert KEY not in result.read_by_rules
    assert result.utterances[0].text in wordings("en", "withdraw")
    found = struck(WISH, "no strike: My boss hides cash on an account", care_shown=True)
    assert found.utterances[0].text in wordings("en", "struck")


def test_no_mark_is_ever_said():
    assert check(f"You told me of {STRUCK}. What happened then?", Limits("en")).text == ""
    assert check("You told me of that. What happened then?", Limits("en")).text


def test_rules_do_not_understand_it():
    ctx = spoken(FIRST, WISH)
    rules = rules_reading(TINY, ctx)
    assert rules.floor.wishes == ()


def test_nothing_is_shown_before_it_is_struck():
    ctx = spoken(FIRST, WISH)
    partial = {READ: {"heard": "fully strike: it", "next": "And then?"}}
    assert preview(TINY, ctx, rules_reading(TINY, ctx), {}, partial) == ""
    assert decide(TINY, ctx, {}, rules_reading(TINY, ctx), partial).inquiries
