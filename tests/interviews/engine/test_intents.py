"""Clear wishes are found; sentences that only look like one are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.engine.language.wishes import wishes
from tests.each import each
from tests.growth import growth

SAID = {
    "stop": [
        "stop",
        "Stop.",
        "Please stop",
        "Can we stop here?",
        "Let's finish.",
        "I'd like to end the interview now",
        "I want to stop",
        "I don't want to go on",
        "That's enough for today",
        "That's enough, thanks",
        "I'm tired, can we stop it here?",
        "Let's wrap up, please",
        "I'm done with this interview",
        "Give me the feedback",
        "Please stop. I don't feel well.",
        "I want to finish the interview and get my feedback",
        "Basta",
        "Sono stanco, possiamo fermarci?",
        "Mi dia il suo feedback",
        "Possiamo fermarci qui?",
        "Vorrei interrompere l'intervista",
        "Basta così, grazie",
        "Стоп",
        "Хватит",
        "Давайте закончим",
        "Я хочу остановиться",
        "Давайте закончим на этом.",
        "Не хочу больше продолжать",
        "Я устал, можно остановиться?",
        "Можно закончить",
        "Можно сейчас закончить?",
        "Я хотел бы закончить интервью",
        "На этом всё.",
        "Извините, мне нужно уйти",
        "На сегодня хватит, спасибо",
        "Давайте на этом закончим",
        "Дайте мне обратную связь",
        "Хочу завершить интервью и получить фидбек",
    ],
    "skip": [
        "skip",
        "Pass.",
        "Next question please",
        "Can we skip this one?",
        "Could we move on?",
        "Let's move on",
        "skip this question",
        "Ask me something else",
        "Nothing more to add",
        "Passo",
        "Saltiamo questa domanda",
        "Possiamo andare avanti?",
        "Prossima domanda",
        "Пропустить",
        "Давайте пропустим этот вопрос",
        "Следующий вопрос, пожалуйста",
        "Мне нечего добавить",
        "Давайте дальше",
    ],
    "privacy": [
        "I'd rather not say",
        "I’d rather not say.",
        "Sorry, I'd rather not talk about that.",
        "I prefer not to answer",
        "I don't want to talk about it",
        "That's private",
        "It's too personal",
        "I'm not comfortable answering that",
        "None of your business",
        "Preferisco non rispondere",
        "Non voglio parlarne",
        "È una cosa privata",
        "Sono affari miei",
        "Не хочу об этом говорить",
        "Я предпочла бы не отвечать",
        "Это личное",
        "Мне бы не хотелось об этом рассказывать",
    ],
    "yes": ["yes", "Yes, please", "Sure", "sì", "Certo", "да", "Да, конечно", "Да, закончим"],
    "no": ["no", "not yet", "нет"],
    "go_on": ["No, let's go on", "Continuiamo", "Давайте продолжим"],
}
LOOKS_LIKE = {
    "stop": [
        "I can't stop thinking about it",
        "He told me to stop",
        "We had to stop the car",
        "Fine",
        "The war did not stop us from going to school",
        "Enough was never enough for him",
        "I finished school in 1961",
        "Non riesco a smettere di pensarci",
        "Не могу остановиться, всё думаю о нём",
        "Мы закончили школу в шестидесятом",
        "One covering index, that's enough",
        "If the key is found, stop here; otherwise go on",
        "I have to stop it, then restart it",
        "Se la lista è vuota, possiamo fermarci",
        "Когда список пуст, можно закончить",
        "Если элемент найден, остановимся здесь",
        "Создаю индекс, обновляю статистику, на этом всё",
        "Отец сказал, мне пора идти",
        "My father would say, that's enough, and we all went to bed without another word in winter",
    ],
    "skip": [
        "We had to move on after the war",
        "I used to skip school",
        "The next question was where to live",
        "I passed the exam",
        "I could not move on from it",
        "Мы пошли дальше пешком",
        "Abbiamo passato la frontiera di notte",
        "She skipped a year",
    ],
    "privacy": [
        "I don't want to talk to my brother any more",
        "It was a private school",
        "I would rather have stayed at home",
        "He preferred not to answer my letters",
        "Era una scuola privata",
        "Она не хотела говорить об отце",
    ],
    "yes": ["yes, but it was hard at first for all of us", "I do not know"],
    "no": ["no one knew where he was", "Nobody"],
}


@each(("wish", "text"), [(w, t) for w, ts in SAID.items() for t in ts])
def test_it_is_heard(wish, text):
    assert wishes(text, wish)


@each(("wish", "text"), [(w, t) for w, ts in LOOKS_LIKE.items() for t in ts])
def test_it_only_looks_like_it(wish, text):
    assert not wishes(text, wish)


@given(st.text(max_size=300), st.sampled_from(["stop", "skip", "privacy", "yes", "no"]))
def test_no_text_breaks_the_rules(text, wish):
    assert wishes(text, wish) in (True, False)


@pytest.mark.parametrize("word", ["a", "?", " ?", "a?", "can we ", "я "])
def test_a_word_without_end_is_read_at_once(word):
    assert growth(lambda text: wishes(text, "stop"), word, 100_000) < 8
