"""The buttons that answer the care text and "shall we stop?" in place of words.

A button says its label, so that rules read it, replay repeats it, and the transcript shows it.
"""

from django.utils.translation import pgettext

BUTTONS = {"care": ("continue", "stop"), "stop": ("end", "continue")}


def reply_buttons(awaiting: str) -> list[tuple[str, str]]:
    """Return the names and labels of the buttons for what a session awaits."""
    return [(name, label(name)) for name in BUTTONS.get(awaiting, ())]


def label(name: str) -> str:
    """Return a button's label in the active language, or "" for an unknown button."""
    labels = {
        "continue": pgettext("reply to the interviewer", "Continue"),
        "stop": pgettext("reply to the interviewer", "Stop here"),
        "end": pgettext("reply to the interviewer", "End the interview"),
    }
    return labels.get(name, "")
