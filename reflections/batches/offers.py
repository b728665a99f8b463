from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, TextChoices

from interviews.choices import ENDED, SessionStatus, SpeakerRole
from interviews.models import Session, TranscriptEntry
from plans.jobs import UNDER_WAY, Job
from plans.models import Bot
from reflections.jobs import experts_products, wanted_products
from reflections.models import Batch, Judgement, Reflection

REVIEWED = Q(review__isnull=False) & ~Q(review__state=str(Judgement.State.DRAFT))


class WhichInterviews(TextChoices):
    MISSING = "missing", "Those that lack it"
    UNREVIEWED = "unreviewed", "All where nobody has reviewed it"


@dataclass(frozen=True)
class BatchChoice:
    products: tuple[str, ...]  # names
    which: WhichInterviews = WhichInterviews.MISSING
    synthetic: bool = False  # include simulated participants
    previews: bool = False  # include previews


@dataclass(frozen=True)
class BatchOffer:
    bot: Bot
    by_plan: Mapping[int, tuple[str, ...]]  # products made by default, by id of the plan
    experts: tuple[str, ...]  # names of their products

    @property
    def usual(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for names in self.by_plan.values() for name in names))

    @property
    def products(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.usual, *self.experts)))

    def lacking(
        self, name: str, choice: BatchChoice, batch: Batch | None = None
    ) -> QuerySet[Session]:
        """Return the finished interviews that a batch would make this product of.

        Those for which `batch` has already requested it are left out.
        """
        made = Reflection.objects.filter(session=OuterRef("pk"), name=name)
        if choice.which == WhichInterviews.MISSING:
            excluded = made.exclude(status=Job.Status.FAILED)
        else:
            excluded = made.filter(status__in=UNDER_WAY)
        if batch is not None:
            excluded |= made.filter(batch=batch)
        # Experts read the interviews of all plans.
        plans = [pk for pk, names in self.by_plan.items() if name in names or name in self.experts]
        sessions = finished(self.bot, choice).filter(plan__in=plans)
        return sessions.filter(~Exists(excluded), ~Exists(made.filter(REVIEWED))).order_by("pk")


def offer_of(bot: Bot) -> BatchOffer:
    plans = bot.plans.defer("content").order_by("-number")
    ended = SessionStatus.COMPLETED
    by_plan = {
        plan.pk: wanted_products(Session(bot=bot, plan=plan, status=ended)) for plan in plans
    }
    return BatchOffer(bot, by_plan, experts_products())


def finished(bot: Bot, choice: BatchChoice) -> QuerySet[Session]:
    answers = TranscriptEntry.objects.filter(session=OuterRef("pk"), role=SpeakerRole.PARTICIPANT)
    found = Session.objects.filter(Exists(answers.exclude(text="")), bot=bot, status__in=ENDED)
    found = found if choice.synthetic else found.filter(synthetic=False)
    return found if choice.previews else found.filter(preview=False)


def choice_of(batch: Batch) -> BatchChoice:
    return BatchChoice(
        tuple(batch.products), WhichInterviews(batch.which), batch.synthetic, batch.previews
    )
