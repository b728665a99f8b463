"""Many interviews of a bot, worked through at one wish: chosen, wished for, followed.

    offer_of -> Choice -> begin -> wish_for, in portions -> progress_of

Where `wish_for` was broken off, the batch isn't complete, and it can be called again.
What a person has reviewed is never made anew, and what is being made already is left alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, TextChoices

from interviews.models import Session, TranscriptEntry
from interviews.words import ENDED, Role, Status
from llm.routes import has_model
from plans.jobs import ANEW, UNDER_WAY, Job
from plans.models import Bot
from reflections import work
from reflections.models import EXPERT, Batch, Expert, Judgement, Reflection
from reflections.wishes import wanted

PORTION = 300  # interviews whose product is wished for in one transaction
AT_ONCE = 20  # products that are handed out at once; the sweeper takes the others
REVIEWED = Q(review__isnull=False) & ~Q(review__state=str(Judgement.State.DRAFT))
Key = TypeVar("Key")
COUNTS = {
    **{str(one): Count("reflections", filter=Q(reflections__status=one)) for one in Job.Status},
    "hindered": Count(
        "reflections",
        filter=Q(reflections__status=Job.Status.PENDING, reflections__name__startswith=EXPERT),
    ),
}


class Which(TextChoices):
    """Which interviews."""

    MISSING = "missing", "Those that lack it"
    UNREVIEWED = "unreviewed", "All where nobody has reviewed it"


class BegunMeanwhile(Exception):
    """Another batch of the bot was begun since this one was looked at."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(str(batch))
        self.batch = batch


@dataclass(frozen=True)
class Choice:
    """What is to be made of which interviews."""

    products: tuple[str, ...]  # names
    which: Which = Which.MISSING
    synthetic: bool = False  # those of simulated participants as well
    previews: bool = False  # those that were held to try the bot as well


@dataclass(frozen=True)
class Offer:
    """The products that can be made of a bot's interviews."""

    bot: Bot
    by_plan: Mapping[int, tuple[str, ...]]  # what is made by itself, by the plan that led
    experts: tuple[str, ...]  # who may be asked to read them

    @property
    def usual(self) -> tuple[str, ...]:
        """Those that are made without anybody asking."""
        return tuple(dict.fromkeys(name for names in self.by_plan.values() for name in names))

    @property
    def products(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(dict.fromkeys((*self.usual, *self.experts)))

    def lacking(self, name: str, choice: Choice, batch: Batch | None = None) -> QuerySet[Session]:
        """The finished interviews of which this product would be made; not those of which the batch
        has wished for it already."""
        made = Reflection.objects.filter(session=OuterRef("pk"), name=name)
        if choice.which == Which.MISSING:
            left_alone = made.exclude(status=Job.Status.FAILED)
        else:
            left_alone = made.filter(status__in=UNDER_WAY)
        if batch is not None:
            left_alone |= made.filter(batch=batch)
        fitting = finished(self.bot, choice).filter(plan__in=self._plans(name))
        return fitting.filter(~Exists(left_alone), ~Exists(made.filter(REVIEWED))).order_by("pk")

    def _plans(self, name: str) -> list[int]:
        """Those whose interviews it can be made of; experts read the interviews of all."""
        return [
            plan for plan, names in self.by_plan.items() if name in names or name in self.experts
        ]


def offer_of(bot: Bot) -> Offer:
    """What there is now."""
    plans = bot.plans.defer("content").order_by("-number")
    ended = Status.COMPLETED
    by_plan = {plan.pk: wanted(Session(bot=bot, plan=plan, status=ended)) for plan in plans}
    keys = Expert.objects.filter(active=True).values_list("key", flat=True)
    return Offer(bot, by_plan, tuple(f"{EXPERT}{key}" for key in keys))


def finished(bot: Bot, choice: Choice) -> QuerySet[Session]:
    """The interviews that have ended and in which anything was answered."""
    answers = TranscriptEntry.objects.filter(session=OuterRef("pk"), role=Role.PARTICIPANT)
    found = Session.objects.filter(Exists(answers.exclude(text="")), bot=bot, status__in=ENDED)
    found = found if choice.synthetic else found.filter(synthetic=False)
    return found if choice.previews else found.filter(preview=False)


def latest(bot: Bot) -> int:
    """The number of the bot's latest batch; 0 where there is none."""
    return Batch.objects.filter(bot=bot).aggregate(last=Max("pk"))["last"] or 0


@transaction.atomic
def begin(bot: Bot, choice: Choice, estimate: Any, user: str, after: int) -> Batch:
    """A new batch that has wished for nothing yet, unless one was begun after the one that was the
    latest when this was looked at: then BegunMeanwhile."""
    Bot.objects.select_for_update().get(pk=bot.pk)
    other = Batch.objects.filter(bot=bot, pk__gt=after).order_by("pk").first()
    if other is not None:
        raise BegunMeanwhile(other)
    return Batch.objects.create(
        bot=bot,
        products=list(choice.products),
        which=choice.which,
        synthetic=choice.synthetic,
        previews=choice.previews,
        complete=False,
        estimate=estimate,
        created_by=user,
    )


def choice_of(batch: Batch) -> Choice:
    """What was chosen when it was begun."""
    return Choice(tuple(batch.products), Which(batch.which), batch.synthetic, batch.previews)


def wish_for(batch: Batch, offer: Offer) -> int:
    """Wishes for all of it, some hundred interviews at a time, but for nothing twice; how many
    products."""
    count, choice = 0, choice_of(batch)
    for name in choice.products:
        keys = list(offer.lacking(name, choice, batch).values_list("pk", flat=True))
        count += sum(_portion(batch, name, some) for some in _portions(keys))
    batch.complete = True
    batch.save(update_fields=["complete"])
    _hand_out(batch)
    return count


def run_failed(batch: Batch) -> int:
    """Wishes anew for those of the batch that failed and that nobody has reviewed; how many."""
    keys = list(failures(batch).values_list("pk", flat=True))
    count = sum(_anew(Reflection.objects.filter(pk__in=some)) for some in _portions(keys))
    _hand_out(batch)
    return count


@transaction.atomic
def _portion(batch: Batch, name: str, keys: Sequence[UUID]) -> int:
    """One product of some interviews: what is there is made anew, what isn't is wished for.

    What the batch has wished for already is left alone.
    """
    rows = Reflection.objects.filter(session__in=keys, name=name)
    count = _anew(rows.exclude(batch=batch), batch=batch)
    there = set(rows.values_list("session", flat=True))
    stay = Session.objects.filter(pk__in=keys).order_by("pk")  # not deleted meanwhile
    held = stay.select_for_update(no_key=True).values_list("pk", flat=True)
    new = [Reflection(session_id=key, name=name, batch=batch) for key in held if key not in there]
    Reflection.objects.bulk_create(new, ignore_conflicts=True)  # an interview ends at this moment
    return count + len(new)


@transaction.atomic
def _anew(rows: QuerySet[Reflection], **fields: Any) -> int:
    """Wishes anew for those that are neither under way nor reviewed; how many."""
    locked = rows.order_by("pk").select_for_update().values_list("pk", flat=True)
    free = Reflection.objects.filter(pk__in=list(locked)).exclude(status__in=UNDER_WAY)
    return free.exclude(REVIEWED).update(**ANEW, **fields)


def _hand_out(batch: Batch) -> None:
    """A few, so that it begins now; the sweeper hands out the others."""
    waiting = batch.reflections.filter(status=Job.Status.PENDING).order_by("pk")
    for pk in waiting.values_list("pk", flat=True)[:AT_ONCE]:
        work.hand_out(pk)


def _portions(keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
    """A few hundred at a time."""
    return (keys[start : start + PORTION] for start in range(0, len(keys), PORTION))


# -- how far it is


@dataclass(frozen=True)
class Progress:
    """How far a batch is."""

    ready: int = 0
    running: int = 0
    failed: int = 0
    pending: int = 0
    hindered: int = 0  # of those that are pending, how many wait for a model

    @property
    def total(self) -> int:
        """Products in all."""
        return self.ready + self.running + self.failed + self.pending

    @property
    def waiting(self) -> int:
        """Those whose turn will come by itself."""
        return self.pending - self.hindered

    @property
    def busy(self) -> bool:
        """Whether more is to come."""
        return bool(self.running or self.waiting)

    @property
    def sentence(self) -> str:
        """In a few words."""
        failed = f", {self.failed:,} failed" if self.failed else ""
        return f"{self.ready:,} of {self.total:,}{failed}"

    @property
    def shares(self) -> list[tuple[str, int, float]]:
        """What is in which state: its name, how many, and their share in percent."""
        states = ("ready", "running", "failed", "waiting", "hindered")
        counts = ((name, int(getattr(self, name))) for name in states)
        return [(name, n, 100 * n / self.total) for name, n in counts if n]


def progress_of(batch: Batch) -> Progress:
    """Counted anew."""
    return progress_in(with_progress(Batch.objects.filter(pk=batch.pk)).get())


def with_progress(batches: QuerySet[Batch]) -> QuerySet[Batch]:
    """The same, with what `progress_in` reads."""
    return batches.annotate(**COUNTS)


def progress_in(batch: Batch) -> Progress:
    """Of one that comes from `with_progress`."""
    counts = {name: int(getattr(batch, name)) for name in COUNTS}
    return Progress(**counts | ({"hindered": 0} if has_model() else {}))


def failures(batch: Batch) -> QuerySet[Reflection]:
    """Those that failed, with their interviews."""
    failed = batch.reflections.filter(status=Job.Status.FAILED).order_by("pk")
    return failed.select_related("session__participant").defer("session__state", "content")


def batches_of(bot: Bot) -> QuerySet[Batch]:
    """The bot's batches, the latest first, with their progress."""
    return with_progress(Batch.objects.filter(bot=bot))
