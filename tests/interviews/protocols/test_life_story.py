"""Every rule of the life-story protocol, held by code whatever a model says."""

import pytest

from interviews.choices import SessionStatus
from interviews.protocols.life_story.protocol import PROTOCOL
from tests.interviews.protocols.here import (
    NOON,
    SKIPS,
    asks,
    bridges,
    here,
    keyed,
    move_on,
    moved,
    needs,
    noted,
    plan,
    said,
    stay,
    step,
)

LONG = (
    "We had a wooden desk by the window and I remember the smell of chalk and the long winter "
    "mornings when the stove was lit before anybody came in and we all kept our coats on."
)


def test_opening_asks_the_first_question_as_written_without_a_model():
    move = moved(here(trigger="opening", notes={}, state={"current_question_index": -1}))
    assert said(move) == [("scripted_question", "What comes to mind about the house?")]
    assert move.state.current_question_index == 0
    assert move.progress == (1, 10, "questions")


def test_planner_notes_and_next_question_are_asked_side_by_side():
    assert needs(here(LONG)) == {"plan", "notes", "personalise.2"}


def test_empty_notes_need_no_call_for_the_next_question():
    assert needs(here(LONG, notes={})) == {"plan", "notes"}


def test_follow_up_waits_for_notes_but_no_longer_for_the_next_question():
    assert needs(here(LONG), plan=stay()) == {"notes"}


def test_follow_up():
    move = moved(here(LONG), plan=stay(), notes=noted(desk="by the window"))
    assert said(move) == [("follow_up", "Who sat beside you?")]
    assert move.state.followups_count == 1
    assert move.state.current_question_index == 1
    assert move.state.notes["desk"].text == "by the window"
    assert move.state.notes["desk"].position == 5
    assert move.reason == "follow_up"


def test_next_question_starts_a_new_block():
    move = moved(here(LONG), plan=move_on(), notes=noted(), p_2=asks("What was your first job?"))
    assert said(move) == [("scripted_question", "What was your first job?")]
    assert move.state.current_question_index == 2
    assert move.state.followups_count == 0
    assert move.state.block_started_at is None
    assert move.state.mark_spoken(NOON).block_started_at == NOON


@pytest.mark.parametrize(
    ("seconds", "follows"), [(270, True), (271, False), (300, False), (500, False)]
)
def test_under_thirty_seconds_left_the_next_question_comes(seconds, follows):
    move = moved(here(LONG, seconds=seconds), plan=stay(), notes=noted(), p_2=asks("And then?"))
    assert (move.reason == "follow_up") is follows
    if not follows:
        assert move.reason == "time_left"


def test_a_pause_uses_up_no_time():
    now = here(LONG, seconds=4000, away=3900.0)
    assert moved(now, plan=stay(), notes=noted()).reason == "follow_up"


def test_ten_minutes_of_silence_use_up_no_time():
    assert moved(here(LONG, seconds=601), plan=stay(), notes=noted()).reason == "follow_up"
    late = moved(here(LONG, seconds=599), plan=stay(), notes=noted(), p_2=asks("And then?"))
    assert late.reason == "time_left"


@pytest.mark.parametrize(
    "wish",
    [
        "skip",
        "Can we move on?",
        "Next question, please.",
        "пропустить",
        "Давайте дальше",
        "Saltiamo questa domanda",
        "Passo",
    ],
)
def test_a_clear_wish_to_move_on_settles_it_without_planner_or_notes(wish):
    assert needs(here(wish)) == {"personalise.2"}
    move = moved(here(wish), p_2=asks("What was your first job?"))
    assert said(move) == [("scripted_question", "What was your first job?")]
    assert move.reason == "skip_wish"


def test_the_skip_button_says_nothing_and_asks_the_next():
    move = moved(here(trigger="skip"), p_2=asks("What was your first job?"))
    assert move.reason == "skip_button"


@pytest.mark.parametrize(
    "refusal", ["I'd rather not say.", "Не хочу об этом говорить", "Preferisco non rispondere"]
)
def test_privacy_is_respected_at_once(refusal):
    move = moved(here(refusal), p_2=asks("What was your first job?"))
    assert [kind for kind, _ in said(move)] == ["transition", "scripted_question"]
    assert "?" not in said(move)[0][1]
    assert move.reason == "privacy"


def test_the_ceiling_settles_it_without_the_planner():
    now = here(LONG, state={"followups_count": 3})
    assert needs(now) == {"notes", "personalise.2"}
    assert moved(now, notes=noted(), p_2=asks("And work?")).reason == "ceiling"


def test_a_hard_answer_at_the_ceiling_gets_a_bridge():
    now = here("My brother died that winter.", state={"followups_count": 3})
    assert "bridge" in needs(now, notes=noted(), p_2=asks("And work?"))


@pytest.mark.parametrize(
    "words",
    ["", "   ", "I see.", "Tell me more.", "</answer> What then?", "Кто сидел рядом с вами тогда?"],
)
def test_an_unusable_follow_up_becomes_the_next_question(words):
    move = moved(here(LONG), plan=stay(words), notes=noted(), p_2=asks("And work?"))
    assert move.reason == "unusable_follow_up"
    assert said(move) == [("scripted_question", "And work?")]
    assert move.firings[0].guard == "follow_up"


def test_a_follow_up_that_repeats_a_question_is_unusable():
    words = "What comes to mind about school?"
    assert moved(here(LONG), plan=stay(words), notes=noted(), p_2=asks("And work?")).reason == (
        "unusable_follow_up"
    )


def test_a_follow_up_that_gives_the_persona_away_is_unusable():
    words = "I listen and keeps the canary word zephyrine to itself always, do you?"
    move = moved(here(LONG), plan=stay(words), notes=noted(), p_2=asks("And work?"))
    assert "zephyrine" not in str(said(move))


def test_a_hard_answer_is_acknowledged_before_a_follow_up():
    move = moved(here(LONG), plan=stay("Who was with you?", emotional=True), notes=noted())
    text = said(move)[0][1]
    assert text.endswith("Who was with you?")
    assert len(text) > len("Who was with you?")


def test_an_acknowledgement_is_not_worded_as_the_last_one():
    from interviews.choices import EntryKind, SpeakerRole
    from interviews.engine.context import TranscriptLine

    words = "That must have been heavy. Who was with you?"
    before = TranscriptLine(
        SpeakerRole.INTERVIEWER, EntryKind.FOLLOW_UP, "That must have been heavy. And later?"
    )
    now = here(LONG, transcript=(before,))
    move = moved(now, plan=stay(words, emotional=True), notes=noted())
    assert "must have been heavy" not in said(move)[0][1]
    assert move.firings[0].guard == "acknowledgement"


def test_a_moving_answer_gets_the_planners_bridge():
    move = moved(
        here(LONG),
        plan=move_on("You carried that for a long time.", emotional=True),
        notes=noted(),
        p_2=asks("And work?"),
    )
    assert said(move) == [
        ("transition", "You carried that for a long time."),
        ("scripted_question", "And work?"),
    ]


def test_an_empty_bridge_is_asked_for():
    ready = {"plan": move_on(emotional=True), "notes": noted(), "p_2": asks("And work?")}
    assert needs(here(LONG), **ready) == {"bridge"}
    move = moved(here(LONG), **ready, bridge=bridges("That winter stays with you."))
    assert said(move)[0] == ("transition", "That winter stays with you.")


def test_a_moving_follow_up_that_time_cut_off_becomes_a_bridge():
    now = here(LONG, seconds=290)
    ready = {"plan": stay("Who held you?", emotional=True), "notes": noted(), "p_2": asks("Work?")}
    assert needs(now, **ready) == {"bridge"}


@pytest.mark.parametrize("text", ["Why did it hurt?", "Did you cry? Was it long?"])
def test_a_bridge_asks_nothing(text):
    move = moved(
        here(LONG), plan=move_on(text, emotional=True), notes=noted(), p_2=asks("And work?")
    )
    assert "?" not in said(move)[0][1]
    assert move.firings


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for sharing that with me.",
        "You should talk to somebody about it.",
        "Спасибо, что рассказали мне об этой зиме так открыто.",
    ],
)
def test_a_bridge_is_no_stock_phrase_no_advice_and_in_the_language(text):
    move = moved(
        here(LONG), plan=move_on(text, emotional=True), notes=noted(), p_2=asks("And work?")
    )
    assert said(move)[0][1] != text
    assert move.firings[0].guard == "bridge"


def test_known_questions_are_left_out_and_the_rest_looked_at_side_by_side():
    ready = {"plan": move_on(), "notes": noted()}
    assert needs(here(LONG), **ready, p_2=SKIPS) == {
        "personalise.3",
        "personalise.4",
        "personalise.5",
        "personalise.6",
        "personalise.7.ask",
    }
    move = moved(here(LONG), **ready, p_2=SKIPS, p_3=asks("And friends?"))
    assert move.state.current_question_index == 3
    assert move.details["skipped"] == {"q2": "known"}


def test_after_five_skips_the_next_may_not_be_skipped():
    skips = {f"p_{i}": SKIPS for i in range(2, 7)}
    ready = {"plan": move_on(), "notes": noted(), **skips}
    assert needs(here(LONG), **ready) == {"personalise.7.ask"}
    move = moved(here(LONG), **ready, p_7_ask=SKIPS)
    assert move.state.current_question_index == 7
    assert said(move) == [("scripted_question", "What comes to mind about faith?")]
    assert len(move.details["skipped"]) == 5


def test_the_interview_ends_where_the_script_does():
    now = here(LONG, plan=plan(4), state={"current_question_index": 3})
    move = moved(now, plan=move_on(), notes=noted())
    assert said(move) == [("outro", "Goodbye.")]
    assert move.status == SessionStatus.COMPLETED


def test_the_closing_question_is_asked_whatever_is_known():
    now = here(LONG, plan=plan(4))
    move = moved(now, plan=move_on(), notes=noted(), p_2=SKIPS, p_3=SKIPS)
    assert said(move) == [("scripted_question", "What comes to mind about a friend?")]
    assert list(move.details["skipped"]) == ["q2"]
    calls = step(now, plan=move_on(), notes=noted(), p_2=SKIPS)
    assert [call.data.may_skip for call in calls.inquiries] == [False]


def test_a_question_that_lost_its_question_is_asked_as_written():
    move = moved(here(LONG), plan=move_on(), notes=noted(), p_2=asks("You told me about work."))
    assert said(move) == [("scripted_question", "What comes to mind about first work?")]
    assert move.firings[0].guard == "personalise"


def test_stop_is_confirmed_once_then_ends():
    asked = moved(here("Let's stop here."))
    assert asked.state.awaiting == "stop"
    assert asked.status == SessionStatus.WAITING_ANSWER
    yes = moved(here("yes", state={"awaiting": "stop"}))
    assert yes.status == SessionStatus.STOPPED
    assert said(yes)[-1][0] == "outro"


def test_stop_that_was_not_meant_puts_the_question_again():
    move = moved(here("no, go on", state={"awaiting": "stop"}))
    assert said(move)[-1] == ("scripted_question", "What comes to mind about school?")
    assert move.state.awaiting == ""


def test_an_answer_instead_of_yes_or_no_is_an_answer():
    assert "plan" in needs(here(LONG, state={"awaiting": "stop"}))


def test_the_stop_button_needs_no_words():
    assert moved(here(trigger="stop")).status == SessionStatus.STOPPED


def test_distress_is_met_with_the_bots_care_text_and_no_probing():
    move = moved(here("Honestly I want to kill myself."))
    assert said(move) == [("care", "Please look after yourself. Shall we go on?")]
    assert move.flagged
    assert moved(here("no", state={"awaiting": "care"})).status == SessionStatus.STOPPED
    on = moved(here("yes", state={"awaiting": "care"}))
    assert said(on)[-1][0] == "scripted_question"


def test_a_deleted_bot_ends_it_politely():
    move = moved(here(LONG, bot_gone=True))
    assert move.status == SessionStatus.STOPPED
    assert said(move)[0][0] == "outro"


def test_notes_go_only_when_denied():
    now = here("I never lived in Riga.", notes={"born_in": "Riga", "school": "large"})
    move = moved(now, plan=stay(), notes=noted(denied=("born_in",), home="Tallinn"))
    assert set(move.state.notes) == {"school", "home"}


def test_notes_are_bounded_in_number_and_length():
    many = {f"key_{i}": "x" * 1000 for i in range(200)}
    move = moved(here(LONG), plan=stay(), notes=noted(**many))
    assert len(move.state.notes) == 40
    assert all(len(note.text) <= 240 for note in move.state.notes.values())


# -- what is shown while a model still writes


def draft(now, partials=None, **readings):
    return PROTOCOL.preview(now, keyed(readings), keyed(partials or {}))


def test_a_follow_up_is_shown_as_it_is_written():
    written = {"action": "FOLLOW_UP", "emotional_content": False, "next_utterance": "Who sat"}
    assert draft(here(LONG), {"plan": written}) == "Who sat"


def test_nothing_is_shown_before_the_action_is_known():
    assert draft(here(LONG), {"plan": {"action": "FOLLOW"}, "p_2": {"question": "And"}}) == ""


def test_a_follow_up_without_time_is_never_shown():
    written = {"action": "FOLLOW_UP", "emotional_content": False, "next_utterance": "Who sat"}
    assert draft(here(LONG, seconds=290), {"plan": written}) == ""


def test_the_next_question_is_shown_as_it_is_worded():
    plan_so_far = {"action": "NEXT_QUESTION", "emotional_content": False}
    worded = {"action": "ask", "question": "What was your"}
    assert draft(here(LONG), {"plan": plan_so_far, "p_2": worded}) == "What was your"


def test_a_bridge_is_shown_first():
    plan_so_far = {"action": "NEXT_QUESTION", "emotional_content": True, "transition": "You carr"}
    worded = {"action": "ask", "question": "What was your"}
    assert draft(here(LONG), {"plan": plan_so_far, "p_2": worded}) == "You carr"


def test_a_draft_that_gives_something_away_is_held_back():
    written = {
        "action": "FOLLOW_UP",
        "emotional_content": False,
        "next_utterance": "keeps the canary word zephyrine to itself always",
    }
    assert draft(here(LONG), {"plan": written}) == ""


def test_what_a_skip_wish_brings_is_shown_without_the_planner():
    assert draft(here("skip"), {"p_2": {"action": "ask", "question": "What w"}}) == "What w"


def test_replay_needs_nothing_but_what_was_read():
    from interviews.engine.pipeline import replay

    readings = keyed({"plan": stay(), "notes": noted(desk="oak")})
    assert replay(PROTOCOL, here(LONG), readings) == moved(
        here(LONG), plan=stay(), notes=noted(desk="oak")
    )
