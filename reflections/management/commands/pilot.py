from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from reflections.evaluation.findings import findings
from reflections.evaluation.runs import Respondents, free_name
from reflections.management.commands.evaluate import bot_at, evaluated


class Command(BaseCommand):
    help = "Tries a bot with simulated participants and says in plain words how it went."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bot", metavar="BOT", help="a bot's address")
        parser.add_argument("--count", type=int, default=20, help="number of participants")
        parser.add_argument("--respondent", choices=Respondents.values, default="rules")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = options | {"respondents": options["respondent"]}
        bot = bot_at(options["bot"])
        pilot = evaluated(self, bot, free_name(bot.slug), wanted)
        self.stdout.write("\n".join(findings(pilot)))
