"""All tables that can be exported.

Protocols and other apps register theirs when the apps are ready.
"""

from collections.abc import Callable

from interviews.exports.columns import AnyTable
from interviews.exports.tables.answers import ANSWERS
from interviews.exports.tables.collected import COLLECTED
from interviews.exports.tables.consents import CONSENTS
from interviews.exports.tables.contacts import CONTACTS, INVITED
from interviews.exports.tables.coverage import COVERAGE
from interviews.exports.tables.experiments import EXPERIMENTS
from interviews.exports.tables.guard_firings import GUARD_FIRINGS
from interviews.exports.tables.model_calls import MODEL_CALLS
from interviews.exports.tables.notes import NOTES
from interviews.exports.tables.paradata import PARADATA
from interviews.exports.tables.sessions import SESSIONS
from interviews.exports.tables.transcripts import TRANSCRIPTS

EVERYTHING = "all"  # in place of a table: those that need no permission of their own
TABLES: dict[str, AnyTable] = {}  # by name, in the order of the export form
_positions: dict[str, int] = {}


def register(*tables: AnyTable, position: int = 100) -> None:
    """Add tables; lower positions come first, else the order of registration.

    Raise ValueError if another table has the same name.
    """
    for table in tables:
        if TABLES.setdefault(table.name, table) is not table:
            raise ValueError(f"There is another table named {table.name!r}")
        _positions.setdefault(table.name, position)
    for name in sorted(TABLES, key=lambda name: _positions[name]):
        TABLES[name] = TABLES.pop(name)  # moves it to the end


register(TRANSCRIPTS, SESSIONS, ANSWERS, PARADATA, NOTES, position=20)
register(COVERAGE, position=50)
register(GUARD_FIRINGS, MODEL_CALLS, CONSENTS, EXPERIMENTS, position=90)
register(CONTACTS, INVITED, COLLECTED, position=90)


def shared_tables() -> list[AnyTable]:
    """Return the tables of the ZIP of everything: those that need no permission of their own."""
    return [table for table in TABLES.values() if not table.right]


def allowed_tables(has_perm: Callable[[str], bool]) -> dict[str, AnyTable]:
    return {
        name: table for name, table in TABLES.items() if not table.right or has_perm(table.right)
    }
