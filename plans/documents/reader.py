"""Reading a document in a process of its own."""

import logging
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from plans.documents import limits
from plans.documents.file_names import clean
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import Answer, ReadDocument

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
STEP = 64 * 1024
ENVIRONMENT = {"PYTHONUTF8": "1"}  # and no more: there are no secrets for a document to find


def read(name: str, content: BinaryIO | Path) -> ReadDocument:
    """The text of a document in parts, under its cleaned name.

    It takes no more than `limits.SECONDS`, and this process's memory doesn't grow with what the
    document unpacks to. Raises Unreadable.
    """
    with TemporaryFile() as given, TemporaryFile() as answered:
        _copy(content, given)
        _work(clean(name), given, answered)
        return _answer(answered)


def _copy(content: BinaryIO | Path, target: IO[bytes]) -> None:
    """No more than may be read, and a little, so that the rest is seen."""
    if isinstance(content, Path):
        with content.open("rb") as stream:
            return _copy(stream, target)
    room = limits.BYTES + 1
    while room > 0 and (step := content.read(min(STEP, room))):
        target.write(step)
        room -= len(step)
    if target.tell() > limits.BYTES:
        raise Unreadable(Reason.TOO_LARGE)
    target.seek(0)
    return None


def _work(name: str, given: IO[bytes], answered: IO[bytes]) -> None:
    """Gives the worker so many seconds. Whatever else ends it was too much for it."""
    try:
        subprocess.run(  # noqa: S603 - a list of our own making, no shell
            [sys.executable, "-m", "plans.documents.worker", name],
            stdin=given,
            stdout=answered,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=ENVIRONMENT,
            timeout=limits.SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise Unreadable(Reason.TOO_SLOW) from error
    except subprocess.CalledProcessError as error:
        log.warning("the worker that reads documents ended with %s", error.returncode)
        raise Unreadable(Reason.TOO_SLOW) from error


def _answer(answered: IO[bytes]) -> ReadDocument:
    answered.seek(0)
    answer = Answer.model_validate_json(answered.read())
    if answer.read is None:
        raise Unreadable(answer.reason or Reason.BROKEN)
    return answer.read
