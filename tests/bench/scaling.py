"""How turns a second grow with processes: `python -m tests.bench.scaling`, as root on Linux.

One, two and four processes serve the same interviews on PostgreSQL and Redis. Each may use a share
of a core (by a control group), so that what else runs here is never what limits: the databases, the
fake model, the participants.
"""

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.figures import Figure, median, table
from tests.bench.load import POSTGRESQL, RATE, TTFT, Crowd, Found, prepare_model, served, take
from tests.bench.processes import provider
from tests.services.databases import drop_all
from tests.services.sites import APPLICATION, Site

GROUPS = Path("/sys/fs/cgroup/cpu")
PERIOD = 20_000  # microseconds
PROCESSES = (1, 2, 4)
CROWD = Crowd("40 active", 40, lambda _chance: 0.05, 30, warming=15)


def measure(share: float) -> list[Figure]:
    """Turns a second of two and four processes ÷ those of one."""
    with provider(TTFT, RATE) as model:
        asyncio.run(prepare_model(model))
        try:
            found = {many: _found(model, many, share) for many in PROCESSES}
        finally:
            drop_all()
    one = found[1]
    return [
        figure
        for many, these in found.items()
        for figure in (
            Figure(f"{many} processes: turns a second ÷ one's", these.turns / one.turns, "x"),
            Figure(f"{many} processes: wait ÷ one's", median(these.first) / median(one.first), "x"),
            Figure(f"{many} processes: replies not heard", these.lost, "turns", "0"),
        )
    ]


def _found(model: str, many: int, share: float) -> Found:
    with ExitStack() as stack:
        # a process that is short of time would take no new interviews
        first = stack.enter_context(served(POSTGRESQL, model, MOST_LATE="60"))
        sites = [first]
        for number in range(1, many):
            site = Site(first.env, APPLICATION, f"site-{number}")
            stack.callback(site.kill)
            site.start()
            sites.append(site)
        for site in sites:
            stack.enter_context(_limited(site, share))
        return asyncio.run(take(CROWD, *sites))


@contextmanager
def _limited(site: Site, share: float) -> Iterator[None]:
    process = site.popen
    assert process is not None
    group = GROUPS / f"bench-{process.pid}"
    group.mkdir()
    (group / "cpu.cfs_period_us").write_text(str(PERIOD))
    (group / "cpu.cfs_quota_us").write_text(str(int(share * PERIOD)))
    (group / "cgroup.procs").write_text(str(process.pid))
    try:
        yield
    finally:
        site.kill()
        process.wait()
        group.rmdir()


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.bench.scaling", description=__doc__)
    options.add_argument("--share", type=float, default=0.2, help="of a core, for each process")
    print(table(measure(options.parse_args().share)))


if __name__ == "__main__":
    main()
