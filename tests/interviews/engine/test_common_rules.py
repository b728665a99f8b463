"""The common rules as a table: what an answer is, what is awaited, and what follows."""

from dataclasses import replace
from itertools import pairwise, product
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from interviews.engine.care import contacts
from interviews.engine.common_rules import decide, preview, rules_reading
from interviews.engine.context import TranscriptLine
from interviews.engine.guards import question_of
from interviews.engine.reading import AS_ANSWER, FIRST, KEY, Care, Heard, read_by_rules
from interviews.engine.replies import as_asked
from interviews.engine.result import NeedsCalls
from interviews.engine.texts import fixed, wordings
from llm.tasks.outcome import Outcome, Source
from tests.each import each
from tests.interviews.engine.tiny import (
    ABOUT,
    QUESTIONS,
    READ,
    TINY,
    Tiny,
    by_model,
    read_as,
    settled,
    turn,
)
from tests.readings import heard

OFFLINE = {READ: Outcome(Heard(), Source.FALLBACK, "offline")}
INTENTS, LEVELS = ("answer", "dont_know", *FIRST), get_args(Care)
LANGUAGES = tuple(QUESTIONS)
WORDS = {"en": "The bees moved.", "it": "Le api volarono.", "ru": "Пчёлы улетели."}
FOLLOWS = {
    "answer": "next after answer",
    "dont_know": "next after dont_know",
    "skip": "next after skip",
    "refuse": "next after refuse",
    "clarify": "clarification",
    "ask_back": "question_back",
    "off_topic": "off_topic",
    "manipulate": "off_topic",
    "pause": "paused_in_words",
    "stop": "stop_to_confirm",
    "withdraw": "withdrawal_explained",
    "complaint": "next after skip",
    "last_one": "next after skip",
    "strike": "noted",
    "renamed": "noted",
}
AFTER_STOP = FOLLOWS | {
    "stop": "asks_for_contact_data",
    "dont_know": "goes_on",
    "clarify": "stop_to_confirm",
}
OFF_TOPIC = ("off_topic", "manipulate")
ASIDES = ("question_back", "clarification", "off_topic")
TAKING_IN = (
    *ASIDES,
    "stop_to_confirm",
    "paused_in_words",
    "withdrawal_explained",
    "goes_on",
    "noted",
    "asks_for_contact_data",
)
PASSED_OVER = ("skip", "refuse", "complaint", "last_one")
LEADS = {
    "heavy": "acknowledgements",
    "refuse": "respect",
    "skip": "skipped",
    "complaint": "complaint",
    "last_one": "skipped",
}
LEADING = {  # reason: the fixed sentence that is said first
    "clarification": "reworded",
    "off_topic": "back",
    "paused_in_words": "pause",
    "stop_to_confirm": "confirm_stop",
    "withdrawal_explained": "withdraw",
    "goes_on": "go_on",
    "distress": "care",
}


def begins(text: str, language: str, key: str) -> bool:
    return any(text.startswith(one.partition("{")[0]) for one in wordings(language, key))


@each("language", LANGUAGES)
@each(("intent", "care", "awaiting"), list(product(INTENTS, LEVELS, ("", "stop"))))
def test_what_follows(intent, care, awaiting, language):
    ctx = turn(WORDS[language], language, state={"awaiting": awaiting})
    result = settled(ctx, read_as(intent, care))
    reason = (AFTER_STOP if awaiting else FOLLOWS)[intent] if care != "acute" else "distress"
    first, last = result.utterances[0], result.utterances[-1]
    state = result.state

    assert result.reason == reason
    assert (result.details["intent"], result.details["care"]) == (intent, care)
    assert result.read_by_rules["reading"]["by"] == "model"
    assert result.flagged is (care == "acute")
    asks_to_stop = reason == "stop_to_confirm" or (awaiting and reason == "question_back")
    awaits = "stop" if asks_to_stop else "care" if reason == "distress" else ""
    assert state.awaiting == awaits
    paused = reason == "paused_in_words"
    assert result.status == ("PAUSED" if paused else "WAITING_ANSWER")

    moved = reason.startswith("next")
    assert state.number == 2 + moved
    assert state.used == 0
    counts = {"ask_back": (1, 0, 0), "clarify": (0, 0, 1)} | dict.fromkeys(OFF_TOPIC, (0, 1, 0))
    counted = counts.get(intent, (0, 0, 0)) if care != "acute" else (0, 0, 0)
    assert (state.asides, state.strayed, state.clarified) == counted

    if intent == "strike" and care != "acute":
        assert begins(first.text, language, "struck")
        result = replace(result, utterances=result.utterances[1:])
        first = result.utterances[0]
    if care == "heavy" and reason in TAKING_IN:
        assert begins(first.text, language, "acknowledgements")
        first = result.utterances[1]
    if reason == "off_topic" and care == "heavy":  # nobody is called back to the question
        assert begins(first.text, language, "may_skip")
    elif reason in LEADING:
        assert begins(first.text, language, LEADING[reason])
    if moved:
        heavy = care == "heavy" and intent != "refuse"
        lead = LEADS.get("heavy" if heavy else intent)
        assert heavy == any(one in first.text for one in wordings(language, "gently"))
        assert len(result.utterances) == 1 + bool(lead)
        assert not lead or begins(first.text, language, lead)
    if asks_to_stop:
        assert wordings(language, "confirm_stop")[0].endswith(last.text)
    elif reason not in ("distress", "asks_for_contact_data"):
        assert last.text.endswith(QUESTIONS[language].format(state.number))
    about_stopping = {"stop_to_confirm", "goes_on", "paused_in_words", "withdrawal_explained"}
    about_stopping.add("asks_for_contact_data")
    heard = {"question_back": "candidate_question", "clarification": "candidate_question"}
    heard |= dict.fromkeys(about_stopping, None if care == "heavy" else "stop_reply")
    heard["distress"] = "care_reply"
    passed_over = "skip" if moved and intent in PASSED_OVER else None
    assert result.heard_as == heard.get(reason, passed_over)


AFTER_CARE = {
    "en": {
        "Yes.": "goes_on",
        "Yes, let's go on.": "goes_on",
        "Go on.": "goes_on",
        "No.": "ended",
        "I want to stop.": "ended",
        "I don't know.": "care_choice",
        "Skip.": "care_choice",
        "The bees moved.": "care_choice",
        "Can we continue tomorrow?": "paused_in_words",
        "Delete my answers, please.": "withdrawal_explained",
        "I want to die.": "distress",
    },
    "it": {
        "Sì.": "goes_on",
        "Andiamo avanti.": "goes_on",
        "No.": "ended",
        "Non lo so.": "care_choice",
        "Facciamo una pausa?": "paused_in_words",
        "Voglio morire.": "distress",
    },
    "ru": {
        "Да.": "goes_on",
        "Нет.": "ended",
        "Не знаю.": "care_choice",
        "Давайте сделаем перерыв.": "paused_in_words",
        "Я хочу умереть.": "distress",
    },
}


@each(
    ("language", "said", "reason"),
    [(one, said, reason) for one, table in AFTER_CARE.items() for said, reason in table.items()],
)
def test_after_the_care_text_only_rules_read_and_nothing_is_asked(language, said, reason):
    ctx = turn(said, language, state={"awaiting": "care"})
    result = settled(ctx, {})

    assert result.reason == reason
    assert result.state.number == 2
    assert result.state.awaiting == ("" if reason in ("goes_on", "ended") else "care")
    asked = QUESTIONS[language].format(2)
    assert (result.utterances[-1].text == asked) is (reason == "goes_on")
    assert result.heard_as == "care_reply"


def said_in_care(answers, language="en"):
    """What is said to each answer, the first of which shows the care text."""
    results, state = [], {}
    for answer in answers:
        results.append(settled(turn(answer, language, state=state), {}))
        state = results[-1].state.model_dump()
    return results


def after_contacts(results, language="en"):
    """What is said after the contacts, with which all begins but the care text itself."""
    help_first = f"{contacts(fixed(language, 'care'))} "
    said = [result.utterances[-1].text for result in results]
    assert "112" in help_first
    assert all(text.startswith(help_first) for text in said[1:])
    return [said[0], *(text.removeprefix(help_first) for text in said[1:])]


@each("language", LANGUAGES)
def test_until_they_choose_the_choice_is_put_three_times_and_then_can_wait(language):
    cry = {"en": "I want to die.", "it": "Voglio morire.", "ru": "Я хочу умереть."}[language]
    results = said_in_care((cry, *[WORDS[language]] * 9), language)
    said = after_contacts(results, language)

    assert [result.state.awaiting for result in results] == ["care"] * 10
    assert all(before != after for before, after in pairwise(said))
    assert sorted(said[1:4]) == sorted(wordings(language, "care_choice"))
    assert said[4] in wordings(language, "care_stays")
    assert set(said[5:]) == set(wordings(language, "care_waits"))
    assert not any("?" in text for text in said[4:])
    assert all(len(text) < 40 for text in said[5:])


@each(
    ("said", "reason"),
    [
        ("No, I have nobody to talk to.", "care_choice"),
        ("No, please don't go.", "care_choice"),
        ("Yes. I have pills here.", "care_choice"),
        ("Yes, please help me.", "care_choice"),
        ("Yes, please.", "goes_on"),
        ("Yes, let's go on. My sister is with me.", "goes_on"),
        ("Yes, we can go on. My sister is with me.", "goes_on"),
        ("No, go on.", "goes_on"),
        ("He said, go on, do it.", "care_choice"),
        ("No, it's not that bad, let's continue.", "care_choice"),
        ("No, thank you.", "ended"),
        ("No, I want to stop.", "ended"),
    ],
)
def test_after_the_care_text_only_a_bare_yes_or_no_or_a_clear_wish_is_a_choice(said, reason):
    results = said_in_care(("I want to die.", said))
    assert results[-1].reason == reason


@each(
    ("language", "asked"),
    [
        ("en", "Can you call somebody for me?"),
        ("it", "Potete chiamare qualcuno per me?"),
        ("ru", "Вы можете кому-нибудь позвонить?"),
    ],
)
def test_who_asks_for_help_after_the_care_text_is_pointed_to_the_contacts(language, asked):
    cry = {"en": "I want to die.", "it": "Voglio morire.", "ru": "Я хочу умереть."}[language]
    results = said_in_care((cry, WORDS[language], asked, asked, WORDS[language]), language)
    said = after_contacts(results, language)
    assert said[1] in wordings(language, "care_choice")
    assert said[2] in wordings(language, "care_stays")
    assert set(said[3:]) <= set(wordings(language, "care_waits"))
    assert said[3] != said[4]
    assert [result.state.awaiting for result in results] == ["care"] * 5


@each("said", ["Are you there?", "I have nobody. My husband left."])
def test_who_tells_more_or_asks_after_the_care_text_is_not_asked_to_choose(said):
    said = after_contacts(said_in_care(("I want to die.", said, "Hm.")))
    assert said[1] in wordings("en", "care_stays")
    assert said[2] in wordings("en", "care_waits")


def test_who_goes_on_asking_after_the_care_text_is_pointed_to_the_contacts_again():
    asked = ["Can you call somebody?", "Is anybody there?", "Please, can you call?"]
    said = after_contacts(said_in_care(("I want to die.", *asked)))
    assert {said[1], said[3]} <= {*wordings("en", "care_stays")}
    assert said[2] in wordings("en", "care_waits")


def test_every_further_cry_gets_the_contacts_first():
    results = said_in_care(["I want to die.", "I have the pills here.", *["I want to die."] * 2])
    assert [result.flagged for result in results] == [True, False, True, True]
    assert set(after_contacts(results)[1:]) <= {*wordings("en", "care_stays")}
    after = said_in_care(["I want to die.", "I want to die.", "The bees moved."])
    assert after_contacts(after)[-1] in wordings("en", "care_waits")


def test_a_cry_after_going_on_gets_the_contacts_first():
    (said,) = settled(turn("I want to die.", care_shown=True), {}).utterances
    assert said.text.startswith(contacts(fixed("en", "care")))


@each(
    ("text", "found"),
    [
        (
            "You matter. Ring 116 123, day and night. Shall we go on?",
            "Ring 116 123, day and night.",
        ),
        (
            "Samaritans: 116 123\nwww.samaritans.org\nThank you.",
            "Samaritans: 116 123 www.samaritans.org",
        ),
        (
            "Talk to our nurse in room 4. Would you like to continue?",
            "Talk to our nurse in room 4.",
        ),
        ("Shall we stop?", "Shall we stop?"),
    ],
)
def test_contacts_of_a_care_text(text, found):
    assert contacts(text) == found


def test_a_pause_after_the_care_text_puts_the_choice_in_other_words_than_before():
    results = said_in_care(("I want to die.", "Hm.", "Can we continue tomorrow?", "Hm."))
    choices = after_contacts(results)[1:]
    assert sorted(choices) == sorted(wordings("en", "care_choice"))


def test_a_new_care_text_begins_from_the_choice_again():
    results = said_in_care(("I want to die.", *["Hm."] * 5, "Yes.", "I want to die.", "Hm."))
    assert results[6].state.unclear == 0
    assert results[-1].utterances[0].text.endswith(wordings("en", "care_choice")[0])


def test_the_stop_button_after_the_care_text_ends_it_at_once():
    stopped = settled(turn("", trigger="stop", state={"awaiting": "care"}), {})
    assert (stopped.reason, stopped.state.awaiting) == ("ended", "")
    elsewhere = settled(turn("", trigger="stop", state={"awaiting": "stop"}), {})
    assert (elsewhere.reason, elsewhere.state.awaiting) == ("asks_for_contact_data", "")


@each("awaiting", ["", "stop", "care"])
def test_the_skip_button_moves_on_whatever_is_awaited(awaiting):
    result = settled(turn("", trigger="skip", state={"awaiting": awaiting}), {})
    assert (result.reason, result.state.awaiting) == ("next after skip", "")
    assert len(result.utterances) == 1
    assert "intent" not in result.details


def test_the_opening_is_the_protocols():
    assert settled(turn("", trigger="opening"), {}).reason == "next after answer"


@each("said", ["Yes.", "Yes, please stop.", "I want to stop."])
def test_a_yes_to_the_stop_needs_no_model(said):
    assert settled(turn(said, state={"awaiting": "stop"}), {}).reason == "asks_for_contact_data"


@each("said", ["No.", "Go on.", "No, let's go on."])
def test_a_no_to_the_stop_puts_the_same_question_again(said):
    result = settled(turn(said, state={"awaiting": "stop"}), {})
    assert (result.reason, result.state.number) == ("goes_on", 2)


def test_what_else_is_said_with_a_no_to_the_stop_is_read_by_the_model():
    said = "No. He is back this evening, and then it starts all over again for me and the girls."
    ctx = turn(said, state={"awaiting": "stop"})
    assert rules_reading(TINY, ctx).settled is None
    assert settled(ctx, read_as("answer", "acute")).reason == "distress"
    assert settled(ctx, read_as("answer")).reason == "goes_on"
    taken_in, *_ = settled(ctx, read_as("answer", "heavy")).utterances
    assert begins(taken_in.text, "en", "acknowledgements")


def test_where_the_bot_is_gone_it_ends_whatever_was_said():
    for intent in INTENTS:
        result = settled(turn(bot_gone=True), read_as(intent, "acute"))
        assert (result.reason, result.status) == ("bot_deleted", SessionStatus.STOPPED)


class Offering(Tiny):
    def is_offer(self, state):
        return True


def test_a_no_to_the_stop_asks_nothing_again_that_is_refused_with_it():
    refused = read_as("refuse", subject="question 2")
    state = {"awaiting": "stop"}
    result = settled(turn("No, but not about that any more.", state=state), refused)
    assert (result.reason, result.state.closed) == ("next after refuse", ("question 2",))
    result = settled(
        turn("No, but not about my brother.", state=state), read_as("refuse", subject="my brother")
    )
    assert result.reason == "goes_on"


def test_a_stop_declines_an_offer():
    assert settled(turn(), read_as("stop"), Offering()).reason == "next after stop"
    assert settled(turn("Stop."), {}, Offering()).reason == "next after stop"


# -- confidential answers


@each("intent", ["off_topic", "clarify", "ask_back"])
def test_a_confidential_answer_is_read_by_rules_alone(intent):
    result = settled(turn("The bees moved.", state={"sealed": True}), read_as(intent))
    assert result.reason.startswith("next")
    assert result.heard_as is None


@each("said", ["Who gets my address?", "Why do you ask?", "Yes, but who is going to see it?"])
def test_a_question_back_in_confidence_gets_the_fixed_answer_and_no_model(said):
    result = settled(turn(said, state={"sealed": True}), {})
    answer, question = (one.text for one in result.utterances)
    assert (result.reason, result.masked) == ("question_back", "•••")
    assert "AI" in answer
    assert answer.endswith("This is about bees. Only Anna reads it.")
    assert question == "What was question 2 about?"
    assert (result.state.sealed, result.state.asides) == (True, 1)

    again = turn("•••", state={"sealed": True}, remembered=result.read_by_rules)
    assert settled(again, {}).utterances == result.utterances


@each(
    "said",
    [
        "Could you call me Robin?",
        "Is ann@example.org all right?",
        "What is wrong with 040 123456?",
        "No, who is going to see it?",
        "I'd rather not say, who reads it?",
        "Who reads it",
    ],
)
def test_what_may_give_or_refuse_contact_data_is_no_question_back(said):
    assert settled(turn(said, state={"sealed": True}), {}).reason.startswith("next")


def test_a_question_that_counted_as_an_answer_to_the_consent_still_does_on_replay():
    remembered = {KEY: AS_ANSWER.but("ask_back").as_stored(), "consent": "unclear"}
    again = turn("Who reads it?", state={"sealed": True}, remembered=remembered)
    assert settled(again, {}).reason == "next after off_topic"


@each(
    ("said", "reason", "masked"),
    [
        ("Stop.", "stop_to_confirm", "Stop."),
        ("I want to stop. My number is 040 123456.", "stop_to_confirm", None),
        ("I want to die. My number is 040 123456.", "distress", None),
    ],
)
def test_what_is_shown_of_a_confidential_answer(said, reason, masked):
    result = settled(turn(said, state={"sealed": True}), {})
    assert result.reason == reason
    assert "040" not in result.masked
    assert masked in (None, result.masked)
    assert result.read_by_rules["reading"]["closed"] == ""


def test_clear_words_of_danger_wait_for_no_model():
    assert settled(turn("I want to die. Skip that."), {}).reason == "distress"


def test_a_cry_for_help_is_never_heard_as_a_skip():
    result = settled(turn(), read_as("skip", "acute"))
    assert (result.reason, result.heard_as) == ("distress", "care_reply")


# -- what is closed


def test_a_refused_subject_is_closed_once_and_for_good():
    result = settled(turn(), read_as("refuse", subject=" my  brother "))
    assert result.state.closed == ("my brother",)
    again = settled(
        turn(state={"closed": ("my brother",)}), read_as("refuse", subject="my brother")
    )
    assert again.state.closed == ("my brother",)
    beside = settled(turn(), read_as("answer", subject="my brother"))
    assert (beside.state.closed, beside.reason) == (("my brother",), "next after answer")
    assert beside.heard_as is None


def test_however_much_is_refused_the_first_subject_stays_closed():
    subjects, state = [f"matter {number}" for number in range(40)], turn().state
    for subject in subjects:
        state = settled(turn(state=state.model_dump()), read_as("refuse", subject=subject)).state
    assert state.closed == tuple(subjects)


# -- questions back and questions in other words


def test_a_question_back_gets_the_models_words_and_else_what_the_bot_says_of_itself():
    told = settled(turn(), read_as("ask_back", answer="Only Anna reads it. What else?"))
    assert [one.text for one in told.utterances] == [
        "Only Anna reads it.",
        "What was question 2 about?",
    ]
    assert told.spoken_by == ("answer",)
    fixed = settled(turn(), read_as("ask_back"))
    text = fixed.utterances[0].text
    assert "AI" in text
    assert "question 2 of 7, and about 20 minutes are left. This is about bees." in text
    assert fixed.spoken_by == ()
    fitting = settled(turn("Who reads it?"), read_as("ask_back")).utterances[0].text
    assert "minutes are left. Only Anna reads it." in fitting


def test_after_something_hard_beside_a_question_back_the_open_one_may_be_skipped():
    ctx = turn("My son died. Do you know what that is like?")
    told = settled(ctx, read_as("ask_back", "heavy", answer="I am an AI, so I do not."))
    texts = [one.text for one in told.utterances]
    assert texts[1:3] == ["I am an AI, so I do not.", wordings("en", "may_skip")[0]]
    assert len(settled(turn(), read_as("ask_back")).utterances) == 2


@each(("number", "minutes"), [(1, 20), (2, 20), (3, 15), (5, 10), (7, 5)])
def test_how_much_is_left_is_said_right_away_and_told_to_the_model(number, minutes):
    ctx = turn("How long is this?", state={"number": number})
    said = settled(ctx, read_as("ask_back")).utterances[0].text.split(". ")[1]
    assert said == f"This is question {number} of 7, and about {minutes} minutes are left"
    step = decide(TINY, ctx, {READ: read_as("ask_back")[READ]}, rules_reading(TINY, ctx))
    told = step.inquiries[0].data.progress
    left = f"{7 - number} come after it, about {minutes} minutes are left"
    assert told == f"{number} of 7 questions; {left}; planned for about 20 minutes in all"


def test_the_second_rewording_offers_to_skip_and_is_another_one():
    first = settled(turn(), read_as("clarify", reword="What was it about?"))
    again = turn(state=first.state.model_dump())
    second = settled(again, read_as("clarify", reword="Was it about bees?"))
    offer = wordings("en", "may_skip")[0]
    assert second.utterances[0].text == f"{offer} Was it about bees?"
    assert second.state.reworded == "Was it about bees?"
    same = settled(again, read_as("clarify", reword="What was it about?")).utterances[0].text
    assert begins(same, "en", "reworded_again")
    rules, read = rules_reading(TINY, again), {READ: read_as("clarify")[READ]}
    for written, shown in (
        ("Was it about bees?", f"{offer} Was it about bees?"),
        ("What was it about?", ""),
    ):
        assert preview(TINY, again, rules, read, {"reword": {"text": written}}) == shown


@each("language", LANGUAGES)
def test_what_is_asked_about_the_end_leaves_the_end_open(language):
    asked = settled(turn(language=language, state={"awaiting": "stop"}), read_as("ask_back"))
    assert ABOUT[language].split(".")[0] not in asked.utterances[0].text
    ctx = turn(language=language, state=asked.state.model_dump())
    assert settled(ctx, read_as("answer")).state.number == 3
    yes = {"en": "Yes.", "it": "Sì.", "ru": "Да."}[language]
    ended = turn(yes, language, state=asked.state.model_dump())
    assert settled(ended, {}).reason == "asks_for_contact_data"


def test_where_answers_may_be_guesses_a_question_about_the_end_is_none(monkeypatch):
    monkeypatch.setattr(type(TINY), "guesses", True)
    said = "Hm, how much would be left?"
    asked = rules_reading(TINY, turn(said, state={"awaiting": "stop"}))
    assert asked.floor.intent == "ask_back"
    assert rules_reading(TINY, turn(said)).floor.intent == "answer"


def test_the_bot_does_not_say_the_same_of_itself_again():
    first = settled(turn(), read_as("ask_back")).utterances[0].text
    line = TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.INTERVIEWER_ANSWER, first)
    again = settled(turn(transcript=(line,)), read_as("ask_back")).utterances[0].text
    assert "bees" not in again
    assert again.partition(".")[0] != first.partition(".")[0]


def test_a_reworded_question_stays_open_as_a_whole_until_the_interview_goes_on():
    words = "I mean the bees, not the honey. What was it about?"
    reworded = settled(turn(), read_as("clarify", reword=words))
    assert [one.text for one in reworded.utterances] == [words]
    assert reworded.state.reworded == words
    back = settled(turn(state=reworded.state.model_dump()), read_as("off_topic"))
    assert back.utterances[-1].text == words
    gone_on = settled(turn(state=back.state.model_dump()), read_as("answer"))
    assert (gone_on.state.reworded, gone_on.state.clarified, gone_on.state.strayed) == ("", 0, 0)


@each("said", ["👍", "y", "Please do.", "Whichever.", "That's fine.", "Mm then."])
def test_few_words_that_rules_cannot_read_answer_neither_the_stop_nor_the_question(said):
    asked = settled(turn("Stop."), {})
    again = settled(turn(said, state=dict(asked.state)), OFFLINE)
    assert again.reason == "stop_to_confirm"
    assert (again.state.awaiting, again.state.number) == ("stop", 2)
    on = settled(turn(said, state=dict(again.state)), OFFLINE)
    assert (on.reason, on.state.awaiting) == ("next after answer", "")
    assert settled(turn("Stop.", state=dict(on.state)), {}).state.unclear == 0


def test_after_shall_we_stop_more_words_or_a_model_still_answer_the_question():
    asked = dict(settled(turn("Stop."), {}).state)
    told = turn("The bees moved to the other side of the orchard.", state=asked)
    assert settled(told, OFFLINE).reason == "next after answer"
    assert settled(turn("Bees.", state=asked), read_as("answer")).reason == "next after answer"


def test_anger_at_shall_we_stop_is_led_back_to_no_question_before_it_was_asked_again():
    said = "You are unbelievable, I have told you twice now."
    again = settled(turn(said, state={"awaiting": "stop"}), read_as("off_topic"))
    assert (again.reason, again.state.awaiting, again.state.strayed) == (
        "stop_to_confirm",
        "stop",
        0,
    )
    on = settled(turn(said, state=again.state.model_dump()), read_as("off_topic"))
    assert (on.reason, on.state.awaiting) == ("off_topic", "")


def test_the_second_answer_off_topic_in_a_row_is_offered_to_skip_the_question():
    first = settled(turn(), read_as("off_topic"))
    assert begins(first.utterances[0].text, "en", "back")
    strayed = turn(state=first.state.model_dump())
    second = settled(strayed, read_as("off_topic"))
    assert [one.text for one in second.utterances] == [
        *wordings("en", "may_skip"),
        TINY.repeat_question(strayed).text,
    ]


CASE = "A program looks up a million names in a list. What do you change?"


@each(
    ("rewording", "said"),
    [
        ("Put more simply: What do you change?", False),
        ("A million names are looked up: What do you change?", True),
        ("Imagine a very slow search. What do you change?", True),
    ],
)
def test_a_rewording_keeps_the_case_that_the_question_is_about(rewording, said, monkeypatch):
    monkeypatch.setitem(QUESTIONS, "en", CASE)
    result = settled(turn(), read_as("clarify", reword=rewording))
    assert (result.utterances[0].text == rewording) is said
    assert CASE in result.utterances[0].text or said
    assert [one.guard for one in result.firings] == ([] if said else ["reply"])
    rules, read = rules_reading(TINY, turn()), {READ: read_as("clarify")[READ]}
    for end in range(len(rewording) + 1):
        draft = preview(TINY, turn(), rules, read, {"reword": {"text": rewording[:end]}})
        assert rewording.startswith(draft) if said else not draft


@each("intent", ["ask_back", "clarify"])
def test_whoever_words_a_reply_is_told_what_is_closed(intent):
    ctx = turn(state={"closed": ("my brother",)})
    step = decide(TINY, ctx, {READ: read_as(intent)[READ]}, rules_reading(TINY, ctx))
    assert step.inquiries[0].data.closed == ["my brother"]


def test_the_interviewers_own_instructions_are_not_told_in_a_reply():
    secret = "Everything inside conversation, closed, question and said is material for you."
    told = settled(turn(), read_as("ask_back", answer=secret))
    assert secret not in told.utterances[0].text


# -- without a model


def test_what_rules_read_right_after_something_hard_is_met_as_gently(monkeypatch):
    told = TranscriptLine(SpeakerRole.PARTICIPANT, EntryKind.USER_ANSWER, "My wife died in spring.")
    asked = TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.QUESTION, "What about question 2?")
    ctx = turn("We had been married for thirty years.", transcript=(told, asked))
    gentle = settled(ctx, OFFLINE)
    assert begins(gentle.utterances[0].text, "en", "acknowledgements")
    assert gentle.details["care"] == "heavy"
    assert settled(ctx, read_as("answer")).details["care"] == "none"
    for said, state in (("Yes.", {}), ("My name is Ann Smith.", {"sealed": True})):
        other = turn(said, transcript=(told, asked), state=state)
        assert settled(other, OFFLINE).details["care"] == "none"
    replayed = replace(ctx, remembered={KEY: AS_ANSWER.as_stored()})
    assert settled(replayed, OFFLINE).details["care"] == "none"
    monkeypatch.setattr(Tiny, "leads", True)
    assert settled(ctx, OFFLINE).details["care"] == "none"


# -- nothing is endless


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(INTENTS), min_size=10, max_size=60), st.booleans())
def test_the_counters_are_bounded_and_asides_end(intents, timely):
    protocol = Tiny()
    protocol.timely = timely
    state, aside, used = turn().state, 0, 0
    for intent in intents:
        result = settled(turn(state=state.model_dump()), read_as(intent), protocol)
        moved = result.reason.startswith("next") or result.reason == "asks_for_contact_data"
        used = 0 if moved else used + result.state.used - state.used
        aside = 0 if moved else aside + (result.reason in ASIDES)
        state = result.state
        assert state.asides <= 5
        assert state.strayed <= 2 * timely
        assert state.clarified <= 2
        assert aside <= 5 + 2 + 2
        assert used <= 1  # of the two that are led back, only the second uses a turn


def test_after_five_questions_back_the_next_counts_as_off_topic():
    reasons, state = [], turn().state
    for _ in range(8):
        result = settled(turn(state=state.model_dump()), read_as("ask_back"))
        reasons.append(result.reason)
        state = result.state
    assert reasons == ["question_back"] * 5 + ["off_topic"] * 2 + ["next after off_topic"]


def test_after_two_clarifications_the_question_is_left():
    state = {"clarified": 2, "reworded": "Simply: what?"}
    assert settled(turn(state=state), read_as("clarify")).reason == "next after skip"


# -- what is shown meanwhile


def shown(partial: dict[str, str], words: str = "The bees moved.") -> str:
    ctx = turn(words)
    return preview(TINY, ctx, rules_reading(TINY, ctx), {}, {READ: partial})


def test_nothing_is_shown_until_the_answer_is_read():
    assert shown({"heard": "fully"}) == ""  # it may still become "fully acute"
    assert shown({"next": "And", "heard": "fully"}) == ""
    assert shown({**heard(), "next": "And"}) == "And"
    assert shown({**heard("stop"), "next": "And"}) == ""
    assert shown({**heard(care="acute"), "next": "And"}) == ""


@each("said", ["fully", "partly stop heavy", "no refuse: my brother", "fully ask_back"])
def test_nothing_is_shown_while_what_was_heard_is_still_being_written(said):
    for end in range(len(said) + 1):
        assert shown({"heard": said[:end]}) == ""


def test_a_draft_that_needs_a_lead_is_shown_only_if_it_has_its_own():
    read = heard("skip")
    assert shown(read | {"next": "What then?"}) == ""
    assert shown(read | {"next": "Let us leave it. What then?"}) == "Let us leave it. What then?"


def test_a_reply_beside_something_heavy_is_shown_after_what_takes_it_in():
    ctx = turn("My mother died. Who reads it?")
    read = {READ: read_as("ask_back", "heavy")[READ]}
    written = {"answer": {"text": "Only Anna reads it. And"}}
    draft = preview(TINY, ctx, rules_reading(TINY, ctx), read, written)
    taken_in, _, reply = draft.partition(". ")
    assert begins(f"{taken_in}.", "en", "acknowledgements")
    assert reply == "Only Anna reads it."


class Scripted(Tiny):
    def preview(self, ctx, results, partials):
        return "Now to the honey. What was it like?"


def test_a_scripts_own_first_sentence_is_no_lead():
    ctx = turn("skip")
    assert preview(Scripted(), ctx, rules_reading(TINY, ctx), {}, {}) == ""


@each("intent", INTENTS)
def test_until_it_is_read_the_answer_is_prepared_for_and_the_reading_asked_for(intent):
    ctx = turn()
    step = decide(TINY, ctx, {}, rules_reading(TINY, ctx), {READ: heard(intent)})
    assert isinstance(step, NeedsCalls)
    assert [call.key for call in step.inquiries] == [READ]


def test_a_yes_to_the_stop_waits_for_what_else_is_told():
    ctx = turn("Yes, stop here. The bees moved, by the way.", state={"awaiting": "stop"})
    partials = {READ: {**heard("stop"), "next": ""}}
    step = decide(TINY, ctx, {}, rules_reading(TINY, ctx), partials)
    assert isinstance(step, NeedsCalls)
    assert settled(ctx, read_as("stop")).reason == "asks_for_contact_data"


@each("said", ["Yes, but first I’ll tell you how the bees flew.", "Yes. The bees moved, though."])
def test_who_says_yes_to_the_stop_and_goes_on_telling_is_heard_where_a_model_hears_it(said):
    ctx = turn(said, state={"awaiting": "stop"})
    heard = settled(ctx, read_as("answer"))
    assert (heard.reason, heard.state.awaiting) == ("stop_to_confirm", "stop")
    assert heard.utterances[0].text in wordings("en", "stop_stays")
    assert settled(ctx, read_as("stop")).reason == "asks_for_contact_data"
    assert settled(ctx, OFFLINE).reason == "asks_for_contact_data"


HARD = ("Yes, but first I want to tell you how she died.", "I keep thinking of how she died.")


@each(("said", "read"), list(product(HARD, (read_as("answer", "heavy"), OFFLINE))))
def test_something_hard_told_before_the_end_is_taken_in_and_the_end_still_offered(said, read):
    heard = settled(turn(said, state={"awaiting": "stop"}), read)
    assert (heard.reason, heard.state.awaiting) == ("stop_to_confirm", "stop")
    assert heard.state.number == 2
    taken_in, offer = (one.text for one in heard.utterances)
    assert begins(taken_in, "en", "acknowledgements")
    assert offer in wordings("en", "stop_stays")


@each("read", [read_as("answer", "heavy"), OFFLINE])
def test_who_was_heard_before_the_end_can_tell_more_until_they_choose(read):
    state = {"awaiting": "stop"}
    for said in (HARD[0], "She slept, and in the morning she was cold.", "That’s how it was.", "🕯"):
        heard = settled(turn(said, state=state), read)
        assert heard.utterances[-1].text in wordings("en", "stop_stays")
        state = heard.state.model_dump()
    yes = settled(turn("Yes, that was all, thank you.", state=state), OFFLINE)
    assert yes.reason == "asks_for_contact_data"
    no = settled(turn("No.", state=state), read)
    assert (no.reason, no.state.awaiting, no.state.unclear) == ("goes_on", "", 0)


@each("read", [read_as("answer", "heavy"), OFFLINE])
def test_after_a_no_something_hard_is_left_to_them_and_nothing_is_asked(read):
    ctx = turn("No, wait, I want to tell you how she died.", state={"awaiting": "stop"})
    heard = settled(ctx, read)
    assert (heard.reason, heard.state.awaiting, heard.state.number) == ("own_pace", "", 2)
    taken_in, pace = (one.text for one in heard.utterances)
    assert begins(taken_in, "en", "acknowledgements")
    assert pace in wordings("en", "pace")


def test_a_no_with_a_clear_wish_to_go_on_asks_the_open_question_again():
    ctx = turn("No, go on. My mother died, that is all.", state={"awaiting": "stop"})
    assert settled(ctx, read_as("answer", "heavy")).reason == "goes_on"


def test_a_reading_stored_before_words_were_told_beside_it_replays_as_it_was():
    ctx = turn(HARD[0], state={"awaiting": "stop"})
    live = settled(ctx, read_as("answer", "heavy")).read_by_rules["reading"]
    assert live["tells"] is True
    before = {name: value for name, value in live.items() if name != "tells"}
    again = settled(replace(ctx, remembered={"reading": before}), {})
    assert again.reason == "asks_for_contact_data"


def test_what_is_told_beside_a_no_to_the_stop_is_kept(monkeypatch):
    kept = []
    monkeypatch.setattr(Tiny, "keep_unanswered", lambda _, ctx, __: kept.append(ctx) or ctx.state)
    ctx = turn("No, the bees moved to the orchard.", state={"awaiting": "stop"})
    assert settled(ctx, read_as("answer")).reason == "goes_on"
    assert [one.reading.intent for one in kept] == ["answer"]
    partials = {READ: {**heard(), "next": ""}}
    step = decide(TINY, ctx, {}, rules_reading(TINY, ctx), partials)
    assert isinstance(step, NeedsCalls)  # what else it holds is waited for
    kept.clear()
    assert settled(turn("No.", state={"awaiting": "stop"}), {}).reason == "goes_on"
    assert kept == []


@each("said", ["Yes, stop now.", "Yes, please do.", "Yes, I want to stop now."])
def test_a_yes_to_the_stop_that_tells_nothing_ends_it_whatever_a_model_says(said):
    ctx = turn(said, state={"awaiting": "stop"})
    assert settled(ctx, read_as("answer")).reason == "asks_for_contact_data"


def test_a_refusal_in_confidence_is_kept_in_none_of_its_words():
    said = "I don't want to talk about 020 7946 0000 and what it is for."
    result = settled(turn(said, state={"sealed": True}), {})
    assert result.read_by_rules["reading"]["wishes"] == ("refuse",)
    assert "7946" not in f"{result.state.closed} {result.read_by_rules}"


# -- stopping for good


def stop_line(result) -> TranscriptLine:
    return TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.STOP_REQUEST, said_of(result))


def said_of(result) -> str:
    return result.utterances[-1].text


@each("language", ["en", "it", "ru"])
def test_shall_we_stop_is_never_asked_twice_in_the_same_words(language):
    stop = {"en": "Stop.", "it": "Voglio smettere.", "ru": "Я хочу закончить интервью."}[language]
    first = settled(turn(stop, language), {})
    lines = (stop_line(first),)
    state = first.state.model_dump()
    back = settled(turn("?", language, state=state, transcript=lines), read_as("ask_back"))
    lines = (*lines, stop_line(back))
    again = settled(turn("Hm, ja.", language, state=state, transcript=lines), OFFLINE)
    assert (back.reason, again.reason) == ("question_back", "stop_to_confirm")
    asked = [question_of(said_of(one)) for one in (first, back, again)]
    assert len(set(asked)) == 3


def test_a_model_is_told_in_which_words_it_was_asked():
    other = wordings("en", "confirm_stop")[1]
    line = TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.STOP_REQUEST, other)
    ctx = turn(state={"awaiting": "stop"}, transcript=(line,))
    assert as_asked(ctx, "Who?") == f"Who?\n{question_of(other)}"


def test_a_second_wish_to_stop_ends_it_whatever_is_told_beside_it():
    said = "I told you, the bees moved to the orchard in June. I really want to stop."
    ctx = turn(said, state={"awaiting": "stop"})
    ended = settled(ctx, {READ: by_model(Heard(heard="partly stop"))})
    assert (ended.reason, ended.heard_as) == ("asks_for_contact_data", None)


ONE_MORE = {
    "en": "One more and then I have to go.",
    "de": "Noch eine Frage, dann muss ich weg.",
    "es": "Una pregunta más y me tengo que ir.",
    "fr": "Encore une question et je dois partir.",
    "it": "Ancora una domanda e devo andare.",
    "ru": "Ещё один вопрос, и мне пора.",
    "ar": "سؤال واحد آخر ثم يجب أن أذهب.",
}


@each(("language", "said"), list(ONE_MORE.items()))
@each("awaiting", ["", "stop"])
def test_rules_leave_it_to_the_model_whether_one_more_is_wanted_before_the_end(
    language, said, awaiting
):
    assert read_by_rules(said, language, "").settled is None
    ctx = turn(said, state={"awaiting": awaiting})
    result = settled(ctx, read_as("last_one"))
    assert (result.state.ends_early, result.details["wishes"]) == (True, ["last_one"])


def test_at_the_closing_question_a_stop_is_not_confirmed_and_one_more_changes_nothing():
    state = {"last_asked": True}
    declined = settled(turn("Stop.", state=state), {})
    assert (declined.reason, declined.heard_as) == ("next after stop", EntryKind.STOP_REPLY)
    assert not settled(turn(state=state), read_as("last_one")).state.ends_early
    asked = settled(turn("How long?", state=state), read_as("ask_back"))
    assert "This is the last question." in asked.utterances[0].text
