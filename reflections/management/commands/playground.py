import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from interviews.validation import RequestRefused
from plans.bots.duplicate import new_slug
from plans.models import Bot, SubGoal, Topic
from reflections.evaluation.respondents import Answer, Heard
from reflections.evaluation.simulation import NoReply, simulate

MANNERS = {"Low": "brief", "High": "rambling"}  # by verbosity: how long they take to write


class Command(BaseCommand):
    help = (
        "Leads a study of InterviewPlayground and prints its report card, so that this interviewer "
        "can be compared with others. The models of its participants and judges are set as its "
        "documentation says."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="a preset of InterviewPlayground, or a file with a study")
        parser.add_argument("--count", type=int, help="number of participants; else all")
        parser.add_argument("--minutes", type=int, default=30, help="of an interview")
        parser.add_argument("-o", "--output", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        study = _load(options["study"])
        study.participants = study.participants[: options["count"]]
        bot = _bot(Path(options["study"]).stem, study.interview_guide, options["minutes"])
        for number, participant in enumerate(study.participants, 1):
            respondent = PlaygroundRespondent(participant)
            try:
                asyncio.run(simulate(bot.slug, respondent, lambda session: None))
            except (NoReply, RequestRefused) as error:
                raise CommandError(f"Interview {number} failed: {error}") from error
            self.stderr.write(f"{number} of {len(study.participants)} interviews led")
        card = json.dumps(study.evaluate(), indent=2, ensure_ascii=False)
        if options["output"]:
            options["output"].write_text(card + "\n", encoding="utf-8")
        else:
            self.stdout.write(card)


def _load(study: str) -> Any:
    try:
        from interviewplayground import Study, load_preset
    except ImportError as error:
        raise CommandError("Install it first: pip install '.[evaluation]'") from error
    try:
        return Study.load(study) if study.endswith(".json") else load_preset(study)
    except (OSError, ValueError, KeyError) as error:
        raise CommandError(f"InterviewPlayground can't load “{study}”: {error}") from error


@transaction.atomic
def _bot(study: str, guide: Iterable[Mapping[str, Any]], minutes: int) -> Bot:
    """Make an unlisted draft whose topics and sub-goals are those of the study's guide."""
    title = study.replace("_", " ").capitalize()  # which the interviewer says
    bot = Bot.objects.create(
        title=title,
        slug=new_slug(title),
        protocol="topic_exploration",
        minutes=minutes,
        public=False,
    )
    for position, item in enumerate(guide):
        topic = Topic.objects.create(
            bot=bot, key=f"t{position + 1}", label=item["topic"][:200], position=position
        )
        goals = enumerate(item["subtopics"])
        SubGoal.objects.bulk_create(
            SubGoal(topic=topic, text=text[:300], position=place) for place, text in goals
        )
    return bot


class PlaygroundRespondent:
    """A participant of InterviewPlayground, who keeps the transcript that is judged."""

    def __init__(self, participant: Any) -> None:
        self.participant = participant
        self.persona: Any = SimpleNamespace(
            name=participant.name or "Participant",
            language="en",
            start={},
            manner=MANNERS.get(participant.verbosity, "plain"),
        )

    async def answer(self, heard: Heard) -> Answer:
        said = await asyncio.to_thread(self.participant.ask, heard.text)
        return Answer("tell", said)
