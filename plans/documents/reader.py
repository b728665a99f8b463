import logging
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from plans.documents import limits
from plans.documents.file_types import clean
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import Answer, ReadDocument

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 64 * 1024
ENVIRONMENT = {"PYTHONUTF8": "1"}  # nothing else: no secrets for a document to find


def read(name: str, content: BinaryIO) -> ReadDocument:
    """Return the text of a document in parts, under its cleaned name. Raise Unreadable.

    It is read in a process of its own, within `limits.SECONDS`; this process's memory doesn't grow
    with what the document unpacks to.
    """
    with TemporaryFile() as source, TemporaryFile() as output:
        _copy(content, source)
        _run_worker(clean(name), source, output)
        return _read_answer(output)


def _copy(content: BinaryIO, target: IO[bytes]) -> None:
    """Copy at most the limit and one byte, by which a larger file is noticed."""
    room = limits.BYTES + 1
    while room > 0 and (chunk := content.read(min(CHUNK, room))):
        target.write(chunk)
        room -= len(chunk)
    if target.tell() > limits.BYTES:
        raise Unreadable(Reason.TOO_LARGE)
    target.seek(0)


def _run_worker(name: str, source: IO[bytes], output: IO[bytes]) -> None:
    try:
        subprocess.run(  # noqa: S603 - a list of our own making, no shell
            [sys.executable, "-m", "plans.documents.worker", name],
            stdin=source,
            stdout=output,
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


def _read_answer(output: IO[bytes]) -> ReadDocument:
    output.seek(0)
    answer = Answer.model_validate_json(output.read())
    if answer.read is None:
        raise Unreadable(answer.reason or Reason.BROKEN)
    return answer.read
