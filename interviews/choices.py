from django.db.models import TextChoices

RULES = "rules"  # source of words and results in which no model had a part


class SessionStatus(TextChoices):
    INTRO = "INTRO", "Intro"
    WAITING_ANSWER = "WAITING_ANSWER", "Waiting for an answer"
    ASKING = "ASKING", "Interviewer is asking"
    PAUSED = "PAUSED", "Paused"
    COMPLETED = "COMPLETED", "Completed"
    STOPPED = "STOPPED", "Stopped by the participant"
    ARCHIVED = "ARCHIVED", "Replaced by a new start"
    WITHDRAWN = "WITHDRAWN", "Withdrawn"


ENDED = (SessionStatus.COMPLETED, SessionStatus.STOPPED)
ACTIVE = (
    SessionStatus.INTRO,
    SessionStatus.WAITING_ANSWER,
    SessionStatus.ASKING,
    SessionStatus.PAUSED,
)


class SpeakerRole(TextChoices):
    INTERVIEWER = "interviewer", "Interviewer"
    PARTICIPANT = "participant", "Participant"


class EntryKind(TextChoices):
    INTRO = "intro", "Intro"
    SCRIPTED_QUESTION = "scripted_question", "Question"
    TOPIC_QUESTION = "topic_question", "Topic question"
    QUESTION = "question", "Question"
    FOLLOW_UP = "follow_up", "Follow-up"
    LAST_QUESTION = "last_question", "Closing question"
    TRANSITION = "transition", "Transition"
    DEEP_OFFER = "deep_offer", "Offer to continue"
    CONSENT_REQUEST = "consent_request", "Consent"
    DATA_REQUEST = "data_request", "Data"
    INTERVIEWER_ANSWER = "interviewer_answer", "Interviewer's answer"
    STOP_REQUEST = "stop_request", "Asks whether to stop"
    CARE = "care", "Care"
    OUTRO = "outro", "Outro"
    USER_ANSWER = "user_answer", "Answer"
    CANDIDATE_QUESTION = "candidate_question", "Question back"
    SKIP = "skip", "Skip"
    OFFER_REPLY = "offer_reply", "Reply to an offer to continue"
    CONSENT_REPLY = "consent_reply", "Reply to a request for consent"
    DATA_REPLY = "data_reply", "Reply to a request for contact data"
    STOP_REPLY = "stop_reply", "Words about stopping or pausing"
    CARE_REPLY = "care_reply", "Words of distress, or a reply to the care text"


# What is not about the study: it belongs to no question or topic, and counts as no answer.
BESIDE_THE_STUDY = frozenset(
    {
        *(EntryKind.DEEP_OFFER, EntryKind.OFFER_REPLY),
        *(EntryKind.CONSENT_REQUEST, EntryKind.CONSENT_REPLY),
        *(EntryKind.DATA_REQUEST, EntryKind.DATA_REPLY),
        *(EntryKind.STOP_REQUEST, EntryKind.STOP_REPLY),
        *(EntryKind.CARE, EntryKind.CARE_REPLY),
        *(EntryKind.CANDIDATE_QUESTION, EntryKind.INTERVIEWER_ANSWER),
    }
)


# Reasons of turns that are no answer.
DECLINED = frozenset({"skipped", "skipped_last", "left_out"})
ABOUT_STOPPING = frozenset(
    {"stop_to_confirm", "goes_on", "stopped_by_participant", "care_choice", "paused_in_words"}
    | {"withdrawal_explained"}
)
ASIDE = frozenset({"question_back", "clarification", "off_topic", "noted"})
NO_ANSWER = DECLINED | ABOUT_STOPPING | ASIDE
TURN_FAILED = "turn_failed"  # reason of a turn that repeats the question after several failures
