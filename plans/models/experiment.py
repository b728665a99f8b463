import secrets

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords

from plans.models.bot import Bot
from plans.models.plan import Plan

MOST_STRATA = 3


def new_seed() -> int:
    return secrets.randbelow(2**31)


def check_strata(names: list[str]) -> None:
    if len(names) > MOST_STRATA:
        raise ValidationError(f"At most {MOST_STRATA} names.")


class Experiment(models.Model):
    """One link whose participants are sent to several arms at random."""

    Status = Bot.Status

    slug = models.SlugField(
        "address", unique=True, help_text="The last part of the link, /e/address/."
    )
    title = models.CharField(max_length=200, help_text="For you only. Participants see the bot’s.")
    status = models.CharField(
        max_length=10,
        choices=Status,
        default=Status.DRAFT,
        help_text="Draft: the link doesn’t work yet. Closed: nobody new can start. Arms can only "
        "be changed in a draft that nobody has started.",
    )
    rounds = models.PositiveSmallIntegerField(
        "rounds in a block",
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text="A block holds each arm as often as its weight says, times this number, in "
        "random order. Small blocks keep the arms even, large ones are harder to foresee.",
    )
    strata = models.JSONField(
        "even within",
        default=list,
        blank=True,
        validators=[check_strata],
        help_text="Names of link parameters or start questions, such as gender. Each combination "
        "of their values gets blocks of its own.",
    )
    seed = models.PositiveIntegerField(
        default=new_seed, help_text="The order of the arms follows from it. Report it in papers."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

    @property
    def public_path(self) -> str:
        return f"/e/{self.slug}/"


class ExperimentArm(models.Model):
    """One condition: a bot, or one version of it."""

    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="arms")
    name = models.CharField(max_length=60, help_text="As it is called in exports.")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="arms")
    plan = models.ForeignKey(
        Plan,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name="version",
        help_text="Leave empty for the bot as it is now.",
    )
    weight = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    target = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Completed interviews wanted. Leave empty for no limit.",
    )

    class Meta:
        ordering = ["experiment", "id"]
        constraints = [models.UniqueConstraint(fields=["experiment", "name"], name="arm_name_once")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.plan is not None and self.bot_id and self.plan.bot_id != self.bot_id:
            raise ValidationError({"plan": "This is a version of another bot."})


def study_of(bot: Bot) -> models.QuerySet[Bot]:
    """Return the bot and the other bots of its experiments."""
    own = models.Q(pk=bot.pk) | models.Q(arms__experiment__arms__bot=bot)
    return Bot.objects.filter(own).distinct()
