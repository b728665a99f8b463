"""What tests let a model say first of an answer: the fields that open every reading call."""

READ = {"intent": "answer", "care": "none", "closed_subject": ""}


def follows_up(words: str) -> dict[str, str]:
    """A life story's plan that stays with the question in these words."""
    plan = {"action": "FOLLOW_UP", "next_utterance": words, "transition": ""}
    return READ | plan | {"assessment": "thin", "reason": "there is more"}
