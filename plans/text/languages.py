from collections.abc import Iterable

from django.conf import settings
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


def interface_language(language: str) -> str:
    try:
        return translation.get_supported_language_variant(language)
    except LookupError:
        return settings.LANGUAGE_CODE


def match_language(tag: str, known: Iterable[str]) -> str:
    """Return which known tag fits: the same, its main form, or that of any country; else empty."""
    tags = {one.lower(): one for one in known}
    tag, primary = tag.lower(), tag.lower().split("-")[0]
    kin = (one for lower, one in tags.items() if lower.split("-")[0] == primary)
    return tags.get(tag) or tags.get(primary) or next(kin, "")


def accepted_languages(header: str) -> list[str]:
    """Return the tags that an Accept-Language header names, the preferred one first."""
    return [tag for tag, _weight in parse_accept_lang_header(header) if tag != "*"]
