"""What a request says."""

from typing import Any
from uuid import uuid4

from django.http import HttpRequest


def by_script(request: HttpRequest) -> bool:
    """Whether the page's script asks, and wants parts of the page."""
    htmx: Any = getattr(request, "htmx", None)
    return bool(htmx)


def shown(request: HttpRequest) -> int:
    """The position of the last entry that the page has."""
    data = request.POST if request.method == "POST" else request.GET
    return number(data.get("after")) or 0


def message_id(request: HttpRequest) -> str:
    """The id that the page gave to what it sends."""
    return request.POST.get("message_id", "").strip()[:64] or uuid4().hex


def number(value: str | None) -> int | None:
    """A small whole number, or None for anything else."""
    plain = value is not None and value.isascii() and value.isdigit() and len(value) < 9
    return int(value) if plain and value else None
