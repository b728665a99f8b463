"""Figures of what an interviewer says, over tiny transcripts made by hand."""

import pytest

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.language.sentences import spaced_sentences
from interviews.models import TranscriptEntry, Turn
from reflections.evaluation.interview import Reply
from reflections.evaluation.respondents import Answer
from reflections.evaluation.utterances import (
    echoes_opening,
    patterns,
    put_again,
    shape_of,
    utterance_counts,
)
from tests.each import each

LANGUAGES = ("en", "it", "ru", "de", "es", "fr", "ar")
LAMP = "I was the one with the lamp, on nights when the power failed."
SHOP = "The shop was quiet in winter."


def transcript(*lines, kind=EntryKind.FOLLOW_UP):
    """Return replies: pairs of what was said, and what the interviewer said next.

    A third part says what the answer did for the open question; it is "fully" if left out.
    """
    return [
        Reply(
            entries=(TranscriptEntry(text=text, kind=kind),),
            turn=Turn(number=n, decision={"details": {"answers": (*read, "fully")[0]}}),
            said=said,
        )
        for n, (said, text, *read) in enumerate(lines)
    ]


def counts(*lines, language="en", status=SessionStatus.COMPLETED):
    return utterance_counts(transcript(*lines), language, status)


@each(
    ("said", "text", "language"),
    [
        (LAMP, "So you were the one with the lamp on those nights. What was it like?", "en"),
        (LAMP, "With the lamp, on nights like that, who sat beside you?", "en"),
        ("By then I knew the trick.", "The trick. How did it work?", "en"),
        ("I learned it the hard way.", "The hard way sounds like a story. Which bit?", "en"),
        ("And the sound, weirdly.", "The sound, of all things … What would you tell them?", "en"),
        (LAMP, "When you say you had the lamp on those nights, who came?", "en"),
        ("My aunt brought me up.", "Your aunt brought you up? What was she like?", "en"),
        ("It was odd, the hard way, I'd say.", "You said “the hard way”. What happened?", "en"),
        ("La bottega chiudeva in inverno.", "La bottega chiudeva: e lei che faceva?", "it"),
        ("Дед молча показывал.", "Дед показывал молча. А вы?", "ru"),
        ("Der Laden war im Winter still.", "Im Winter war der Laden still. Und Sie?", "de"),
        ("El taller cerraba en invierno.", "El taller cerraba. ¿Y usted?", "es"),
        ("La boutique fermait en hiver.", "La boutique fermait donc. Et vous ?", "fr"),
        ("كان الدكان هادئا في الشتاء.", "الدكان هادئ في الشتاء. وماذا كنت تفعل؟", "ar"),
    ],
)
def test_an_echo_opens(said, text, language):
    assert echoes_opening(spaced_sentences(text), said, language)


@each(
    ("said", "text"),
    [
        (LAMP, "What did you do with the lamp on nights like that?"),  # a plain question
        (LAMP, "That must have been dark. What was it like with the lamp on such nights?"),
        (LAMP, "What did the lamp look like on such nights, when nobody came?"),
        (LAMP, "Thank you for telling me. What came next?"),
        (SHOP, "You were the one with the lamp. And then?"),  # an earlier answer's words
        ("Yes.", "Yes. And then?"),
        ("", "The lamp on those nights. And then?"),
    ],
)
def test_other_openings_echo_nothing(said, text):
    assert not echoes_opening(spaced_sentences(text), said, "en")


def test_openings_are_counted_over_all_that_is_said_after_an_answer():
    found = counts(
        ("", "So, where does it begin?"),
        (LAMP, "The lamp, on such nights. Who else was there?"),
        ("Nobody.", "So you were alone. How was it?"),
        (SHOP, "What did you sell?"),
    )
    assert (found["echoes"], found["so"]) == ((1, 3), (1, 3))


@each(
    ("language", "text", "opens"),
    [
        ("en", "So what then?", 1),
        ("en", "Something else: what then?", 0),
        ("en", "Also, what then?", 0),
        ("de", "Also, was dann?", 1),
        ("it", "Allora, e dopo?", 1),
        ("it", "«Allora», e dopo?", 1),
        ("ru", "Так что было потом?", 1),
        ("ru", "Такое бывает. А потом?", 0),
        ("es", "Así que se fue. ¿Y luego?", 1),
        ("fr", "Donc, et ensuite ?", 1),
        ("ar", "إذن ماذا حدث؟", 1),
        ("ar", "إذا عدت إلى هناك، ماذا ترى؟", 0),
    ],
)
def test_so_opens_in_each_language(language, text, opens):
    assert counts(("", "?"), ("X", text), language=language)["so"] == (opens, 1)


def test_a_language_without_a_list_is_not_counted():
    found = counts(("", "?"), ("X", "So?"), language="pt")
    assert (found["so"], found["last_word"]) == ((0, 0), (False, False))


@each(
    ("shape", "text"),
    [
        ("question", "What was that like?"),
        ("question", "What did the quiet shop have to do with it?"),
        ("question", "And if you think back, what do you see?"),
        ("question", "Tell me about the first day."),
        ("reaction", "That's a long time. What was it like?"),
        ("reaction", "Oh no! What happened?"),
        ("reaction", "The lamp on those nights, again. What happened?"),  # said long before
        ("taken_up", "In winter the shop was quiet. What did you do?"),
        ("taken_up", "Quiet in winter. What did you do?"),
        ("taken_up", "In winter, when the shop was quiet, what did you do?"),
        ("taken_up", "I see. Your shop was quiet. Who else was there?"),
        ("taken_up", "About “in winter”. What did you do?"),
        ("question", "What did “in winter” mean?"),
        ("side_by_side", "The shop was quiet, and you had the lamp when the power failed. Why?"),
        ("side_by_side", "You said “the lamp”, and “quiet in winter”. How do they go together?"),
        ("side_by_side", "How does “the lamp” go with “quiet in winter”?"),
    ],
)
def test_an_utterance_has_one_of_four_shapes(shape, text):
    assert shape_of(spaced_sentences(text), [LAMP, SHOP], "en") == shape


def test_shapes_are_shares_and_the_longest_run_is_told():
    found = counts(
        ("", "Where does it begin?"),
        (LAMP, "And then?"),
        (LAMP, "I see. And then?"),
        (LAMP, "Good to know. Who came?"),
        (SHOP, "Quiet in winter. Who came?"),
    )
    assert (found["shape_question"], found["shape_reaction"]) == ((1, 4), (2, 4))
    assert (found["shape_taken_up"], found["shape_side_by_side"]) == ((1, 4), (0, 4))
    assert found["longest_run"] == (2, True)


def test_what_is_not_about_the_study_has_no_shape():
    stops = transcript(("", "What then?"), ("Stop.", "Shall we end it?"), kind="stop_request")
    found = utterance_counts(stops, "en", SessionStatus.STOPPED)
    assert (found["shape_question"], found["longest_run"]) == ((0, 0), (0, False))


KETTLE, KETTLE_TOO = "How did you choose the kettle?", "How was the kettle chosen by you?"


@each(
    ("read", "again", "number"),
    [
        ("fully", KETTLE, 1),
        ("fully", "Thank you. " + KETTLE_TOO, 1),
        ("partly", KETTLE, 0),
        ("no", KETTLE_TOO, 0),  # reworded: it wasn't understood
        ("fully", "Who uses it every day?", 0),
    ],
)
def test_a_question_put_again_after_an_answer_is_found(read, again, number):
    found = put_again(transcript(("", KETTLE), ("By its handle.", again, read)), "en")
    assert len(found) == number


def test_a_rewording_of_another_question_is_no_repeat():
    found = transcript(
        ("", KETTLE),
        ("By its handle.", "Who uses it every day?"),
        ("Uses it?", "Who at home makes use of it each day?", "no"),
        ("We all do.", "Back to the first one. " + KETTLE_TOO, "fully"),
    )
    assert [one.turn.number for one in put_again(found, "en")] == [3]


@each(
    ("first", "again", "number"),
    [
        ("What's that like for you?", "What's that like for you?", 0),
        ("Now the price. How is that?", "Now the cable. How is that?", 0),
        ("Now the price. How is that?", "Now the price. How is that?", 1),
        ("What comes to mind at “warm light”?", "What comes to mind at “no cable”?", 0),
        ("What comes to mind at “warm light”?", "What comes to mind at “warm light”?", 1),
    ],
)
def test_what_names_nothing_or_quotes_something_else_is_another_question(first, again, number):
    assert len(put_again(transcript(("", first), ("Fine.", again)), "en")) == number


def test_a_simulated_participant_knows_whether_it_has_answered():
    first, then = transcript(("", KETTLE), ("What do you mean?", KETTLE_TOO))
    then = Reply(then.entries, then.turn, then.said, Answer("ask_back", then.said))
    assert not put_again([first, then], "en")


@each(
    ("language", "text"),
    [
        ("en", "Is there anything else you'd like to tell before we finish?"),
        ("en", "What haven't I asked that I should have?"),
        ("en", "What would surprise the next person here?"),
        ("it", "C'è altro che vorrebbe aggiungere?"),
        ("it", "Che cosa non le ho chiesto?"),
        ("ru", "Что ещё вы хотели бы рассказать?"),
        ("ru", "О чём я не спросила?"),
        ("de", "Möchten Sie noch etwas hinzufügen?"),
        ("de", "Was habe ich nicht gefragt?"),
        ("es", "¿Hay algo más que quiera añadir?"),
        ("fr", "Y a-t-il autre chose que vous aimeriez dire ?"),
        ("ar", "هل هناك شيء آخر تود إضافته؟"),
    ],
)
def test_a_last_word_is_asked_for(language, text):
    assert counts(("", "?"), ("X", text), language=language)["last_word"] == (True, True)


def test_what_the_protocol_calls_its_last_question_is_one_in_whatever_words():
    own = transcript(("", "?"), ("X", "And what of the harbour?"), kind="last_question")
    assert utterance_counts(own, "en", "COMPLETED")["last_word"] == (True, True)


def test_the_last_word_comes_last_and_only_where_nobody_stopped():
    more, lamp = ("A.", "Is there anything else?"), ("A lamp.", "What about the lamp?")
    assert counts(("", "?"), more, lamp)["last_word"] == (True, True)
    assert counts(("", "?"), more, lamp, ("No.", "And what then?"))["last_word"] == (False, True)
    assert (
        counts(("", "?"), ("A.", "What do you clean otherwise, with something else?"))["last_word"][
            0
        ]
        is False
    )
    assert counts(("", "?"), more, status=SessionStatus.STOPPED)["last_word"] == (False, False)
    goodbye = transcript(("No.", "Goodbye, and thank you."), kind=EntryKind.OUTRO)
    ended = utterance_counts([*transcript(("", "?"), more), *goodbye], "en", "COMPLETED")
    assert ended["last_word"] == (True, True)


@pytest.mark.parametrize("what", ["so", "asking", "closing", "leading"])
def test_words_are_listed_in_all_seven_languages(what):
    assert all(patterns(what, language) for language in LANGUAGES)
