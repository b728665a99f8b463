"""What is shown of an utterance while it is being written."""

import pytest

from interviews.engine.guards import certain, without_praise

PRAISE = {
    "en": (
        "What a great explanation.",
        "What an excellent point.",
        "What the really good answer.",
        "What your very helpful detail.",
        "What wonderful work.",
        "What such a good story.",
        "That's a really good point.",
    ),
    "it": (
        "Che bella spiegazione.",
        "Che un'ottima risposta.",
        "Che davvero bella risposta.",
        "Che bello.",
        "È una buona domanda.",
    ),
    "ru": (
        "Какой отличный ответ.",
        "Какое действительно хорошее объяснение.",
        "Какая очень ценная мысль.",
        "Это прекрасный пример.",
    ),
}
QUESTIONS = {
    "en": ("What does that do for you?", "What is better then?", "How is that?", "What else?"),
    "it": ("Che cosa le viene in mente?", "Che effetto le fa?"),
    "ru": ("Какая польза вам от этого?", "Каким был тот вечер?", "Что вам это даёт?"),
}


def pairs(of: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(language, text) for language, texts in of.items() for text in texts]


@pytest.mark.parametrize(("language", "praise"), pairs(PRAISE))
def test_praise_is_not_shown_at_any_length(language, praise):
    assert without_praise(praise + " ").strip() == ""
    for length in range(len(praise)):
        assert certain(praise[:length], language, ()) == ""


@pytest.mark.parametrize(("language", "question"), pairs(QUESTIONS))
def test_a_question_is_shown_from_its_second_word(language, question):
    begun = " ".join(question.split()[:2])
    assert certain(f"{begun} ", language, ()) == begun.rstrip(" ")
    for length in range(len(begun) + 1, len(question)):
        assert question.startswith(certain(question[:length], language, ()))
        assert certain(question[:length], language, ())
