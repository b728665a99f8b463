"""Loaded by pyproject's addopts: which tests share a process, and which come first."""

import fcntl
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import groupby
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

HERE = Path(__file__).parent
SLOW = ("services", "browser")  # folders, the slowest first
FEW = 10  # tests that wait together for a process
LONG = {"tests/interviews/engine/test_linear_time.py", "tests/test_migrations.py"}  # of the others
# Files of tests/services that share a site of several processes, or of one that nobody kills. Those
# that start several processes of their own are in a row, or PostgreSQL would lack connections.
SHARED = {
    "several": (
        *("after_work", "facts", "gate", "intelligence", "knowledge", "outages", "quota"),
        *("rewards", "sending_twice", "transfer", "transfer_after", "two_processes"),
        "withdrawing",
    ),
    "own": ("killed", "mail", "reflections", "stalls", "storm"),
    "one": ("floods", "long_interview", "models", "pilot", "ways_in"),
}
GROUPS = {
    f"tests/services/test_{name}.py": group for group, names in SHARED.items() for name in names
}


class BySharing(LoadScopeScheduling):
    """Tests that share servers stay together, and so do those of a file with sites of its own.

    Of all others, a few of a file that follow one another, which share what the file has made once.
    They go where there is room, in the order that pytest-django gives them: those that empty the
    database come last. pytest-xdist's own groups are marks, which it loses from pytest 9.2 on.
    """

    @cached_property
    def _few(self) -> dict[str, str]:
        """The first of the few to which each of all those others belongs."""
        found = {}
        assert self.collection
        for _, tests in groupby(self.collection, lambda test: test.partition("::")[0]):
            follow = list(tests)
            found |= {test: follow[at - at % FEW] for at, test in enumerate(follow)}
        return found

    def _split_scope(self, nodeid: str) -> str:
        return _group(Path(nodeid.partition("::")[0])) or self._few[nodeid]

    def _assign_work_unit(self, node: WorkerController) -> None:
        """The last two processes begin with the quick tests, beside those that often wait."""
        if node in self.nodes[-2:]:
            quick = next((unit for unit in self.workqueue if "::" in unit), None)
            if quick:
                self.workqueue.move_to_end(quick, last=False)
        super()._assign_work_unit(node)

    def mark_test_complete(
        self, node: WorkerController, item_index: int, duration: float = 0
    ) -> None:
        """Forgets what is done, or thousands of groups would be counted after each test."""
        super().mark_test_complete(node, item_index, duration)
        groups, nodeid = self.assigned_work[node], self.registered_collections[node][item_index]
        scope = self._split_scope(nodeid)
        if all(groups[scope].values()):
            del groups[scope]


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first of all test processes makes, for all of them to copy."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with folder.with_suffix(".made").open("a+") as made:
        fcntl.flock(made, fcntl.LOCK_EX)
        made.seek(0)
        if not made.read():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            made.write("made")
    return folder


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> BySharing:
    """Instead of the one that `--dist` names; in the order in which the tests were collected."""
    config.option.loadscopereorder = False
    return BySharing(config, log)


@pytest.hookimpl(trylast=True)  # after they were shuffled
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones begin first, so that none is left over when all others are done.

    Of them, too, those that are many. They may take twice as long as others, on a busy machine.
    """
    paths = {item: item.path.relative_to(HERE.parent) for item in items}
    groups = {item: _group(path) for item, path in paths.items()}
    for item in items:
        if groups[item] and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(2 * int(item.config.getini("timeout"))))
    sizes = Counter(groups.values())

    def place(item: pytest.Item) -> tuple[int, int, str]:
        if group := groups[item]:
            return SLOW.index(_folder(paths[item])), -sizes[group], group
        return len(SLOW), -(str(paths[item]) in LONG), ""

    items.sort(key=place)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A failure is told at once, for the end may be far, or never come."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\n{report.outcome}: {report.nodeid}\n{report.longreprtext}", file=sys.__stderr__)


def _folder(path: Path) -> str:
    return path.parts[1] if path.parts[0] == HERE.name else ""


def _group(path: Path) -> str:
    """The slow tests to stay together with: those of a folder, of several files, or of the file."""
    if _folder(path) not in SLOW:
        return ""
    return "walks" if path.parent.name == "walks" else GROUPS.get(str(path), str(path))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Two mistakes that would be others' failures.

    A fixture or parameter named like the browser's own would start one, and come before all. A test
    that empties the test database must not be among those that come first.
    """
    for item in session.items:
        folder = _folder(item.path.relative_to(HERE.parent))
        if folder != "browser" and "browser_name" in getattr(item, "fixturenames", ()):
            raise pytest.UsageError(f"page, context and browser are the browser's: {item.nodeid}")
        if folder in SLOW and item.get_closest_marker("django_db"):
            raise pytest.UsageError(f"{folder} has databases of its own: {item.nodeid}")
