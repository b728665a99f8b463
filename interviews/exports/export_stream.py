"""One table as a stream of bytes, as of one moment."""

from collections.abc import Iterator

from interviews.exports.columns import AnyTable
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.formats import Format
from interviews.exports.selection import Selection


def exported(
    table: AnyTable, chosen: Selection, form: Format, bom: bool = False
) -> Iterator[bytes]:
    """The file, piece by piece. It must be read to its end, or closed, in one thread."""
    with one_snapshot():
        yield from form.write(table, table.rows(chosen), bom)
