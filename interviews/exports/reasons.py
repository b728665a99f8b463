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


def reason_text(reason: str) -> str:
    return REASONS.get(reason, reason.replace("_", " "))
