"""The package as one ZIP. The same package gives the same bytes."""

import io
import zipfile
from collections.abc import Mapping

from plans.portability.table import write_rows
from reflections.exports.html import page
from reflections.protocols.knowledge_transfer.markdown import package_markdown, package_title
from reflections.protocols.knowledge_transfer.phrases import sayings
from reflections.protocols.knowledge_transfer.qa_context import context, json_lines
from reflections.protocols.knowledge_transfer.types import Package

THEN = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP can hold
COLUMNS = ("name", "kind", "purpose")


def package_page(package: Package) -> str:
    """The package as one HTML file."""
    return page(package_markdown(package), package_title(package), package.language)


def package_files(package: Package, review: str = "draft") -> dict[str, bytes]:
    """All files of the ZIP by their names. README.txt says how it was reviewed."""
    documents = write_rows(COLUMNS, (one.model_dump() for one in package.documents))
    rows = context(package.session, package.questions, package.open_points)
    return {
        "README.txt": _readme(package, review).encode(),
        "onboarding.html": package_page(package).encode("utf-8", "backslashreplace"),
        "onboarding.md": package_markdown(package).encode("utf-8", "backslashreplace"),
        "documents.csv": documents.encode("utf-8-sig", "backslashreplace"),
        "facts.jsonl": json_lines(rows),
    }


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, THEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def _readme(package: Package, review: str) -> str:
    say = sayings(package.language)
    told = {"confidences": say("confidences"), "review": say(f"review_{review}")}
    return say("readme", title=package_title(package), **told)
