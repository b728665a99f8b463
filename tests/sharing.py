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
