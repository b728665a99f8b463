"""Many interviews at once against a model that often fails: is each complete, and how quick?

    python -m tests.load.pilot --count 50

Brings up everything by itself: the model, a site (embedded, or as in production with --on), and
respondents of several temperaments who answer until the end.
"""

import argparse
import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.load.playing import Played, play
from tests.services import worlds
from tests.services.databases import Database, drop_all, filled_sqlite
from tests.services.processes import Process, environment, free_port, python
from tests.services.sites import answers

TENTH = (
    "overloaded=0.02,rate_limit:1=0.02,status:500=0.015,cut:6=0.015,error_event:5=0.01,"
    "broken=0.01,close=0.005,truncate:40=0.005"
)
TURNS = "SELECT source, COUNT(*) FROM interviews_turn WHERE trigger <> 'opening' GROUP BY source"
CALLS = "SELECT COUNT(*) FROM llm_llmcall"


class Model(Process):
    """The fake provider as a process."""

    def __init__(self, data: Path, faults: str, ttft: float, rate: float) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        options = {"port": port, "faults": faults, "ttft": ttft, "rate": rate}
        given = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        command = python("-m", "tests.fake_provider", *given)
        super().__init__(command, environment(data), data / "model.log")

    def ready(self) -> bool:
        """Whether it answers."""
        return super().ready() and answers(f"{self.url}/_requests")


@contextmanager
def running(on: str, data: Path, model: Model) -> Iterator[tuple[str, Database]]:
    """A site that asks the model: its address and its database."""
    with worlds.ended(model):
        model.start()
        settings = {
            "LLM_PROVIDER": "anthropic",
            "ANTHROPIC_API_KEY": "test",
            "ANTHROPIC_BASE_URL": model.url,
        }
        if on == "production":
            with worlds.production(data, model) as world:
                yield world.url, world.database
            drop_all()
        else:
            template = filled_sqlite(data)
            with worlds.embedded(template, data / "site", **settings) as world:
                yield world.site.url, world.database


def table(played: Sequence[Played], database: Database, seconds: float) -> str:
    """The figures."""
    sources = Counter(dict(database.rows(TURNS)))
    turns = sources.total()
    waits = sorted(wait for one in played for wait in one.waits)
    cuts = statistics.quantiles(waits, n=20)
    rows = {
        "interviews": len(played),
        "completed": sum(one.status == "COMPLETED" for one in played),
        "complete transcripts": sum(not one.problems() for one in played),
        "seconds in all": f"{seconds:.1f}",
        "turns": turns,
        "turns a second": f"{turns / seconds:.1f}",
        "calls per turn": f"{database.rows(CALLS)[0][0] / turns:.2f}",
        "spoken by the model": f"{sources['model'] / turns:.1%}",
        "spoken by a fallback": f"{sources['fallback'] / turns:.1%}",
        "spoken by rules": f"{sources['rules'] / turns:.1%}",
        "first words, median": f"{statistics.median(waits):.2f} s",
        "first words, 95 %": f"{cuts[-1]:.2f} s",
    }
    return "\n".join(f"{name:<22}{value:>10}" for name, value in rows.items())


def main() -> int:
    """Plays, prints the figures and what is wrong; 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.pilot", description=__doc__)
    parser.add_argument("--count", type=int, default=50, help="interviews at once")
    parser.add_argument("--bot", default="life-story-short")
    parser.add_argument("--on", choices=("embedded", "production"), default="embedded")
    parser.add_argument("--faults", default=TENTH, help="of the model: kind=rate, …")
    parser.add_argument("--ttft", type=float, default=0.4, help="seconds to its first token")
    parser.add_argument("--rate", type=float, default=200.0, help="its tokens a second")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    data = Path(tempfile.mkdtemp(prefix="interviewsite-pilot-"))
    try:
        model = Model(data, given.faults, given.ttft, given.rate)
        with running(given.on, data, model) as (url, database):
            began = time.monotonic()
            played = asyncio.run(play(url, given.count, given.bot, given.seed))
            print(table(played, database, time.monotonic() - began))
    finally:
        shutil.rmtree(data, ignore_errors=True)
    wrong = [(one.temperament, one.session_id, *one.problems()) for one in played if one.problems()]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
