"""Pausing and withdrawing in words, in every kind of interview."""

import pytest

from interviews.choices import SessionStatus
from interviews.engine.language.wishes import wish_of
from interviews.engine.reading import read_by_rules
from interviews.turns import actions
from tests.each import each
from tests.interviews.talk import same_again
from tests.interviews.test_distress import BOTS, begun, kinds, reasons

LATER = "Could we continue tomorrow?"
DELETE = "Please delete everything I said."
SAID = {
    "pause": {
        "en": ("I need a short break.", "Can we go on later?", "brb"),
        "it": ("Facciamo una pausa?", "Possiamo riprendere domani?"),
        "ru": ("Давайте сделаем перерыв.", "Можно продолжить завтра?"),
        "es": ("¿Podemos hacer una pausa?", "¿Puedo continuar mañana?"),
        "de": ("Ich brauche eine kurze Pause.", "Können wir morgen weitermachen?"),
        "fr": ("On peut faire une pause ?", "Je voudrais continuer demain."),
        "ar": ("هل يمكننا أخذ استراحة؟", "ممكن أن نكمل غدا؟"),
    },
    "withdraw": {
        "en": ("Delete my answers, please.", "I withdraw my consent."),
        "it": ("Cancellate tutto quello che ho detto.", "Revoco il consenso."),
        "ru": ("Удалите все мои ответы.", "Я отзываю своё согласие."),
        "es": ("Borre todo lo que he dicho.", "Quiero retirar mi consentimiento."),
        "de": ("Bitte löschen Sie meine Antworten.", "Ich möchte meine Einwilligung widerrufen."),
        "fr": ("Effacez tout ce que j'ai dit.", "Je retire mon consentement."),
        "ar": ("احذفوا كل ما قلته.", "أسحب موافقتي."),
    },
    "": {
        "en": (
            "Then we took a break and continued the next day.",
            "I deleted everything I had written that night.",
            "She withdrew her consent, and I admired her for it.",
            "We paused at the bridge.",
            "He wrote to them: delete my data. They never did.",
            "Stop! That's what she shouted every night for years, and nobody in that house did.",
            "We sat there for hours. Then he said, I want to stop now. And he never played again.",
        ),
        "it": ("Poi abbiamo fatto una pausa, e il giorno dopo ho ripreso.", "Ho cancellato tutto."),
        "ru": ("Потом был перерыв, и мы продолжили.", "Написал им: удалите мои данные. Без толку."),
    },
}


def question(reply: str) -> str:
    """The open question at the end of a reply, without its greeting."""
    return reply.rpartition("\n\n")[2].removeprefix("Welcome. ")


STORY = {
    "en": "My mother died in this house, and I can't bear to think of those weeks any more, sorry.",
    "it": "Mia madre è morta in questa casa, e non riesco più a pensare a quelle settimane, scusi.",
    "ru": "В этом доме умерла моя мама, и мне тяжело вспоминать те недели, вы уж простите меня.",
}
WISHES = {
    "stop": {
        "en": "I want to stop now.",
        "it": "Possiamo fermarci qui?",
        "ru": "Я хочу закончить.",
    },
    "pause": {name: SAID["pause"][name][0] for name in STORY},
    "withdraw": {name: SAID["withdraw"][name][0] for name in STORY},
}


@each(("wish", "language"), [(wish, language) for wish in WISHES for language in STORY])
def test_a_wish_in_a_sentence_of_its_own_counts_before_and_after_a_story(wish, language):
    said, story = WISHES[wish][language], STORY[language]
    assert wish_of(f"{said} {story}") == wish_of(f"{story} {said}") == wish
    assert wish_of(f"{story} {said} {story}") == ""


@each(
    ("wish", "language", "said"),
    [
        (wish, language, said)
        for wish, languages in SAID.items()
        for language, every in languages.items()
        for said in every
    ],
)
def test_what_rules_take_for_a_wish(wish, language, said):
    assert wish_of(said) == wish
    floor = read_by_rules(said, language, "What happened then?").floor
    assert floor.intent == (wish or "answer")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", BOTS)
async def test_who_wants_to_continue_later_is_paused(kind):
    talk = await begun(kind)
    asked = (await talk.entries())[-1].text

    reply = await talk.say(LATER)

    assert "your place is saved" in reply
    assert asked.endswith(question(reply))
    session = await talk.session()
    assert (session.status, session.paused_at is None) == (SessionStatus.PAUSED, False)
    await actions.resume(session)
    await talk.say("We kept the orders in a paper book, since the printer was next door.")
    assert (await talk.session()).status != SessionStatus.PAUSED
    assert (await reasons(talk))[1] == "paused_in_words"
    assert await same_again(talk) == ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", BOTS)
async def test_who_wants_everything_deleted_is_told_how(kind):
    talk = await begun(kind)
    before = await talk.entries()

    reply = await talk.say(DELETE)

    assert "choose Withdraw in the menu" in reply
    assert before[-1].text.endswith(question(reply))
    assert (await talk.session()).status == SessionStatus.WAITING_ANSWER
    assert (await kinds(talk))[-2] == "interviewer_answer"
    assert len(await talk.entries()) == len(before) + 3  # words alone delete nothing
    assert (await reasons(talk))[1] == "withdrawal_explained"
    assert await same_again(talk) == ""


@pytest.mark.django_db(transaction=True)
async def test_an_answer_while_paused_in_words_goes_on():
    talk = await begun("life_story")
    await talk.say(LATER)

    await talk.say("The printer was next door, and old Ivo knew every customer by name.")

    session = await talk.session()
    assert session.status == SessionStatus.WAITING_ANSWER
    assert session.paused_at is None


STAYS = ("Shall we end the interview here?", "Shall we leave it there?")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", BOTS)
async def test_who_tells_something_before_the_end_is_heard_and_replays(kind):
    talk = await begun(kind)
    await talk.say("Can we stop here?")
    told = "Yes, but first I want to tell you how she died."
    for said in (told, "She slept, and in the morning she was cold.", "🕯"):
        assert (await talk.say(said)).endswith(STAYS)
    assert (await reasons(talk))[1:] == ["stop_to_confirm"] * 4
    assert (await talk.session()).state["awaiting"] == "stop"
    await talk.say("No.")
    assert (await reasons(talk))[-1] == "goes_on"
    await talk.say("Can we stop here?")
    await talk.say("No, wait, I want to tell you how she died.")
    leads = kind in ("life_story", "topic_exploration")
    assert (await reasons(talk))[-1] == ("stay" if leads else "own_pace")
    assert (await talk.session()).status == SessionStatus.WAITING_ANSWER
    assert await same_again(talk) == ""
