from datetime import datetime
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords

from plans.models.ladder import LadderConcept, LadderMethodology
from plans.models.script import Script
from plans.models.site import current_identity
from plans.text.languages import match_language


def _days_kept(name: str, help_text: str) -> Any:
    """Return a field for days until something is deleted; empty: when somebody deletes it."""
    return models.PositiveIntegerField(
        name,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(36_500)],
        help_text=f"{help_text} Leave empty to delete by hand.",
    )


class Bot(models.Model):
    """A configured interviewer: protocol, persona, languages, times, models and texts."""

    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        LIVE = "live", "Live"
        CLOSED = "closed", "Closed"

    class Reuse(models.TextChoices):
        RESUME = "resume", "Continues the interview"
        REFUSE = "refuse", "Is refused"

    class Recruitment(models.TextChoices):
        LINK = "link", "An open link"
        PROLIFIC = "prolific", "Prolific"
        PANEL = "panel", "Another panel"
        INVITATIONS = "invitations", "Personal invitations"

    class Experts(models.TextChoices):
        AS_USUAL = "", "Default for this kind of interview"
        YES = "yes", "Yes"
        NO = "no", "No"

    slug = models.SlugField(
        "address",
        unique=True,
        help_text="The last part of the public link, /i/address/. If you change it, links you "
        "have already sent stop working.",
    )
    title = models.CharField(max_length=200, help_text="Shown to participants at the top.")
    protocol = models.CharField(
        "kind of interview",
        max_length=40,
        default="life_story",
        help_text="How the interview is led. This decides which material and options the bot has.",
    )
    status = models.CharField(
        max_length=10,
        choices=Status,
        default=Status.DRAFT,
        help_text="Draft: nobody can start. Live: participants can start. Closed: nobody new can "
        "start, but interviews under way can be finished.",
    )
    public = models.BooleanField(
        "listed on the home page",
        default=True,
        help_text="If off, only people with the link can find it.",
    )
    is_default = models.BooleanField(
        "the site's default",
        default=False,
        help_text="Used when a program starts an interview without naming a bot. One bot only.",
    )
    host = models.CharField(
        "who runs it",
        max_length=200,
        blank=True,
        help_text="The person or organisation responsible for the interviews. People speak more "
        "freely when they know who is asking. Leave empty to use the site's.",
    )
    contact = models.EmailField(
        blank=True, help_text="Where participants can ask questions. Leave empty to use the site's."
    )
    demo = models.BooleanField(
        "a demo",
        default=False,
        help_text="Participants are told that this is a demo, and nobody has to be named. Switch "
        "this off before you run a study.",
    )
    shows_consent = models.BooleanField(
        "shows the whole consent text",
        default=False,
        help_text="If on, it stands open on the start page, as some ethics boards require. "
        "Otherwise participants open it by “Read the details”.",
    )
    persona = models.TextField(
        blank=True,
        help_text="Who the interviewer is and how it speaks: warmth, pace, formality, and what it "
        "never does. The model reads this before every sentence.",
    )
    minutes = models.PositiveIntegerField(
        default=20,
        validators=[MinValueValidator(1)],
        help_text="How long one interview takes. Participants are told before they start, so be "
        "generous.",
    )
    opens_at = models.DateTimeField(
        "opens",
        null=True,
        blank=True,
        help_text="Nobody can start before. Leave empty to open now.",
    )
    closes_at = models.DateTimeField(
        "closes",
        null=True,
        blank=True,
        help_text="Interviews under way can still be finished. Leave empty to stay open.",
    )
    hours_from = models.TimeField(
        "open from",
        null=True,
        blank=True,
        help_text="Nobody can start before this time of day. Leave empty for any time.",
    )
    hours_to = models.TimeField(
        "open until",
        null=True,
        blank=True,
        help_text="Nobody can start from this time of day on. It can be after midnight.",
    )
    time_zone = models.CharField(
        max_length=60, default="UTC", help_text="The time zone of these hours, such as Europe/Rome."
    )
    quota = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="How many interviews you want. Once that many are finished or under way, nobody "
        "else can start. Leave empty for no limit.",
    )
    recruitment = models.CharField(
        "where participants come from",
        max_length=12,
        choices=Recruitment,
        default=Recruitment.LINK,
        help_text="The checklist follows from it: a panel needs a completion code to pay people.",
    )
    invited_only = models.BooleanField(
        "invitation only",
        default=False,
        help_text="If on, only people with a personal invitation can start.",
    )
    invitation_reuse = models.CharField(
        "an invitation opened in a second browser",
        max_length=10,
        choices=Reuse,
        default=Reuse.RESUME,
        help_text="People switch between phone and computer. Refuse only if links must not be "
        "shared.",
    )
    quota_cells = models.JSONField(default=list, blank=True)  # [{name, wanted, when: {name: []}}]
    cells_only = models.BooleanField(
        "only people in a quota cell",
        default=False,
        help_text="If on, people who fit none of the cells are turned away.",
    )
    link_params = models.JSONField(default=list, blank=True)  # [{name, aliases: [], required}]
    outcomes = models.JSONField(default=dict, blank=True)  # way -> {code, url}
    alert_to = models.TextField(
        "safety contact",
        blank=True,
        help_text="E-mail addresses to alert when somebody seems to be in distress, one per line.",
    )
    session_budget = models.DecimalField(
        "budget per interview",
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="In US dollars, for models. Once it is spent, the interview continues without "
        "one. Leave empty for no separate limit.",
    )
    day_budget = models.DecimalField(
        "budget per day",
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="In US dollars, for models in all of the bot's interviews within 24 hours. "
        "Leave empty for no separate limit.",
    )
    # deleted by retention: places taken in all, and completed interviews by quota cell
    places_gone = models.PositiveIntegerField(default=0, editable=False)
    cells_gone = models.JSONField(default=dict, editable=False)
    keeps_paradata = models.BooleanField(
        "records how answers are written",
        default=True,
        help_text="Times, edits, pastes and switching away; never keystrokes. Participants are "
        "told before they start.",
    )
    keep_days = _days_kept(
        "delete interviews after",
        "Days after an interview’s end. It is deleted whole, with its results; counts stay.",
    )
    keep_contact_days = _days_kept(
        "delete contact details after",
        "Days after an interview’s end. Encrypted values are deleted, and so are an invitation’s "
        "name and address; the interview stays.",
    )
    keep_calls_days = _days_kept(
        "delete model calls after",
        "Days after an interview’s end. The log holds each prompt and reply, so people’s words.",
    )
    asks_rating = models.BooleanField(
        "asks for a rating", default=True, help_text="Two short questions after the interview."
    )
    dictation = models.BooleanField(
        "allows dictation",
        default=True,
        help_text="A button beside the text box. Participants can correct the text before they "
        "send it.",
    )
    read_aloud = models.BooleanField(
        "allows reading aloud",
        default=True,
        help_text="A button that reads the interviewer's words to participants.",
    )
    scripts = models.ManyToManyField(
        Script,
        blank=True,
        related_name="bots",
        help_text="One for each language participants can choose.",
    )
    concept = models.ForeignKey(
        LadderConcept,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="bots",
        help_text="What the interview explores.",
    )
    methodology = models.ForeignKey(
        LadderMethodology,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="bots",
        help_text="How it explores it: the ladder and the ways of asking.",
    )
    options = models.JSONField(default=dict, blank=True)  # typed by the protocol's content
    model_overrides = models.JSONField(default=dict, blank=True)  # tier or task name -> model
    expert_reflections = models.CharField(
        "experts read finished interviews",
        max_length=3,
        choices=Experts,
        default=Experts.AS_USUAL,
        blank=True,
        help_text="Each of the site’s experts writes observations about the person, with the "
        "quotes they rest on. This needs a model and one call per expert. By default, experts "
        "read life stories only.",
    )
    calibrates_replicas = models.BooleanField(
        "calibrate a replica after each interview",
        default=False,
        help_text="Once all results are ready, a replica answers questions held out of the "
        "interview, and its agreement is measured. This needs a model and many calls: about six "
        "per question held out, and one per expert.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    history = HistoricalRecords(m2m_fields=[scripts], excluded_fields=["places_gone", "cells_gone"])

    class Meta:
        ordering = ["title"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_default"],
                condition=models.Q(is_default=True),
                name="one_default_bot",
                violation_error_message="Another bot is the site's default.",
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def public_path(self) -> str:
        return f"/i/{self.slug}/"

    def title_in(self, language: str) -> str:
        text = self.text_in(language)
        return text.title if text and text.title else self.title

    def host_in(self, language: str) -> str:
        text = self.text_in(language)
        host = text.host if text and text.host else self.host
        return host or current_identity().organisation

    @property
    def contact_address(self) -> str:
        return self.contact or current_identity().contact

    def text_in(self, language: str) -> "BotText | None":
        """Return the text in that language, else in its main form, else in that of any country."""
        texts = {text.language: text for text in self.texts.all()}
        return texts.get(match_language(language, texts))

    @property
    def is_for_panel(self) -> bool:
        return self.recruitment in (self.Recruitment.PROLIFIC, self.Recruitment.PANEL)

    def is_open(self, at: datetime) -> bool:
        opened = self.opens_at is None or self.opens_at <= at
        closed = self.closes_at is not None and self.closes_at <= at
        return self.status == self.Status.LIVE and opened and not closed


class BotText(models.Model):
    """What a bot says about itself in one language."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="texts")
    language = models.CharField(max_length=12, default="en")
    title = models.CharField(
        max_length=200,
        blank=True,
        help_text="In this language. Leave empty to use the one under Basics.",
    )
    host = models.CharField(
        "who runs it",
        max_length=200,
        blank=True,
        help_text="In this language. Leave empty to use the one under Basics.",
    )
    summary = models.TextField(
        blank=True,
        help_text="What the interview is about, in two or three sentences on the start page. This "
        "is where people decide whether to take part.",
    )
    consent = models.TextField(
        blank=True,
        help_text="What participants agree to before the first question: what is stored, who "
        "reads it, how to stop.",
    )
    about = models.TextField(
        blank=True,
        help_text="The answer when a participant asks who runs the interview, whether this is a "
        "person, or how the data is used. Only this text is used.",
    )
    care = models.TextField(
        blank=True,
        help_text="Said word for word when somebody seems to be in distress. Say where to find "
        "help in the participants' country.",
    )
    history = HistoricalRecords()

    class Meta:
        ordering = ["language"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "language"], name="bot_text_once_a_language")
        ]

    def __str__(self) -> str:
        return f"{self.bot} ({self.language})"
