import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import F, Sum

from interviews.choices import SessionStatus
from interviews.engine.pipeline import Ask, OnPartial
from interviews.engine.result import TaskCall
from interviews.models import Session
from interviews.turns.budgets import budget_afterwards
from interviews.turns.replay import alternatives, first_difference
from interviews.turns.store import plan_content
from llm.costs.prices import MILLION, price
from llm.gateway import ask
from llm.models import LLMCall
from llm.routing.routes import NO_MODEL, has_model, provider_name
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome
from llm.tasks.task import Task, Tier, all_tasks
from llm.tasks.templates import TemplateError, check


class Command(BaseCommand):
    """`replay SESSION` or `replay --all`; exit status 1 if anything differs."""

    help = (
        "Makes interviews again without a model, and says whether they come out the same. With "
        "another model or other prompts: what would have been said, beside what was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("session", nargs="*", type=UUID, help="ids of interviews")
        parser.add_argument("--all", action="store_true", help="every interview that has content")
        parser.add_argument("--with-model", default="", metavar="MODEL", help="ask this model")
        parser.add_argument(
            "--with-prompts", type=Path, metavar="DIR", help="with prompts named TASK.md"
        )
        parser.add_argument("--yes", action="store_true", help="don’t ask about the costs first")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["session"] and not options["all"]:
            raise CommandError("Name an interview, or say --all.", returncode=2)
        sessions = _sessions(options["session"], options["all"])
        if options["with_model"] or options["with_prompts"]:
            self._ask_again(list(sessions), options)
            return
        different = 0
        for session in sessions:
            difference = first_difference(session)
            different += bool(difference)
            self.stdout.write(f"{session.pk} {difference or 'same'}")
        if different:
            sys.exit(1)

    def _ask_again(self, sessions: list[Session], options: dict[str, Any]) -> None:
        if not has_model():
            raise CommandError(NO_MODEL)
        prompts = _prompts(options["with_prompts"]) if options["with_prompts"] else {}
        self.stderr.write(_estimate(sessions, options["with_model"]))
        if not options["yes"] and not _confirmed():
            return
        for session in sessions:
            self.stdout.write(f"\n{session.pk}")
            ask_again = _asker(session, options["with_model"], prompts)
            for one in alternatives(session, ask_again):
                self.stdout.write(f"\n[{one.turn}] Participant: {one.answer}")
                self.stdout.write(f"    said:      {one.said}")
                self.stdout.write(f"    would say: {one.would_say}")


def _confirmed() -> bool:
    try:
        return input("Continue? [y/N] ").strip().lower() == "y"
    except EOFError:
        raise CommandError("There is nobody to ask about the costs: say --yes.") from None


def _prompts(folder: Path) -> dict[str, Task[Any, Any]]:
    """Return the tasks with a prompt in the folder, with it. Raises CommandError."""
    found = {}
    for task in all_tasks():
        path = folder / f"{task.name}.md"
        if path.is_file():
            found[task.name] = replace(task, name=f"replay.{task.name}", template=path)
    if not found:
        names = ", ".join(sorted(f"{task.name}.md" for task in all_tasks()))
        raise CommandError(f"There is no prompt in {folder}. It may hold: {names}.")
    try:
        for task in found.values():
            check(task)
    except TemplateError as error:
        raise CommandError(str(error)) from error
    return found


def _estimate(sessions: list[Session], model: str) -> str:
    # those of reflections, or of a simulated participant, belong to no turn
    calls = LLMCall.objects.filter(
        session__in=[str(one.pk) for one in sessions], turn__isnull=False
    )
    read = F("input_tokens") + F("cache_read_tokens") + F("cache_write_tokens")
    sums = calls.aggregate(read=Sum(read), written=Sum("output_tokens"), cost=Sum("cost"))
    tokens = f"{sums['read'] or 0:,} tokens in and {sums['written'] or 0:,} out"
    known = price(provider_name(), model) if model else None
    cost = None if calls.filter(cost=None).exists() else sums["cost"]
    if known:
        cost = (sums["read"] or 0) * known.input + (sums["written"] or 0) * known.output
        cost /= MILLION
    money = f"about {cost:,.2f}" if cost else "an unknown amount"
    return f"The interviews took {tokens}; as much again will cost {money}."


def _asker(session: Session, model: str, prompts: dict[str, Task[Any, Any]]) -> Ask:
    """Return what asks models in the interview's name; none of the calls is stored."""
    models = plan_content(session.plan_id).models
    context = CallContext(
        models=dict.fromkeys(Tier, model) if model else models,
        budget=budget_afterwards(session),
        record=lambda record: None,
    )

    async def ask_again(call: TaskCall, on_partial: OnPartial) -> Outcome[Any]:
        task = prompts.get(call.task.name, call.task)
        return await ask(task, call.data, context, on_partial)

    return ask_again


def _sessions(keys: list[UUID], every: bool) -> Iterator[Session]:
    sessions = Session.objects.select_related("participant", "plan").order_by("started_at", "id")
    if every:
        return sessions.exclude(status=SessionStatus.WITHDRAWN).iterator(chunk_size=100)
    by_id = sessions.in_bulk(keys)
    missing = [str(key) for key in keys if key not in by_id]
    if missing:
        raise CommandError(f"There is no interview {', '.join(missing)}.", returncode=2)
    return iter([by_id[key] for key in keys])
