"""A request of either wire, reduced to what a reply depends on."""

import json
import random
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TAGGED = re.compile(r"<(answer|said|words|reply)>\s*(.*?)\s*</\1>", re.S)
TITLE = re.compile(r"must fit this JSON schema:\s*(\{.*\})\s*\Z", re.S)


@dataclass(frozen=True)
class Asked:
    """What was asked: the schema wanted (None for text), the prompt, and chance for the reply."""

    schema: Mapping[str, Any] | None
    system: str
    message: str
    max_tokens: int
    stream: bool
    rng: random.Random
    cacheable: tuple[str, ...] = ()  # the texts that it begins with, as far as a cache keeps them
    tokens: int = 0  # of the whole prompt, roughly

    @property
    def name(self) -> str:
        """The result's name; empty for text."""
        return str((self.schema or {}).get("title", ""))

    @property
    def answer(self) -> str:
        """What the participant has just said, as far as the prompt shows it."""
        tagged = TAGGED.findall(self.message)
        return str(tagged[-1][1]) if tagged else self.message[-300:]

    def inside(self, tag: str) -> str:
        """What the last tag of that name holds; empty without one."""
        hits = re.findall(rf"<{tag}>\s*(.*?)\s*</{tag}>", self.message, re.S)
        return str(hits[-1]).strip() if hits else ""


def asked(
    body: Mapping[str, Any],
    schema: Mapping[str, Any] | None,
    system: str,
    messages: list[str],
    cacheable: list[str],
    seed: int,
) -> Asked:
    """Put together what both wires have in common."""
    text = "\n".join(messages)
    chance = random.Random(f"{seed}:{zlib.crc32((system + text).encode('utf-8', 'replace'))}")
    return Asked(
        schema=schema or _in_words(system),
        system=system,
        message=text,
        max_tokens=int(body.get("max_tokens") or body.get("max_completion_tokens") or 1000),
        stream=bool(body.get("stream")),
        rng=chance,
        cacheable=tuple(cacheable),
        tokens=tokens_in(system, *messages),
    )


def tokens_in(*texts: str) -> int:
    """A rough count."""
    return sum(len(text) // 4 + 1 for text in texts)


def _in_words(system: str) -> Mapping[str, Any] | None:
    found = TITLE.search(system)
    schema: Mapping[str, Any] | None = json.loads(found[1]) if found else None
    return schema
