from django.utils.translation import get_language_info


def is_known(tag: str) -> bool:
    return language_name(tag) != tag


def language_name(tag: str) -> str:
    """Return the English name of a language tag, or the tag itself if unknown."""
    for candidate in (tag.lower(), tag.lower().split("-")[0]):
        try:
            return str(get_language_info(candidate)["name"])
        except KeyError:
            continue
    return tag
