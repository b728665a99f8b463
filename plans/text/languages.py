from django.conf import settings
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


def interface_language(language: str) -> str:
    try:
        return translation.get_supported_language_variant(language)
    except LookupError:
        return settings.LANGUAGE_CODE


def accepted_languages(header: str) -> list[str]:
    """Return the tags that an Accept-Language header names, the preferred one first."""
    return [tag for tag, _weight in parse_accept_lang_header(header) if tag != "*"]
