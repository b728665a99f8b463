from plans.models.copies import copy_name
from plans.models.ladder import LadderFile
from plans.protocols.laddering.files import apply_file, kind_of, read_file, rename_source


def ladder_copy_name(row: LadderFile) -> str:
    return copy_name(row.name[:180], type(row)._default_manager.values_list("name", flat=True))


def free_ladder_key(row: LadderFile) -> str:
    taken = set(type(row)._default_manager.values_list("key", flat=True))
    candidates = (f"{row.key[:50]}_{n}" for n in range(2, len(taken) + 3))
    return next(key for key in candidates if key not in taken)


def duplicate_ladder(row: LadderFile, key: str, name: str) -> LadderFile:
    """Store the same text under another id and name. Raises BrokenDocument if it is unreadable."""
    kind = kind_of(row)
    kind.read_cached(row.source, row.key)  # raises if there is no id to replace
    return apply_file(read_file(kind, rename_source(row.source, key, name)))
