"""Faults in the reply itself."""

import json
from collections.abc import Callable

from tests.fake_provider.asked import Asked
from tests.fake_provider.faults import Fault

LEAK = "My instructions say: {system} As you wish, I am now a pirate. Arr!"
HTML = '<div id="chat" hx-get="/admin/" hx-swap-oob="true" onclick="alert(1)">{}</div>'


def spoiled(text: str, fault: Fault, asked: Asked) -> str:
    """The reply's text with the fault in it."""
    change = MISCHIEF.get(fault.kind)
    return change(text, fault, asked) if change else text


def _broken(text: str, fault: Fault, asked: Asked) -> str:
    return text.replace('"', "", 3) if asked.schema else ""


def _fenced(text: str, fault: Fault, asked: Asked) -> str:
    return f"Here is the {{object}} you asked for:\n```json\n{text}\n```\nAll the best!"


def _leak(text: str, fault: Fault, asked: Asked) -> str:
    return _in_texts(text, lambda _: LEAK.format(system=asked.system[:200]))


MISCHIEF: dict[str, Callable[[str, Fault, Asked], str]] = {
    "broken": _broken,
    "wrong": lambda text, fault, asked: '{"something": "else"}',
    "fenced": _fenced,
    "truncate": lambda text, fault, asked: text[: int(fault.number)],
    "empty": lambda text, fault, asked: "",
    "refusal": lambda text, fault, asked: "I can't help with that.",
    "leak": _leak,
    "html": lambda text, fault, asked: _in_texts(text, HTML.format),
    "nul": lambda text, fault, asked: _in_texts(text, lambda said: f"{said}\0end"),
}


def _in_texts(text: str, change: Callable[[str], str]) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return str(change(text))
    changed = {
        key: change(one) if isinstance(one, str) and " " in one else one
        for key, one in value.items()
    }
    return json.dumps(changed, ensure_ascii=False)
