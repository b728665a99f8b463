"""The process that reads one document: `python -m plans.documents.worker NAME < file > answer`.

It sets its own limits before it reads a byte, and knows nothing but the document.
"""

import resource
import sys
from contextlib import suppress

from plans.documents import limits
from plans.documents.parser import parse
from plans.documents.problems import Unreadable
from plans.documents.types import Answer


def main() -> None:
    _set_limits()
    try:
        answer = Answer(read=parse(sys.argv[1], sys.stdin.buffer.read(limits.BYTES + 1)))
    except Unreadable as error:
        answer = Answer(reason=error.reason)
    sys.stdout.buffer.write(answer.model_dump_json().encode())


def _set_limits() -> None:
    for kind, limit in (
        (resource.RLIMIT_AS, limits.MEMORY),
        (resource.RLIMIT_CPU, limits.CPU_SECONDS),
        (resource.RLIMIT_FSIZE, limits.OUTPUT),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        with suppress(ValueError, OSError):  # not every system knows every limit
            resource.setrlimit(kind, (limit, limit))


if __name__ == "__main__":
    main()
