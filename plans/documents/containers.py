"""ZIP containers are measured and made anew before a library may look at them.

A container's own figures may lie, so its XML is unpacked in small steps, no further than the
figures that were weighed, and what libraries get is a plain copy of just that. Pictures, macros and
whatever else lies in it stay empty: their names are there, because others point to them, and their
content is never unpacked.
"""

import zlib
from io import BytesIO
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from plans.documents.limits import EXPANDED, MEMBERS
from plans.documents.problems import Reason, Unreadable

STEP = 64 * 1024
ENCRYPTED = 0x1


def remade(content: bytes) -> BytesIO:
    """A container with the same XML, safe to open. Raises Unreadable."""
    try:
        with ZipFile(BytesIO(content)) as container:
            _weigh(container.infolist())
            return _copied(container)
    except (BadZipFile, zlib.error, ValueError, NotImplementedError, OSError, EOFError) as error:
        raise Unreadable(Reason.BROKEN) from error


def _weigh(members: list[ZipInfo]) -> None:
    """Looks at what the container says of itself, before anything is unpacked."""
    if len(members) > MEMBERS:
        raise Unreadable(Reason.TOO_MANY)
    if any(member.flag_bits & ENCRYPTED for member in members):
        raise Unreadable(Reason.ENCRYPTED)
    if sum(member.file_size for member in members) > EXPANDED:
        raise Unreadable(Reason.TOO_LARGE)
    if len({member.filename for member in members}) < len(members):
        raise Unreadable(Reason.BROKEN)


def _copied(container: ZipFile) -> BytesIO:
    target = BytesIO()
    with ZipFile(target, "w", ZIP_STORED) as copy:
        for member in container.infolist():
            data = b""
            if member.filename.lower().endswith((".xml", ".rels")):
                data = _unpacked(container, member)
                _check(data)
            copy.writestr(member.filename, data)
    target.seek(0)
    return target


def _unpacked(container: ZipFile, member: ZipInfo) -> bytes:
    """In steps, because a single one would hold whatever the member really unpacks to."""
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise Unreadable(Reason.BROKEN)
    with container.open(member) as stream:
        return b"".join(iter(lambda: stream.read(STEP), b""))


def _check(data: bytes) -> None:
    """Well-formed, and without a document type: entities are declared there, and nowhere else."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Unreadable(Reason.BROKEN) from error


def _refuse(*declared: object) -> None:
    raise Unreadable(Reason.UNSAFE)
