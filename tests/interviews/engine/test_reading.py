"""What is made of the few words in which a model says what it has heard."""

from itertools import product
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from interviews.engine.reading import (
    AS_ANSWER,
    FIRST,
    MOST_SUBJECT,
    AnswerReading,
    Answers,
    Care,
    Heard,
    Wish,
    as_read,
    choice_of,
    parse,
    stored_reading,
)
from tests.each import each
from tests.readings import heard

ANSWERS, WISHES, LEVELS = get_args(Answers), get_args(Wish), get_args(Care)
INTENTS = ("answer", "dont_know", *FIRST)  # who is ready for one last question answers
WORDS = (*ANSWERS, *WISHES, *LEVELS, "Fully,", "ask-back", "maybe", ":", "")


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(" ".join)))
def test_whatever_is_heard_is_read(said):
    read = parse(said)
    assert read.answers in ANSWERS
    assert set(read.wishes) <= set(WISHES)
    assert len(set(read.wishes)) == len(read.wishes)
    assert read.care in LEVELS
    assert len(read.closed) <= MOST_SUBJECT
    assert read.intent in INTENTS
    assert (read.intent == "answer") >= read.told
    assert not read.closed or read.wants("refuse")
    assert stored_reading({"reading": read.as_stored()}) == read


@given(st.text(alphabet="xyzéп 07.,;!-_"))
def test_in_doubt_it_is_an_answer(said):
    assert parse(said) == AS_ANSWER


@each(
    ("said", "answers", "wishes", "care", "closed"),
    [
        ("fully", "fully", (), "none", ""),
        ("partly stop heavy", "partly", ("stop",), "heavy", ""),
        ("no refuse: my brother", "no", ("refuse",), "none", "my brother"),
        ("unknown", "unknown", (), "none", ""),
        ("fully acute", "fully", (), "acute", ""),
        ("no skip clarify skip", "no", ("skip", "clarify"), "none", ""),
        ("FULLY Ask_Back", "fully", ("ask_back",), "none", ""),
        ("Partly, ask-back; Heavy.", "partly", ("ask_back",), "heavy", ""),
        ("off-topic", "no", ("off_topic",), "none", ""),
        ("no ask-back", "no", ("ask_back",), "none", ""),
        ("skip", "no", ("skip",), "none", ""),  # a wish alone is no answer
        ("skip fully", "fully", ("skip",), "none", ""),
        ("fully, a story about bees", "fully", (), "none", ""),
        ("notable stopping", "fully", (), "none", ""),  # words in words are none
        ("answer none", "fully", (), "none", ""),
        ("heavy", "fully", (), "heavy", ""),
        ("", "fully", (), "none", ""),
        ("никак", "fully", (), "none", ""),
        ("fully: my brother", "fully", ("refuse",), "none", "my brother"),
        ("no skip: the war", "no", ("skip", "refuse"), "none", "the war"),
        ("no refuse:  my \n brother ", "no", ("refuse",), "none", "my brother"),
        ("no refuse: him: and stop", "no", ("refuse",), "none", "him: and stop"),
        ("no refuse:", "no", ("refuse",), "none", ""),
        (": my brother", "fully", ("refuse",), "none", "my brother"),
    ],
)
def test_what_was_heard(said, answers, wishes, care, closed):
    read = parse(said)
    assert (read.answers, read.wishes, read.care, read.closed) == (answers, wishes, care, closed)


@each(
    ("said", "wishes", "closed", "struck", "renamed"),
    [
        ("fully refuse: my son; renamed: Kim", ("refuse", "renamed"), "my son", "", "Kim"),
        ("fully strike: the bit about my boss's account", ("strike",), "",
         "the bit about my boss's account", ""),
        ("no strike", ("strike",), "", "", ""),
        ("Strike : it; was him; RENAMED: Kim", ("strike", "renamed"), "", "it; was him", "Kim"),
        ("no refuse: him; refuse: the war", ("refuse",), "him; the war", "", ""),
        ("no refuse: him; stop heavy", ("refuse", "stop"), "him", "", ""),
        ("no refuse: why they don't come heavy", ("refuse",), "why they don't come", "", ""),
        ("fully strike: a; strike: b;", ("strike",), "", "a; b", ""),
        ("partly renamed: Ann; renamed: \"Anna\"", ("renamed",), "", "", "Anna"),
        ("no refuse: мой брат; renamed: Киммо", ("refuse", "renamed"), "мой брат", "", "Киммо"),
        ("fully renamed", ("renamed",), "", "", ""),
        ("fully renamed:", ("renamed",), "", "", ""),
    ],
)  # fmt: skip
def test_several_subjects_each_after_its_wish(said, wishes, closed, struck, renamed):
    read = parse(said)
    assert (read.wishes, read.closed, read.struck, read.renamed) == (
        wishes,
        closed,
        struck,
        renamed,
    )


@given(st.text())
def test_struck_words_are_never_stored(passage):
    read = parse(f"fully strike: {passage}")
    assert "struck" not in read.as_stored()


def test_a_named_subject_is_cut():
    assert parse(f"no refuse: {'brother ' * 40}").closed == ("brother " * 40)[:MOST_SUBJECT]


@each(("answers", "wish"), list(product(ANSWERS, WISHES)))
def test_an_answer_is_an_answer_whatever_is_wished_beside_it(answers, wish):
    read = parse(f"{answers} {wish}")
    told = answers in ("partly", "fully")
    assert read.told is told
    if wish != "last_one":
        assert read.intent == ("answer" if told else wish)
    assert read.wants(wish)


def test_of_several_wishes_one_is_met_first():
    assert {*FIRST, "last_one"} == set(WISHES)
    for at, wish in enumerate(FIRST):
        assert parse(f"no {' '.join(reversed(FIRST[at:]))}").intent == wish


@each("intent", INTENTS)
def test_one_intent_is_read_as_it_was_heard(intent):
    read = parse(Heard(**heard(intent)).heard)
    assert (read.intent, read) == (intent, AnswerReading(**as_read(intent)))
    assert parse("fully stop acute: him").but(intent).intent == intent


@each(
    ("written", "read"),
    [(None, "fully"), ("", "fully"), ([], ""), (["no", "skip"], "no skip"), ("no", "no")],
)
def test_what_is_left_out_or_listed_is_still_heard(written, read):
    assert Heard.model_validate({"heard": written}).heard == read
    assert Heard().heard == "fully"


@each(
    ("words", "choice"),
    [
        ("yes", "yes"),
        ("No.", "no"),
        ("Continue, please.", "go_on"),
        ("Yes, let's go on. I was telling you about the harbour.", "go_on"),
        ("I said that, nobody is in danger. I have no buttons here. Continue, please.", "go_on"),
        ("Nobody's in danger, he has been dead for years! Of course we go on.", "go_on"),
        ("No, I have nobody to talk to", ""),
        ("Yes, help me", ""),
        ("I can't go on", ""),
        ("They say I should go on.", ""),
    ],
)
def test_the_choice_after_the_care_text(words, choice):
    assert choice_of(words) == choice
