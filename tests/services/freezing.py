"""The site, where rules that read an answer with the word "frozen" never come to an end.

`python -m tests.services.freezing serve` is `manage.py serve` of that site.
"""

import os
import re
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")

if __name__ != "__main__":
    from interviewsite.asgi import application as application

from interviews.engine import common_rules

_read = common_rules.read_by_rules


def _read_or_freeze(answer: str, *args: object) -> object:
    if "frozen" in answer:
        re.match("(?:o|o)*b", "o" * 99)  # keeps the interpreter to itself
    return _read(answer, *args)


common_rules.read_by_rules = _read_or_freeze

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
