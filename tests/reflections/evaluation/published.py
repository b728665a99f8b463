"""The tables of docs/evaluation.md: `python -m tests.reflections.evaluation.published` writes them.

Each is made in a process of its own: the floor, the floor's short form, and a scripted model that
`tests.fake_provider` serves.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tests.environment  # noqa: F401  a world of its own, before the settings are read

PAGE = Path(__file__).resolve().parents[3] / "docs" / "evaluation.md"
BOTS = {
    "Life story": "life-story-short",
    "Topic exploration": "product-research",
    "Technical assessment": "technical-backend-en",
    "Knowledge transfer": "print-shop-handover",
    "Laddering": "evening-reading",
}
SHORT, WHOLE = 3, 20  # participants
TIMED = ("calls", "tokens", "money", "wait")  # vary: calls begun early may be cancelled
FORMS = ("floor", "model", "short")


def evaluate(most: int) -> dict[str, dict[str, Any]]:
    """Return the figures of each demo bot, by its column's title."""
    from plans.models import Bot
    from reflections.evaluation import runs

    found = {}
    for title, slug in BOTS.items():
        bot = Bot.objects.get(slug=slug)
        evaluation = runs.request(bot, "Published", runs.EvaluationPlan(count=most))
        runs.work_through(evaluation, lambda number, of: None)
        found[title] = evaluation.figures
    return found


def table(found: dict[str, dict[str, Any]], bounds: bool = True) -> str:
    """Return a table in Markdown; a figure that misses its aim is bold."""
    from reflections.evaluation.figures import FIGURES

    shown = [one for one in FIGURES if one.key not in TIMED and one.group != "Judged"]
    people = [str(one["personas"]) for one in found.values()]
    rows = [["", *found, "aim"], ["---"] * (len(found) + 2), ["participants", *people, ""]]
    for figure in shown:
        means = [one["figures"][figure.key] for one in found.values()]
        plain = [one if bounds else {**one, "low": None, "high": None} for one in means]
        words = [figure.in_words(one) for one in plain]
        marked = [
            f"**{word}**" if figure.meets_aim(mean) is False else word
            for word, mean in zip(words, means, strict=True)
        ]
        rows.append([figure.label, *marked, figure.aim])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def published(form: str) -> str:
    """Return the table of this form as it stands in the page."""
    return _marked(form).search(PAGE.read_text(encoding="utf-8"))["table"]  # type: ignore[index]


def _marked(form: str) -> re.Pattern[str]:
    return re.compile(f"(?<=<!-- {form} -->\n\n)(?P<table>.*?)(?=\n\n<!-- end -->)", re.S)


def _made(form: str) -> str:
    command = [sys.executable, "-m", "tests.reflections.evaluation.published", "--only", form]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def _serve_model() -> str:
    """Serve the scripted model in a thread; return its address."""
    from tests.fake_provider.server import serve
    from tests.fake_provider.state import State

    urls: list[str] = []
    ready = threading.Event()

    def tell(url: str) -> None:
        urls.append(url)
        ready.set()

    state = State(ttft=0.0, rate=1e6, seed=1)
    serving = threading.Thread(
        target=lambda: asyncio.run(serve(state, "127.0.0.1", 0, tell)), daemon=True
    )
    serving.start()
    ready.wait(10)
    return urls[0]


def _print(form: str) -> None:
    if form == "model":
        os.environ |= {"LLM_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "test"}
        os.environ["ANTHROPIC_BASE_URL"] = _serve_model()
    os.environ["DJANGO_SETTINGS_MODULE"] = "interviewsite.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from plans.demo.loader import load_demo

    load_demo()
    print(table(evaluate(SHORT if form == "short" else WHOLE), bounds=form != "short"))


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", choices=FORMS, help="print this table")
    given = options.parse_args(arguments)
    if given.only:
        _print(given.only)
        return
    text = PAGE.read_text(encoding="utf-8")
    for form in FORMS:
        made = _made(form)
        text = _marked(form).sub(lambda found, made=made: made, text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
