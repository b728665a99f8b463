"""ZIP containers are checked and rebuilt before a library opens them.

A container's own figures may lie, so its XML is unpacked in small steps, no further than the
checked figures, and libraries get a plain copy of just that. Pictures, macros and other members
stay empty: their names remain, because others refer to them, but they are never unpacked.
"""

import zlib
from io import BytesIO
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from plans.documents.limits import EXPANDED, MEMBERS
from plans.documents.problems import Reason, Unreadable

STEP = 64 * 1024
ENCRYPTED = 0x1


def rebuild(content: bytes) -> BytesIO:
    """Return a container with the same XML, safe to open. Raise Unreadable."""
    try:
        with ZipFile(BytesIO(content)) as container:
            _check_members(container.infolist())
            return _copy(container)
    except (BadZipFile, zlib.error, ValueError, NotImplementedError, OSError, EOFError) as error:
        raise Unreadable(Reason.BROKEN) from error


def _check_members(members: list[ZipInfo]) -> None:
    """Check what the container says of itself, before anything is unpacked."""
    if len(members) > MEMBERS:
        raise Unreadable(Reason.TOO_MANY)
    if any(member.flag_bits & ENCRYPTED for member in members):
        raise Unreadable(Reason.ENCRYPTED)
    if sum(member.file_size for member in members) > EXPANDED:
        raise Unreadable(Reason.TOO_LARGE)
    if len({member.filename for member in members}) < len(members):
        raise Unreadable(Reason.BROKEN)


def _copy(container: ZipFile) -> BytesIO:
    target = BytesIO()
    with ZipFile(target, "w", ZIP_STORED) as copy:
        for member in container.infolist():
            data = b""
            if member.filename.lower().endswith((".xml", ".rels")):
                data = _unpack(container, member)
                _check_xml(data)
            copy.writestr(member.filename, data)
    target.seek(0)
    return target


def _unpack(container: ZipFile, member: ZipInfo) -> bytes:
    """Read in steps, because one read would hold whatever the member really unpacks to."""
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise Unreadable(Reason.BROKEN)
    with container.open(member) as stream:
        return b"".join(iter(lambda: stream.read(STEP), b""))


def _check_xml(data: bytes) -> None:
    """Require well-formed XML without a document type, the only place to declare entities."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Unreadable(Reason.BROKEN) from error


def _refuse_doctype(*declared: object) -> None:
    raise Unreadable(Reason.UNSAFE)
