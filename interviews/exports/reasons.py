"""Why a turn went as it did: the reasons in traces, and a sentence for each."""

from pathlib import Path

import yaml

FILE = Path(__file__).parent / "reasons.yaml"
REASONS: dict[str, str] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
READERS = {  # stored source -> who read the answer
    "model": "the intended model",
    "fallback_model": "the fallback model",
    "fallback": "made without a model, since none gave anything usable",
    "rules": "made without a model",
}
# Reasons of turns that are no answer.
DECLINED = frozenset({"skip_button", "skip_wish", "privacy", "skipped", "skipped_last", "left_out"})
ABOUT_STOPPING = frozenset(
    {"stop_to_confirm", "goes_on", "stopped_by_participant", "care_choice", "paused_in_words"}
    | {"withdrawal_explained"}
)
ASIDE = frozenset({"question_back", "clarification", "off_topic"})
NO_ANSWER = DECLINED | ABOUT_STOPPING | ASIDE


def reason_text(reason: str) -> str:
    return REASONS.get(reason, reason.replace("_", " "))
