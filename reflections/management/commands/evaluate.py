import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from plans.models import Bot
from reflections.evaluation import runs
from reflections.evaluation.figures import FIGURES, as_json, compare, stored_report
from reflections.models import Evaluation

PLANNED = ("respondents", "count", "seed", "judged")


class Command(BaseCommand):
    """`evaluate BOT… --name RUN`; the same seed gives the same bytes with `--format json`."""

    help = (
        "Interviews simulated participants and shows how good the interviewer was, or, with "
        "--stored, what it said in the interviews that are stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bots", nargs="+", metavar="BOT", help="addresses of bots")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--name", metavar="RUN", help="what to call it")
        what.add_argument("--stored", action="store_true", help="stored interviews instead")
        parser.add_argument("--against", default="", metavar="RUN", help="an earlier one")
        parser.add_argument("--respondents", choices=runs.Respondents.values, default="rules")
        parser.add_argument("--count", type=int, default=20, help="number of participants")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--judged", action="store_true", help="by a model, too")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        bots = [bot_at(slug) for slug in options["bots"]]
        if options["stored"]:
            self._show_stored(bots, options)
            return
        earlier = [_earlier(bot, options["against"]) for bot in bots]
        made = [evaluated(self, bot, options["name"], options) for bot in bots]
        compared = [*zip(bots, made, earlier, strict=True)]
        if options["format"] == "json":
            self._write_json({bot.slug: as_json(one, before) for bot, one, before in compared})
            return
        for bot, one, before in compared:
            self.stdout.write(f"\n{bot}: {one}, {one.figures['personas']} participants")
            figures = one.figures["figures"]
            self.stdout.writelines(_compared(before, one) if before else _table(figures))

    def _show_stored(self, bots: list[Bot], options: dict[str, Any]) -> None:
        found = {bot.slug: stored_report(bot, options["seed"]) for bot in bots}
        if options["format"] == "json":
            self._write_json(found)
            return
        for bot in bots:
            one = found[bot.slug]
            self.stdout.write(f"\n{bot}: {one['interviews']} stored interviews")
            self.stdout.writelines(_table(one["figures"]))

    def _write_json(self, found: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(found, ensure_ascii=False, indent=1))


def _earlier(bot: Bot, name: str) -> Evaluation | None:
    """Return the evaluation to compare with if it is over. Raises CommandError if there is none."""
    found = Evaluation.objects.filter(bot=bot, name=name).first()
    if name and not found:
        raise CommandError(f"{bot.slug} has no evaluation called “{name}”.", returncode=2)
    return found if found and found.figures else None


def bot_at(slug: str) -> Bot:
    bot = Bot.objects.filter(slug=slug).first()
    if bot is None:
        raise CommandError(f"There is no bot at {slug}.", returncode=2)
    return bot


def evaluated(command: BaseCommand, bot: Bot, name: str, options: dict[str, Any]) -> Evaluation:
    slug = bot.slug
    try:
        plan = runs.EvaluationPlan(**{key: options[key] for key in PLANNED if key in options})
        evaluation = runs.request(bot, name, plan, "manage.py")
    except runs.CannotEvaluate as error:
        raise CommandError(str(error)) from error
    runs.work_through(
        evaluation, lambda number, of: command.stderr.write(f"{slug}: {number} of {of}")
    )
    failed = evaluation.interviews.filter(status="failed")
    for row in failed:
        command.stderr.write(f"{slug}: {row} failed: {row.reason}")
    if not evaluation.figures:
        reason = evaluation.interviews.exclude(reason="").values_list("reason", flat=True).first()
        raise CommandError(f"{slug}: interviews of “{name}” still wait. {reason or ''}".strip())
    return evaluation


def _table(found: dict[str, Any]) -> Iterator[str]:
    for figure in (one for one in FIGURES if one.key in found):
        aim = f"  ({figure.aim})" if figure.aim else ""
        yield f"  {figure.label:<50}{figure.in_words(found[figure.key])}{aim}\n"


def _compared(before: Evaluation, after: Evaluation) -> Iterator[str]:
    for one in compare(before, after):
        words = f"{one.figure.in_words(one.before):<24}{one.figure.in_words(one.after):<24}"
        yield f"  {one.figure.label:<50}{words}{one.verdict}\n"
