"""Recorded interviews: written to recorded/ as JSON, and loaded into a database.

Rows go by the names of tables and columns in the database, so that classes and fields may be
renamed. Where a migration renames a table or a column, the fixtures stay as they are and the new
name is entered below.
"""

import gzip
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db.models import Model

from interviews.exports.registry import TABLES
from tests.interviews.exports.reading import export

FOLDER = Path(__file__).parent / "recorded"
TABLES_NOW: Mapping[str, str] = {}  # table as recorded: as it is called now
COLUMNS_NOW: Mapping[tuple[str, str], str] = {}  # table and column as recorded: the column now
OF_BOT = {"id", "slug", "title", "protocol", "status", "keeps_paradata", "created_at", "updated_at"}
LARGE = 200_000  # bytes; longer files are compressed
WORDS_OF_CALL = {"request", "response"}
Row = dict[str, Any]


def names() -> list[str]:
    return sorted(path.name.split(".")[0] for path in FOLDER.glob("*.json*"))


def read(name: str) -> dict[str, Any]:
    """Return an interview's `rows` by table, the `states` after its turns, and its `exports`."""
    packed = FOLDER / f"{name}.json.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else _plain(name).read_bytes()
    content: dict[str, Any] = json.loads(text)
    return content


def write(name: str, rows: Mapping[str, list[Row]], states: list[Any]) -> None:
    """Write an interview, with the exports of the database that it is in."""
    content = {"rows": rows, "states": states, "exports": exported()}
    text = json.dumps(content, ensure_ascii=False, indent=0).encode()
    for earlier in FOLDER.glob(f"{name}.json*"):
        earlier.unlink()
    if len(text) > LARGE:
        (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(text, mtime=0))
    else:
        _plain(name).write_bytes(text + b"\n")


def _plain(name: str) -> Path:
    return FOLDER / f"{name}.json"


def load(rows: Mapping[str, list[Row]]) -> None:
    """Insert the rows into an empty database, in the order in which they were recorded."""
    models = {model._meta.db_table: model for model in apps.get_models()}
    for table, recorded in rows.items():
        model = models[TABLES_NOW.get(table, table)]
        for row in recorded:
            _insert(model, {COLUMNS_NOW.get((table, key), key): row[key] for key in row})


def _insert(model: type[Model], values: Row) -> None:
    fields = {field.column: field for field in model._meta.concrete_fields}
    made = model()
    for column, value in values.items():
        field = fields[column]
        setattr(made, field.attname, field.to_python(value))
    made.save_base(raw=True, force_insert=True)  # raw: times of creation stay as recorded


def row_of(made: Model) -> Row:
    """Return a row's values by column, as JSON."""
    columns = {field.column: getattr(made, field.attname) for field in made._meta.concrete_fields}
    return {column: _as_json(value) for column, value in columns.items() if _recorded(made, column)}


def _recorded(made: Model, column: str) -> bool:
    if made._meta.db_table == "plans_bot":
        return column in OF_BOT
    return column not in WORDS_OF_CALL


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | float | str | list | dict):
        return value
    return str(value)


def exported() -> dict[str, list[str]]:
    """Return every table's lines of CSV, the header first."""
    return {name: export(name).decode().split("\r\n") for name in TABLES}
