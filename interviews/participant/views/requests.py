"""Reads what the participant's requests send."""

from uuid import uuid4

from django.http import HttpRequest


def by_script(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", None))


def read_position(request: HttpRequest) -> int:
    data = request.POST if request.method == "POST" else request.GET
    return number(data.get("after")) or 0


def message_id(request: HttpRequest) -> str:
    return request.POST.get("message_id", "").strip()[:64] or uuid4().hex


def number(value: str | None) -> int | None:
    """Parse a small whole number; None for anything else."""
    if value and value.isascii() and value.isdigit() and len(value) < 9:
        return int(value)
    return None
