"""A closed subject is named by the words that say what it is about, not by those around it."""

from interviews.engine.guards import names_closed
from interviews.engine.reading import read_by_rules
from tests.each import each


@each(
    ("language", "subject", "names", "leaves"),
    [
        ("en", "the divorce", "How did you live after your divorce?", "What was the house like?"),
        ("en", "my own brother", "Where was your brother then?", "What did you do on your own?"),
        ("en", "what happened with him and my father", "And your father?", "What happened next?"),
        ("en", "my years at home", "Who was at home?", "And the coming year?"),
        ("it", "gli anni in collegio", "E il collegio?", "Che cosa farà l'anno prossimo?"),
        ("it", "il mio divorzio", "E dopo il divorzio?", "Che cosa era mio e che cosa suo?"),
        ("en", "my ex", "How did you meet your ex-husband?", "What was the house like?"),
        ("it", "il mio ex", "E il suo ex che cosa ne disse?", "Com'era la casa?"),
        ("ru", "смерть моего брата", "А ваш брат где был?", "Каким был дом моего детства?"),
    ],
)
def test_only_the_subject_itself_counts(language, subject, names, leaves):
    assert names_closed(names, (subject,), language) is True
    assert names_closed(leaves, (subject,), language) is False


@each(
    ("language", "answer", "subject"),
    [
        ("en", "I'd rather not talk about my stepfather. Please leave him out.", "my stepfather"),
        ("en", "Please don't ask me about the hospital.", "the hospital"),
        ("en", "No, I don't talk about money.", "money"),
        ("en", "I'd prefer not to go into the years before.", "the years before"),
        ("en", "My marriage is nobody's business, sorry.", "my marriage"),
        ("en", "Money isn't something I discuss.", "money"),
        ("it", "Di mio zio non voglio parlare, lo lasci fuori.", "mio zio"),
        ("it", "Preferisco non parlare della guerra.", "guerra"),
        ("ru", "Про отчима говорить не хочу, оставьте его в покое.", "отчима"),
        ("ru", "Не хочу говорить о разводе.", "разводе"),
    ],
)
def test_without_a_model_a_refused_subject_is_closed_too(language, answer, subject):
    floor = read_by_rules(answer, language, "Who brought you up?").floor
    assert (floor.intent, floor.closed) == ("refuse", subject)


@each(
    ("language", "answer"),
    [
        ("en", "I told them that I don't talk about money, and they laughed."),
        ("en", "We don't talk about the weather much, we mostly dig."),
        ("it", "Mio padre non voleva parlare della guerra."),
        ("ru", "Отец не хотел говорить о войне."),
    ],
)
def test_a_story_of_silence_refuses_nothing(language, answer):
    assert read_by_rules(answer, language, "Who brought you up?").floor.intent == "answer"
