"""Write a REFI-QDA project: `project.qde`, and each interview as a plain text beside it.

The order of elements is the schema's, and an empty container is left out, as it would be invalid.
"""

import re
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from datetime import datetime
from typing import IO, Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from interviews.choices import SpeakerRole
from interviews.exports.archive import read_chunks
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.formats.cells import iso
from interviews.exports.refi_qda.codes import (
    CODE_SOURCES,
    CodableInterview,
    CodeDefinition,
    Coding,
    codings_of,
    guid,
)
from interviews.exports.selection import Selection
from interviews.exports.sessions import batches
from interviews.exports.utterances import conversations
from plans.text import LINE_BREAKS

XML = '<?xml version="1.0" encoding="utf-8"?>\n'
ORIGIN = "Interviewsite"
SPEAKERS = dict(SpeakerRole.choices)
# Everything of Cc but tab and line breaks, lone surrogates, and what XML 1.0 leaves out.
UNUSABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")


def project_chunks(selection: Selection) -> Generator[bytes, None, None]:
    """Yield a `.qdpx` file."""
    with tempfile.TemporaryFile(prefix="project-") as out:
        with one_snapshot(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            _ProjectWriter(archive).write(selection)
        yield from read_chunks(out)


def codebook_chunks(selection: Selection) -> Generator[bytes, None, None]:
    """Yield a `.qdc` file: the codes alone."""
    tree = CodeTree()
    with one_snapshot():
        tree.add_codebooks(selection)
        for batch in _interviews(selection):
            for coding in (one for codings in codings_of(batch).values() for one in codings):
                tree.add(coding.code)
    if not tree:  # a codebook has at least one code
        tree.add(CodeDefinition("none", "No codes yet", codable=False))
    root = Element("CodeBook", xmlns="urn:QDA-XML:codebook:1.0", origin=ORIGIN)
    root.append(tree.as_xml())
    yield f"{XML}{tostring(root, 'unicode')}\n".encode()


class ProjectFormat(NamedTuple):
    title: str
    media: str
    chunks: Callable[[Selection], Generator[bytes, None, None]]


PROJECT_FORMATS = {
    "qdpx": ProjectFormat("REFI-QDA project (.qdpx)", "application/zip", project_chunks),
    "qdc": ProjectFormat("REFI-QDA codebook (.qdc)", "application/xml", codebook_chunks),
}


def _interviews(selection: Selection) -> Iterator[list[CodableInterview]]:
    for batch in batches(selection.with_content()):
        yield [CodableInterview(*conversation) for conversation in conversations(batch)]


class CodeTree:
    """The codes of an export, in the order in which they came up; the latest name counts."""

    def __init__(self) -> None:
        self._codes: dict[str, CodeDefinition] = {}

    def __len__(self) -> int:
        return len(self._codes)

    def add(self, code: CodeDefinition) -> str:
        if code.parent:
            self.add(code.parent)
        self._codes[code.key] = code
        return guid("code", code.key)

    def add_codebooks(self, selection: Selection) -> None:
        for source in CODE_SOURCES:
            for code in source.codebook(selection):
                self.add(code)

    def as_xml(self) -> Element:
        codes, used = Element("Codes"), set[str]()
        under: dict[str, list[CodeDefinition]] = defaultdict(list)
        for code in self._codes.values():
            under[code.parent.key if code.parent else ""].append(code)
        waiting = [(codes, code) for code in reversed(under[""])]
        while waiting:
            element, code = waiting.pop()
            codable = "true" if code.codable else "false"
            names = {"guid": guid("code", code.key), "name": _free_name(code, used)}
            own = SubElement(element, "Code", names, isCodable=codable)
            if code.description:
                SubElement(own, "Description").text = clean(code.description)
            waiting += [(own, child) for child in reversed(under[code.key])]
        return codes


def _free_name(code: CodeDefinition, used: set[str]) -> str:
    """Return a name that no other code has: some programs drop the second of a name."""
    name = wanted = clean(code.name)
    if name.casefold() in used and code.parent:
        name = wanted = f"{wanted} ({clean(code.parent.name)})"
    number = 1
    while name.casefold() in used:
        number += 1
        name = f"{wanted} {number}"
    used.add(name.casefold())
    return name


def clean(text: str) -> str:
    """Return the text with LF as its only line break and U+FFFD for each unusable sign."""
    return UNUSABLE.sub("\ufffd", LINE_BREAKS.sub("\n", text))


class SourceText:
    """The plain text of a source, in which places are counted in code points."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._utterances: dict[int, tuple[int, str]] = {}  # position -> where it begins, as said

    def add(self, position: int, speaker: str, text: str) -> None:
        label = f"{speaker}: "
        self._utterances[position] = (self._length + len(label), text)
        part = f"{label}{clean(text)}\n\n"
        self._parts.append(part)
        self._length += len(part)

    def place(self, position: int, start: int, end: int | None) -> tuple[int, int] | None:
        """Return where a passage of an utterance stands, or None if it is empty or not there."""
        begins, text = self._utterances.get(position, (0, ""))
        end = len(text) if end is None else min(end, len(text))
        if start >= end:
            return None
        between = text[max(start - 1, 0) : start + 1] == "\r\n"  # one sign in the source
        before = len(clean(text[:start])) - between
        return begins + before, begins + len(clean(text[:end]))

    def __str__(self) -> str:
        return "".join(self._parts)


class _Case:
    """A participant with their interviews, and what is known about these."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sources: list[str] = []
        self.values: dict[str, list[str]] = defaultdict(list)

    def add(self, source: str, interview: CodableInterview) -> None:
        self.sources.append(source)
        for name, value in _variables(interview):
            if value and value not in self.values[name]:
                self.values[name].append(value)


def _variables(interview: CodableInterview) -> Iterator[tuple[str, str]]:
    """Yield the interview's own, then what it was given: a given “status” is another variable."""
    exported, stored = interview.session, interview.session.session
    names = ("bot", "language", "status", "experiment", "arm")
    own = {name: str(getattr(exported, name) or "") for name in names}
    own |= {name: str(getattr(exported, name)).lower() for name in ("preview", "synthetic")}
    own["started_at"] = iso(stored.started_at)
    own["cell"] = stored.cell
    own["reference"] = stored.invitation.reference if stored.invitation else ""
    yield from ((name, clean(value)) for name, value in own.items())
    for group in (stored.params, stored.start_answers):
        for name, value in sorted(group.items()):  # databases keep no order of keys
            free = f"{name} (given)" if name.casefold() in own else name
            yield clean(free), clean(str(value))


class _ProjectWriter:
    """Interviews are written as they are read; codes, cases and users wait until the end."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._tree = CodeTree()
        self._cases: dict[str, _Case] = {}
        self._users: dict[str, str] = {}

    def write(self, selection: Selection) -> None:
        self._tree.add_codebooks(selection)
        with tempfile.TemporaryFile("w+b") as sources, tempfile.TemporaryFile("w+b") as notes:
            for batch in _interviews(selection):
                codings = codings_of(batch)
                for interview in batch:
                    source = self._source(interview, codings.get(interview.key, []), notes)
                    sources.write(tostring(source) + b"\n")
            with self._archive.open("project.qde", "w", force_zip64=True) as out:
                self._project(out, sources, notes)

    def _project(self, out: IO[bytes], sources: IO[bytes], notes: IO[bytes]) -> None:
        start = f'<Project xmlns="urn:QDA-XML:project:1.0" name="{ORIGIN}" origin="{ORIGIN}">\n'
        out.write(f"{XML}{start}".encode())
        book = Element("CodeBook")
        if self._tree:
            book.append(self._tree.as_xml())
        for container in (self._users_xml(), book, self._variables_xml(), self._cases_xml()):
            if len(container):
                out.write(tostring(container) + b"\n")
        for name, written in (("Sources", sources), ("Notes", notes)):
            if written.tell():
                out.write(f"<{name}>\n".encode())
                out.writelines(read_chunks(written))
                out.write(f"</{name}>\n".encode())
        out.write(b"</Project>\n")

    # -- interviews

    def _source(
        self, interview: CodableInterview, codings: list[Coding], notes: IO[bytes]
    ) -> Element:
        exported, key = interview.session, guid("source", interview.key)
        text = SourceText()
        for said in interview.said:
            if said.text:
                text.add(said.position, SPEAKERS[said.role], said.text)
        with self._archive.open(f"sources/{key}.txt", "w") as file:  # writestr would add the time
            file.write(str(text).encode())
        short = str(interview.key)[:8]
        case = exported.participant or f"S-{short}"
        self._cases.setdefault(case, _Case(case)).add(key, interview)
        names = {"guid": key, "name": f"{case} {short}", "plainTextPath": f"internal://{key}.txt"}
        source = Element("TextSource", names | self._made("", exported.session.started_at))
        about = f"Interview {interview.key}, bot {exported.bot}, plan {exported.plan_version}"
        SubElement(source, "Description").text = about
        times = {said.position: said.at for said in interview.said}
        selections = dict[str, Element]()
        for coding in codings:
            if place := text.place(coding.position, coding.start, coding.end):
                at = coding.at or times[coding.position]
                selection = self._selection(coding, place, at, notes)
                selections.setdefault(selection.attrib["guid"], selection)
        source.extend(sorted(selections.values(), key=_order))
        return source

    def _selection(
        self, coding: Coding, place: tuple[int, int], at: datetime, notes: IO[bytes]
    ) -> Element:
        parts = (coding.session, coding.code.key, *place)
        made = self._made(coding.by, at)
        places = {"startPosition": str(place[0]), "endPosition": str(place[1])}
        selection = Element("PlainTextSelection", {"guid": guid("selection", *parts)}, **places)
        selection.attrib |= made
        if coding.memo:  # some programs read it here, others as a note
            SubElement(selection, "Description").text = clean(coding.memo)
        created = {name: made[name] for name in ("creatingUser", "creationDateTime")}
        code = SubElement(selection, "Coding", {"guid": guid("coding", *parts)} | created)
        SubElement(code, "CodeRef", targetGUID=self._tree.add(coding.code))
        if coding.memo:
            note = Element("Note", {"guid": guid("note", *parts), "name": ""} | made)
            SubElement(note, "PlainTextContent").text = clean(coding.memo)
            notes.write(tostring(note) + b"\n")
            SubElement(code, "NoteRef", targetGUID=note.attrib["guid"])
        return selection

    def _made(self, by: str, at: datetime) -> dict[str, str]:
        name = by or ORIGIN
        user = self._users.setdefault(name, guid("user", name))
        values = {"creatingUser": user, "creationDateTime": iso(at)}
        return values | {"modifyingUser": user, "modifiedDateTime": iso(at)}

    # -- what stands before them

    def _users_xml(self) -> Element:
        users = Element("Users")
        for name, key in self._users.items():
            SubElement(users, "User", guid=key, name=clean(name))
        return users

    def _variables_xml(self) -> Element:
        variables = Element("Variables")
        for name in dict.fromkeys(name for case in self._cases.values() for name in case.values):
            names = {"guid": guid("variable", name), "name": name}
            SubElement(variables, "Variable", names, typeOfVariable="Text")
        return variables

    def _cases_xml(self) -> Element:
        cases = Element("Cases")
        for case in self._cases.values():
            own = SubElement(cases, "Case", guid=guid("case", case.name), name=case.name)
            for name, values in case.values.items():
                value = SubElement(own, "VariableValue")
                SubElement(value, "VariableRef", targetGUID=guid("variable", name))
                SubElement(value, "TextValue").text = "; ".join(values)
            for source in case.sources:
                SubElement(own, "SourceRef", targetGUID=source)
        return cases


def _order(selection: Any) -> tuple[int, int]:
    return int(selection.attrib["startPosition"]), -int(selection.attrib["endPosition"])
