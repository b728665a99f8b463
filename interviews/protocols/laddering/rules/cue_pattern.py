import re
from functools import cache

from interviews.engine.language.lists import ListName, listed


@cache
def cue_pattern(language: str, name: ListName) -> re.Pattern[str]:
    """Return a list as one pattern of whole words, in any case.

    In a language without the list nothing is recognised: whole clauses become concepts, and nothing
    is tied.
    """
    return re.compile(rf"(?<![\w'])(?:{listed(name, language).pattern})(?![\w'])", re.IGNORECASE)
