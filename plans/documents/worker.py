"""The process that reads one document: `python -m plans.documents.worker NAME < file > answer`.

It sets its own limits before it looks at a single byte, and knows nothing but the document.
"""

import resource
import sys
from contextlib import suppress

from plans.documents import limits
from plans.documents.parser import parse
from plans.documents.problems import Unreadable
from plans.documents.types import Answer


def main() -> None:
    """Reads the document at standard input and writes the answer to standard output."""
    _limit()
    try:
        answer = Answer(read=parse(sys.argv[1], sys.stdin.buffer.read(limits.BYTES + 1)))
    except Unreadable as error:
        answer = Answer(reason=error.reason)
    sys.stdout.buffer.write(answer.model_dump_json().encode())


def _limit() -> None:
    for what, most in (
        (resource.RLIMIT_AS, limits.MEMORY),
        (resource.RLIMIT_CPU, limits.CPU_SECONDS),
        (resource.RLIMIT_FSIZE, limits.OUTPUT),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        with suppress(ValueError, OSError):  # not every system knows every limit
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
