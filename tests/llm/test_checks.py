"""Settings that would only show in mid-interview."""

from typing import Any

import pytest

from llm.checks import models_are_reachable


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, []),
        ({"LLM_PROVIDER": "offline"}, []),
        ({"LLM_PROVIDER": "oracle"}, ["llm.E001"]),
        ({"LLM_PROVIDER": "anthropic"}, ["llm.W001"]),
        ({"LLM_PROVIDER": "anthropic", "ANTHROPIC_BASE_URL": "http://localhost:1"}, []),
        ({"LLM_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "k"}, []),
        ({"LLM_PROVIDER": "openai"}, []),
        ({"LLM_PROVIDER": "together"}, ["llm.W001"]),
        ({"LLM_MAIN_FALLBACK": "openai:gpt-6-luna"}, []),
        ({"LLM_MAIN_FALLBACK": "gpt-6-luna"}, ["llm.E002"]),
        ({"LLM_FAST_FALLBACK": "oracle:x"}, ["llm.E002"]),
    ],
)
def test_checks(given: dict[str, str], expected: list[str], settings: Any) -> None:
    for name, value in given.items():
        setattr(settings, name, value)
    assert [found.id for found in models_are_reachable()] == expected
