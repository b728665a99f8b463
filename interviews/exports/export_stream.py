from collections.abc import Iterator

from interviews.exports.columns import AnyTable
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.formats import Format
from interviews.exports.selection import Selection


def table_chunks(
    table: AnyTable, selection: Selection, form: Format, bom: bool = False
) -> Iterator[bytes]:
    """Yield the file in chunks. Read it to its end, or close it, in one thread."""
    with one_snapshot():
        yield from form.write(table, table.rows(selection), bom)
