"""Why a turn went as it did: the reasons in traces, and a sentence for each."""

REASONS = {
    "opening": "The interview begins.",
    "follow_up": "The answer leaves something open, so one more question about it.",
    "planner": "The answer says enough, so the next question.",
    "skip_button": "The participant pressed skip.",
    "skip_wish": "The participant asked to move on.",
    "privacy": "The participant would rather not say, which is respected.",
    "own_pace": "Something hard was told, so the participant says how much more they tell.",
    "dont_know": "The participant doesn't know or remember, so the next question.",
    "ceiling": "This question has had as many follow-ups as it may have.",
    "time_left": "The time for this question is used up.",
    "unusable_follow_up": "The follow-up that was proposed could not be asked.",
    "script_ended": "No question is left, so the interview ends.",
    "stop_to_confirm": "The participant seems to want to stop and is asked to confirm.",
    "stopped_by_participant": "The participant ended the interview.",
    "paused_in_words": "The participant wants to continue later, so the interview is paused.",
    "withdrawal_explained": "The participant wants to withdraw, so how to do it is explained.",
    "goes_on": "The participant continues, so the open question is asked again.",
    "distress": "Signs of distress: the care text is shown, and nothing more is asked.",
    "care_choice": "It was unclear whether to continue after the care text, so it is asked again.",
    "bot_deleted": "The bot was deleted meanwhile, so the interview ends politely.",
    "stay": "The topic has turns left, so the next of its sub-goals.",
    "low": "The answer gave little, so the next topic.",
    "bonus": "The answer gave a lot, so the topic gets one more turn.",
    "base_used": "The topic's turns are used, so the next topic.",
    "time_out": "The planned time is over, so an extension is offered.",
    "all_covered": "Everything was talked about.",
    "stop": "The participant ended the conversation.",
    "accepted": "The extension was accepted, so the interview returns to what was left open.",
    "refused": "The extension was not accepted.",
    "asked_again": "It was unclear whether to continue, so the offer is made once more.",
    "deepen_stay": "The participant has more to say on the topic, so it gets a second turn.",
    "deepen_next": "The next topic that was left open.",
    "deepen_done": "Nothing is left open.",
    "data_stay": "Consent, or the next of the data.",
    "data_done": "Nothing more is asked for, so the interview ends.",
    "clarification": "The participant asked what was meant, so the question is reworded.",
    "off_topic": "The answer was off topic, so the participant is led back.",
    "increase": "A harder question comes next.",
    "same": "A question as hard as the last comes next.",
    "decrease": "An easier question comes next.",
    "question_back": "The participant asked something: it is answered, the question asked again.",
    "turn_limit": "The last turn is used, so the interview ends.",
    "no_question_left": "Every question has been asked, so the interview ends.",
    "answered": "The answer has been read, so the next question in the backlog is asked.",
    "skipped": "The question was skipped, so the next one in the backlog is asked.",
    "skipped_last": "The last question was skipped, so the interview ends.",
    "rounds_used": "The last round is used, so the interview ends.",
    "backlog_answered": "No P0 or P1 question is left open, so the interview ends.",
    "by_graph": "The graph of what was said shows how to continue, and where.",
    "left_out": "The question was skipped, so the graph shows where to continue.",
    "nothing_told": "Nothing could be read in the answer, so the graph shows where to continue.",
    "all_exhausted": "There is nothing left to explore, so the interview ends.",
    "turn_failed": "The turn failed several times, so the open question is asked again.",
}
READERS = {  # stored source -> who read the answer
    "model": "the intended model",
    "fallback_model": "the fallback model",
    "fallback": "made without a model, since none gave anything usable",
    "rules": "made without a model",
}
# Reasons of turns that are no answer.
DECLINED = frozenset({"skip_button", "skip_wish", "privacy", "skipped", "skipped_last", "left_out"})
ABOUT_STOPPING = frozenset(
    {
        "stop_to_confirm",
        "goes_on",
        "stopped_by_participant",
        "care_choice",
        "paused_in_words",
        "withdrawal_explained",
    }
)
ASIDE = frozenset({"question_back", "clarification", "off_topic"})
NO_ANSWER = DECLINED | ABOUT_STOPPING | ASIDE


def reason_text(reason: str) -> str:
    return REASONS.get(reason, reason.replace("_", " "))
