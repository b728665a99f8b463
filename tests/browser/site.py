"""The site as a process of its own, with its own data, that can be killed and started again."""

import shutil
from pathlib import Path

from tests.services.processes import environment, python, run
from tests.services.sites import APPLICATION
from tests.services.sites import Site as Served

QUICK = {"TURN_LEASE": "3", "SWEEP_EVERY": "1"}
GRAPHS = "graphs.json"  # the interviews' ids by the number of their nodes
HOSTS = {"ALLOWED_HOSTS": "127.0.0.1,.study.localhost"}


class Site(Served):
    """One running site. `url` stays the same through restarts."""

    def __init__(self, data: Path, **env: str) -> None:
        super().__init__(environment(data, **QUICK | HOSTS | env), APPLICATION)
        self.data = data


def seeded(data: Path) -> None:
    """A database with the tests' bots."""
    filled = run(python("-m", "tests.browser.seed"), environment(data))
    assert filled.returncode == 0, filled.stderr


def stocked(data: Path) -> None:
    """To such a database the demo, a finished interview and its results, and graphs."""
    for command in (["manage.py", "setup"], ["-m", "tests.browser.reflected"]):
        filled = run(python(*command), environment(data))
        assert filled.returncode == 0, filled.stderr
    drawn = run(python("-m", "tests.browser.drawn"), environment(data))
    assert drawn.returncode == 0, drawn.stderr
    (data / GRAPHS).write_text(drawn.stdout)


def copied(template: Path, data: Path) -> Path:
    """The same database for another site."""
    return Path(shutil.copytree(template, data))
