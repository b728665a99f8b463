"""Many cases in one test: what pytest does around each test takes longer than most of them."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Any], Any]:
    """Like `pytest.mark.parametrize`, in one test, which tells of every case that fails.

    For tests that leave nothing behind: all cases share the test's fixtures.
    """
    keys = [key.strip() for key in names.split(",")] if isinstance(names, str) else [*names]
    given = [dict(zip(keys, [one] if len(keys) == 1 else one, strict=True)) for one in cases]
    assert given, "a test without a case"

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def of_all(*args: Any, **fixtures: Any) -> None:
            failures = [failed for one in given if (failed := _failure(test, args, fixtures, one))]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(given)} cases failed", failures)

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in keys]
        of_all.__signature__ = signature.replace(parameters=left)  # pytest takes it for fixtures
        return of_all

    return decorated


def _failure(test: Callable[..., None], args: Any, fixtures: Any, case: Any) -> Exception | None:
    try:
        test(*args, **fixtures, **case)
    except Exception as error:
        error.add_note(f"Case: {case!r}")
        return error
    return None
