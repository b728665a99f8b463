"""What Deepgram sends."""

import json
from typing import Any

RUBBISH = (
    "{",
    "null",
    "[1, 2]",
    '"Results"',
    '{"type": "Results"}',
    '{"type": "Results", "channel": {"alternatives": []}}',
    '{"type": "Results", "channel": {"alternatives": [{"transcript": 7}]}}',
    '{"type": "SomethingNew", "channel": 3}',
    b"\x00\xff\x00",
)


def results(text: str, final: bool, **more: Any) -> str:
    """Words as they are heard, provisional or final."""
    words = [{"word": word, "start": 0.0, "end": 0.1, "confidence": 0.9} for word in text.split()]
    return json.dumps(
        {
            "type": "Results",
            "channel_index": [0, 1],
            "duration": 1.0,
            "start": 0.0,
            "is_final": final,
            "speech_final": final,
            "channel": {"alternatives": [{"transcript": text, "confidence": 0.9, "words": words}]},
            "metadata": {
                "request_id": "5f0c7b5e-0000-4000-8000-000000000000",
                "model_info": {"name": "general-nova-3", "version": "1", "arch": "nova-3"},
                "model_uuid": "5f0c7b5e-0000-4000-8000-000000000001",
            },
            **more,
        }
    )


def metadata() -> str:
    """The last message."""
    return json.dumps(
        {
            "type": "Metadata",
            "transaction_key": "deprecated",
            "request_id": "5f0c7b5e-0000-4000-8000-000000000000",
            "sha256": "0" * 64,
            "created": "2026-01-01T00:00:00.000Z",
            "duration": 1.0,
            "channels": 1,
        }
    )


def error() -> str:
    """What it sends before it gives up."""
    return json.dumps({"type": "Error", "description": "Out of luck", "variant": "INTERNAL"})
