"""The package as one ZIP. The same package gives the same bytes."""

import io
import zipfile
from collections.abc import Mapping

from plans.portability.table import write_rows
from reflections.exports.html import page
from reflections.protocols.knowledge_transfer.markdown import package_markdown, package_title
from reflections.protocols.knowledge_transfer.phrases import phrasebook
from reflections.protocols.knowledge_transfer.qa_context import context_rows, json_lines
from reflections.protocols.knowledge_transfer.types import Package

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP can hold
COLUMNS = ("name", "kind", "purpose")


def package_page(package: Package) -> str:
    return page(package_markdown(package), package_title(package), package.language)


def package_files(package: Package, review: str = "draft") -> dict[str, bytes]:
    documents = write_rows(COLUMNS, (one.model_dump() for one in package.documents))
    rows = context_rows(package.session, package.questions, package.open_points)
    return {
        "README.txt": _readme(package, review).encode(),
        "onboarding.html": package_page(package).encode("utf-8", "backslashreplace"),
        "onboarding.md": package_markdown(package).encode("utf-8", "backslashreplace"),
        "documents.csv": documents.encode("utf-8-sig", "backslashreplace"),
        "facts.jsonl": json_lines(rows),
    }


def zip_files(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def _readme(package: Package, review: str) -> str:
    say = phrasebook(package.language)
    values = {"confidences": say("confidences"), "review": say(f"review_{review}")}
    return say("readme", title=package_title(package), **values)
