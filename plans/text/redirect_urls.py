import re
from urllib.parse import quote, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

PARAMETER = re.compile(r"\{[^{}]*\}")


PROLIFIC = "https://app.prolific.com/submissions/complete?cc="


def prolific_url(code: str) -> str:
    """Return Prolific's page that takes the code of a submission."""
    return PROLIFIC + quote(code.strip(), safe="")


def is_address(url: str) -> bool:
    """Return whether people can be sent there once its {parameters} are filled in.

    The host must be fixed: a parameter may change the path, never the site.
    """
    plain = url.strip()
    try:
        URLValidator(schemes=["http", "https"])(PARAMETER.sub("x", plain))
        return "{" not in urlsplit(plain).netloc
    except (ValidationError, ValueError):
        return False
