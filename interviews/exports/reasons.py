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
    "stop_to_confirm": "The participant seems to want to stop, which is asked once.",
    "stopped_by_participant": "The participant ended the interview.",
    "paused_in_words": "The participant wants to continue later, so the interview is paused.",
    "withdrawal_explained": "The participant wants to withdraw, so how to do it is explained.",
    "goes_on": "The participant goes on, so the open question is put again.",
    "distress": "Signs of distress: the care text is shown, and nothing more is asked.",
    "care_choice": "It was not clear whether to go on after the care text, so it is asked again.",
    "bot_deleted": "The bot was deleted meanwhile, so the interview ends politely.",
    "stay": "The topic has turns left, so the next of its sub-goals.",
    "low": "The answer gave little, so the next topic.",
    "bonus": "The answer gave much, so the topic gets one turn more.",
    "base_used": "The topic's turns are used, so the next topic.",
    "time_out": "The planned time is over, so an extension is offered.",
    "all_covered": "Everything was talked about.",
    "stop": "The participant ended the conversation.",
    "accepted": "The extension was accepted, so what was left open is taken up.",
    "refused": "The extension was not accepted.",
    "asked_again": "It was not clear whether to go on, so it is asked once more.",
    "deepen_stay": "The topic engages, so it gets a second turn.",
    "deepen_next": "The next topic that was left open.",
    "deepen_done": "Nothing that was left open remains.",
    "data_stay": "Consent, or the next of the data.",
    "data_done": "Nothing more is asked for, so the interview ends.",
    "clarification": "The participant asked what was meant, so it is put in other words.",
    "off_topic": "What was said does not belong to the interview, so it is led back.",
    "increase": "A harder question comes next.",
    "same": "A question as hard as the last comes next.",
    "decrease": "An easier question comes next.",
    "question_back": "The participant asked something: it is answered, the question put again.",
    "turn_limit": "The last turn is used, so the interview ends.",
    "no_question_left": "No question is left that was not asked, so the interview ends.",
    "answered": "The answer is read, so the next question of the backlog.",
    "skipped": "The question was left out, so the next of the backlog.",
    "skipped_last": "The last question to be asked was left out, so the interview ends.",
    "rounds_used": "The last round is used, so the interview ends.",
    "backlog_answered": "No P0 or P1 is open any more, so the interview ends.",
    "by_graph": "The graph of what was said shows how to go on, and where.",
    "left_out": "The question was left out, so the graph shows where to go on.",
    "nothing_told": "There was nothing to read in the answer, so the graph shows where to go on.",
    "all_exhausted": "Nothing more is to be had anywhere, so the interview ends.",
    "turn_failed": "The turn failed several times, so the open question is put again.",
}
READERS = {  # stored source -> who read the answer
    "model": "the model that was meant to",
    "fallback_model": "the model that stands in for it",
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
