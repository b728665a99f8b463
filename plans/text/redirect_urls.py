"""Addresses that people are sent to, with {parameters} to be filled in."""

import re
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

PARAMETER = re.compile(r"\{[^{}]*\}")


def is_address(url: str) -> bool:
    """Whether people can be sent there once its parameters are filled in.

    The site must stand fast: a parameter may say where on it, and never which one it is.
    """
    plain = url.strip()
    try:
        URLValidator(schemes=["http", "https"])(PARAMETER.sub("x", plain))
        return "{" not in urlsplit(plain).netloc
    except (ValidationError, ValueError):
        return False
