"""Loaded by pyproject's addopts: tests that share servers or a browser stay in one process."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SHARING = ("browser", "services")  # folders


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One group a folder."""
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in SHARING:
            item.add_marker(pytest.mark.xdist_group(folder))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """A fixture or parameter named like the browser's own would start one, and come before all."""
    strays = [
        item.nodeid
        for item in session.items
        if "browser_name" in getattr(item, "fixturenames", ())
        and HERE / "browser" not in item.path.parents
    ]
    if strays:
        raise pytest.UsageError(f"page, context and browser are the browser's: {strays[:3]}")
