"""A reader of REFI-QDA projects that shares no code with their writer."""

import io
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

SCHEMAS = Path(__file__).parent / "refi_qda"
NAMESPACES = {"q": "urn:QDA-XML:project:1.0"}


@dataclass
class ReadSelection:
    guid: str
    source: str  # its GUID
    start: int
    end: int
    text: str  # what stands there
    codes: list[str]  # names, from the top
    memo: str
    by: str


@dataclass
class ReadProject:
    xml: bytes
    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of sources
    codes: dict[str, list[str]] = field(default_factory=dict)
    cases: dict[str, dict] = field(default_factory=dict)
    selections: list[ReadSelection] = field(default_factory=list)

    def under(self, *names: str) -> list[str]:
        """The texts under the code of that name, below codes of the other names."""
        return [one.text for one in self.selections if one.codes[-len(names) :] == [*names]]


def validate(xml: bytes, schema: str):
    tree = etree.fromstring(xml)
    etree.XMLSchema(etree.parse(SCHEMAS / schema)).assertValid(tree)
    return tree


def read_project(content: bytes) -> ReadProject:
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    project = ReadProject(archive.read("project.qde"))
    root = validate(project.xml, "Project.xsd")

    def find(element, path):
        return element.xpath(path, namespaces=NAMESPACES)

    guids = find(root, "//@guid")
    assert len(guids) == len(set(guids))
    assert set(find(root, "//@targetGUID")) <= set(guids)
    assert not [one for one in find(root, "//q:Codes | //q:Sources | //q:Cases") if not len(one)]
    users = {one.get("guid"): one.get("name") for one in find(root, "//q:User")}
    notes = {one.get("guid"): one.findtext("{*}PlainTextContent") for one in find(root, "//q:Note")}
    for code in find(root, "//q:Code"):
        names = [one.get("name") for one in code.iterancestors("{*}Code")]
        project.codes[code.get("guid")] = [*reversed(names), code.get("name")]
    leaves = [names[-1].casefold() for names in project.codes.values()]
    assert len(leaves) == len(set(leaves))
    for source in find(root, "//q:TextSource"):
        _read_source(project, source, archive, users, notes)
    assert len(archive.namelist()) == len(project.texts) + 1
    variables = {one.get("guid"): one.get("name") for one in find(root, "//q:Variable")}
    for case in find(root, "//q:Case"):
        project.cases[case.get("name")] = {
            "sources": find(case, "q:SourceRef/@targetGUID"),
            **{
                variables[one[0].get("targetGUID")]: one[1].text
                for one in find(case, "q:VariableValue")
            },
        }
    return project


def _read_source(project: ReadProject, source, archive, users, notes) -> None:
    key, path = source.get("guid"), source.get("plainTextPath")
    assert path.startswith("internal://")
    raw = archive.read(f"sources/{path.removeprefix('internal://')}")
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    project.texts[key], project.names[key] = raw.decode("utf-8"), source.get("name")
    for one in source.iter("{*}PlainTextSelection"):
        start, end = int(one.get("startPosition")), int(one.get("endPosition"))
        for coding in one.iter("{*}Coding"):
            note = coding.find("{*}NoteRef")
            project.selections.append(
                ReadSelection(
                    one.get("guid"),
                    key,
                    start,
                    end,
                    project.texts[key][start:end],
                    project.codes[coding.find("{*}CodeRef").get("targetGUID")],
                    "" if note is None else notes[note.get("targetGUID")],
                    users[one.get("creatingUser")],
                )
            )
