"""All tables that can be exported.

An app above this one brings its own when it is ready:

    bring(REPORTS, ALL_REPORTS)
"""

from collections.abc import Callable

from interviews.exports.columns import AnyTable
from interviews.exports.tables.answers import ANSWERS
from interviews.exports.tables.backlog import BACKLOG
from interviews.exports.tables.collected import COLLECTED
from interviews.exports.tables.consents import CONSENTS
from interviews.exports.tables.contacts import CONTACTS
from interviews.exports.tables.coverage import COVERAGE
from interviews.exports.tables.edges import EDGES
from interviews.exports.tables.facts import FACTS
from interviews.exports.tables.guard_firings import GUARD_FIRINGS
from interviews.exports.tables.invited import INVITED
from interviews.exports.tables.model_calls import MODEL_CALLS
from interviews.exports.tables.nodes import NODES
from interviews.exports.tables.notes import NOTES
from interviews.exports.tables.observations import OBSERVATIONS
from interviews.exports.tables.paradata import PARADATA
from interviews.exports.tables.sessions import SESSIONS
from interviews.exports.tables.signals import SIGNALS
from interviews.exports.tables.transcripts import TRANSCRIPTS

TABLES: dict[str, AnyTable] = {
    "transcripts": TRANSCRIPTS,
    "sessions": SESSIONS,
    "answers": ANSWERS,
    "paradata": PARADATA,
    "notes": NOTES,
    "signals": SIGNALS,
    "coverage": COVERAGE,
    "backlog": BACKLOG,
    "facts": FACTS,
    "nodes": NODES,
    "edges": EDGES,
    "observations": OBSERVATIONS,
    "guard_firings": GUARD_FIRINGS,
    "model_calls": MODEL_CALLS,
    "consents": CONSENTS,
    "contacts": CONTACTS,
    "invited": INVITED,
    "collected": COLLECTED,
}


def bring(*tables: AnyTable) -> None:
    """Adds an app's tables. ValueError for a name that another table has."""
    for table in tables:
        if TABLES.setdefault(table.name, table) is not table:
            raise ValueError(f"There is another table named {table.name!r}")


def allowed(has_right: Callable[[str], bool]) -> dict[str, AnyTable]:
    """The tables open to somebody, by what they have a right to."""
    return {
        name: table for name, table in TABLES.items() if not table.right or has_right(table.right)
    }
