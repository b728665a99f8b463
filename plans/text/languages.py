from django.conf import settings
from django.utils import translation


def interface_language(language: str) -> str:
    try:
        return translation.get_supported_language_variant(language)
    except LookupError:
        return settings.LANGUAGE_CODE
