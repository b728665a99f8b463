"""The products that can be made of a bot's interviews, and what somebody chooses of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, TextChoices

from interviews.choices import ENDED, SessionStatus, SpeakerRole
from interviews.models import Session, TranscriptEntry
from plans.jobs import UNDER_WAY, Job
from plans.models import Bot
from reflections.jobs import wanted_products
from reflections.models import EXPERT, Batch, Expert, Judgement, Reflection

REVIEWED = Q(review__isnull=False) & ~Q(review__state=str(Judgement.State.DRAFT))


class WhichInterviews(TextChoices):
    """Which interviews."""

    MISSING = "missing", "Those that lack it"
    UNREVIEWED = "unreviewed", "All where nobody has reviewed it"


@dataclass(frozen=True)
class BatchChoice:
    """What is to be made of which interviews."""

    products: tuple[str, ...]  # names
    which: WhichInterviews = WhichInterviews.MISSING
    synthetic: bool = False  # those of simulated participants as well
    previews: bool = False  # those that were held to try the bot as well


@dataclass(frozen=True)
class BatchOffer:
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
        return tuple(dict.fromkeys((*self.usual, *self.experts)))

    def lacking(
        self, name: str, choice: BatchChoice, batch: Batch | None = None
    ) -> QuerySet[Session]:
        """The finished interviews of which this product would be made; not those of which the batch
        has wished for it already."""
        made = Reflection.objects.filter(session=OuterRef("pk"), name=name)
        if choice.which == WhichInterviews.MISSING:
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


def offer_of(bot: Bot) -> BatchOffer:
    plans = bot.plans.defer("content").order_by("-number")
    ended = SessionStatus.COMPLETED
    by_plan = {
        plan.pk: wanted_products(Session(bot=bot, plan=plan, status=ended)) for plan in plans
    }
    keys = Expert.objects.filter(active=True).values_list("key", flat=True)
    return BatchOffer(bot, by_plan, tuple(f"{EXPERT}{key}" for key in keys))


def finished(bot: Bot, choice: BatchChoice) -> QuerySet[Session]:
    """The interviews that have ended and in which anything was answered."""
    answers = TranscriptEntry.objects.filter(session=OuterRef("pk"), role=SpeakerRole.PARTICIPANT)
    found = Session.objects.filter(Exists(answers.exclude(text="")), bot=bot, status__in=ENDED)
    found = found if choice.synthetic else found.filter(synthetic=False)
    return found if choice.previews else found.filter(preview=False)


def choice_of(batch: Batch) -> BatchChoice:
    """What was chosen when it was begun."""
    return BatchChoice(
        tuple(batch.products), WhichInterviews(batch.which), batch.synthetic, batch.previews
    )
