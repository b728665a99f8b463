from datetime import datetime

from django.core.validators import MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords

from plans.models.ladder import LadderConcept, LadderMethodology
from plans.models.script import Script


class Bot(models.Model):
    """A configured interviewer: protocol, persona, languages, times, models and texts."""

    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        LIVE = "live", "Live"
        CLOSED = "closed", "Closed"

    class Reuse(models.TextChoices):
        RESUME = "resume", "It goes on with the interview that was begun"
        REFUSE = "refuse", "It is refused"

    class Experts(models.TextChoices):
        AS_USUAL = "", "As usual for this kind of interview"
        YES = "yes", "Yes"
        NO = "no", "No"

    slug = models.SlugField(
        "address",
        unique=True,
        help_text="The last part of the public link, /i/address/. Links already sent out stop "
        "working when it changes.",
    )
    title = models.CharField(max_length=200, help_text="What participants see at the top.")
    protocol = models.CharField(
        "kind of interview",
        max_length=40,
        default="life_story",
        help_text="How the interview is led. It decides which material and options there are.",
    )
    status = models.CharField(
        max_length=10,
        choices=Status,
        default=Status.DRAFT,
        help_text="Draft: nobody can begin. Live: participants can begin. Closed: nobody can "
        "begin any more, and interviews under way are finished as usual.",
    )
    public = models.BooleanField(
        "listed on the first page",
        default=True,
        help_text="Off: only people who have the link find it.",
    )
    is_default = models.BooleanField(
        "the site's default",
        default=False,
        help_text="Used by programs that start an interview without naming a bot. Only one can be.",
    )
    host = models.CharField(
        "who is behind it",
        max_length=200,
        blank=True,
        help_text="The person or institution that participants give their words to. People "
        "speak more freely when they know.",
    )
    persona = models.TextField(
        blank=True,
        help_text="Who the interviewer is and how it speaks: warmth, pace, formality, what it "
        "never does. The model reads this before every sentence.",
    )
    minutes = models.PositiveIntegerField(
        default=20,
        validators=[MinValueValidator(1)],
        help_text="How long one interview takes. Participants are told before they begin, so "
        "be generous.",
    )
    opens_at = models.DateTimeField(
        "opens", null=True, blank=True, help_text="Nobody can begin before. Empty: at once."
    )
    closes_at = models.DateTimeField(
        "closes",
        null=True,
        blank=True,
        help_text="Nobody can begin afterwards; interviews under way go on. Empty: never.",
    )
    hours_from = models.TimeField(
        "open from",
        null=True,
        blank=True,
        help_text="On each day, nobody can begin before. Empty: at any hour.",
    )
    hours_to = models.TimeField(
        "open until",
        null=True,
        blank=True,
        help_text="On each day, nobody can begin from then on. May be past midnight.",
    )
    time_zone = models.CharField(
        max_length=60, default="UTC", help_text="Of these hours, as Europe/Rome."
    )
    quota = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="How many interviews are wanted. When so many are finished or under way, "
        "nobody can begin any more. Empty: as many as come.",
    )
    invited_only = models.BooleanField(
        "only by invitation",
        default=False,
        help_text="On: who has no personal invitation can't begin.",
    )
    invitation_reuse = models.CharField(
        "an invitation opened in a second browser",
        max_length=10,
        choices=Reuse,
        default=Reuse.RESUME,
        help_text="People change from phone to computer. Refuse only where a link must not be "
        "shared.",
    )
    link_params = models.JSONField(default=list, blank=True)  # [{name, aliases: [], required}]
    outcomes = models.JSONField(default=dict, blank=True)  # declined, full, closed -> {code, url}
    alert_to = models.TextField(
        "alerts go to",
        blank=True,
        help_text="E-mail addresses, one a line. They are written to when somebody seems to be "
        "in distress.",
    )
    session_budget = models.DecimalField(
        "budget of an interview",
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="US dollars for models. When it is spent, the interview goes on without one. "
        "Empty: no limit of its own.",
    )
    day_budget = models.DecimalField(
        "budget of a day",
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="US dollars for models, of all its interviews within 24 hours. Empty: no limit "
        "of its own.",
    )
    keeps_paradata = models.BooleanField(
        "how an answer was written is kept",
        default=True,
        help_text="Times, number of edits, pasting, leaving the page; never the keys. "
        "Participants are told before they begin.",
    )
    asks_rating = models.BooleanField(
        "asks how it was",
        default=True,
        help_text="Two short questions about the interview itself, after its end.",
    )
    dictation = models.BooleanField(
        "answers may be dictated",
        default=True,
        help_text="A button beside the text box. What was heard can be corrected before sending.",
    )
    read_aloud = models.BooleanField(
        "may be read aloud",
        default=True,
        help_text="A button by which participants have the interviewer's words read to them.",
    )
    scripts = models.ManyToManyField(
        Script,
        blank=True,
        related_name="bots",
        help_text="One for each language that participants may choose.",
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
        help_text="How it explores it: the ladder, and the ways of asking.",
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
        "quotes they rest on. It takes a model, and a call for every expert. As usual: life "
        "stories are read, other kinds are not.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    history = HistoricalRecords(m2m_fields=[scripts])

    class Meta:
        ordering = ["title"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_default"],
                condition=models.Q(is_default=True),
                name="one_default_bot",
                violation_error_message="Another bot is the site's default; switch it off there "
                "first.",
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
        return text.host if text and text.host else self.host

    def text_in(self, language: str) -> "BotText | None":
        texts = {text.language: text for text in self.texts.all()}
        return texts.get(language) or texts.get(language.split("-")[0])

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
        help_text="In this language. Empty: the title under Basics.",
    )
    host = models.CharField(
        "who is behind it",
        max_length=200,
        blank=True,
        help_text="In this language. Empty: as under Basics.",
    )
    summary = models.TextField(
        blank=True,
        help_text="What this is about, in two or three sentences on the start page. It decides "
        "whether somebody begins.",
    )
    consent = models.TextField(
        blank=True,
        help_text="What the participant agrees to before the first question: what is kept, who "
        "reads it, how to stop.",
    )
    about = models.TextField(
        blank=True,
        help_text="The answer when a participant asks who is behind it, whether this is a "
        "person, and how the data is used. Only this text is used for it.",
    )
    care = models.TextField(
        blank=True,
        help_text="Said, word for word, when somebody seems to be in distress. Say where help "
        "can be found in the participants' country.",
    )
    history = HistoricalRecords()

    class Meta:
        ordering = ["language"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "language"], name="bot_text_once_a_language")
        ]

    def __str__(self) -> str:
        return f"{self.bot} ({self.language})"
