"""All tables that can be exported.

Protocols and apps above this one register theirs when the apps are ready:

    register(REPORTS, ALL_REPORTS)
"""

from collections.abc import Callable

from interviews.exports.columns import AnyTable
from interviews.exports.tables.answers import ANSWERS
from interviews.exports.tables.collected import COLLECTED
from interviews.exports.tables.consents import CONSENTS
from interviews.exports.tables.contacts import CONTACTS
from interviews.exports.tables.coverage import COVERAGE
from interviews.exports.tables.guard_firings import GUARD_FIRINGS
from interviews.exports.tables.invited import INVITED
from interviews.exports.tables.model_calls import MODEL_CALLS
from interviews.exports.tables.notes import NOTES
from interviews.exports.tables.paradata import PARADATA
from interviews.exports.tables.sessions import SESSIONS
from interviews.exports.tables.transcripts import TRANSCRIPTS

TABLES: dict[str, AnyTable] = {}  # by name, in the order in which they are offered
_positions: dict[str, int] = {}


def register(*tables: AnyTable, position: int = 100) -> None:
    """Adds tables; those of a lower position come first, others in the order of registration.

    ValueError for a name that another table has.
    """
    for table in tables:
        if TABLES.setdefault(table.name, table) is not table:
            raise ValueError(f"There is another table named {table.name!r}")
        _positions.setdefault(table.name, position)
    for name in sorted(TABLES, key=lambda name: _positions[name]):
        TABLES[name] = TABLES.pop(name)  # moves it to the end


register(TRANSCRIPTS, SESSIONS, ANSWERS, PARADATA, NOTES, position=20)
register(COVERAGE, position=50)
register(GUARD_FIRINGS, MODEL_CALLS, CONSENTS, CONTACTS, INVITED, COLLECTED, position=90)


def allowed(has_right: Callable[[str], bool]) -> dict[str, AnyTable]:
    """The tables open to somebody, by what they have a right to."""
    return {
        name: table for name, table in TABLES.items() if not table.right or has_right(table.right)
    }
