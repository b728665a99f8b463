"""What the interviewer of a topic exploration may not say, in seven languages."""

from interviews.protocols.topic_exploration.guards import no_offer, without_closing
from tests.each import each
from tests.interviews.protocols.test_assessment_guards import utterances


@each(("language", "text"), utterances("closing"))
def test_no_goodbye_and_no_promotion_is_said(language, text):
    assert without_closing(text, language)[0] == ""


@each(("language", "text"), utterances("topical"))
def test_what_only_sounds_like_it_is_said(language, text):
    assert without_closing(text, language) == (text, ())


@each(
    ("text", "questions", "why"),
    [
        ("Would you like to continue with up to 6 more questions?", 6, ""),
        ("Möchten Sie mit bis zu 6 weiteren Fragen weitermachen?", 6, ""),
        ("هل نتابع بما لا يزيد على ٦ أسئلة؟", 6, ""),
        ("Would you like to continue with one more question?", 1, ""),
        ("Would you like to continue with 2 more questions?", 6, "another number of questions"),
        ("What about the lid?", 6, "no offer"),
    ],
)
def test_an_offer_names_how_many_questions_come(text, questions, why):
    assert no_offer(text, questions) == why
