import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from pydantic import BaseModel

from llm.languages import is_known, language_name
from plans.bots.checklist import draft_gaps
from plans.forms.bot_fields import (
    CELLS,
    NAMES,
    PARAMS,
    cell_fields,
    collect_cells,
    collect_models,
    collect_outcomes,
    collect_params,
    collect_texts,
    model_fields,
    outcome_fields,
    outcome_rows,
    text_field,
    text_fields,
    zone_field,
)
from plans.forms.fields import Tags
from plans.forms.options import GUIDE_FILE, GuideFile, collect_options, field_name, option_fields
from plans.forms.rows import SeenForm
from plans.models import Bot, BotText, DataField, Script, Topic
from plans.models.eligibility import PROLIFIC, email_lines, hours_problem, rename_cells
from plans.portability.bots import store_texts
from plans.protocols import PROTOCOLS, BotDraft, bot_languages

GUIDE = field_name("manual_guide")
MASKS = field_name("masks_contact_data")
HOURS = ("hours_from", "hours_to")
GO_LIVE = "plans_bot_go_live"  # the button beside “Save”
MOST_TYPED = 30  # scripts or languages of one form
LONGEST_KEY = 18  # digits of a database id
Tab = tuple[str, dict[str, Any]]
PLACES = {
    "Interview": "What the interviewer asks, how it speaks, and for how long.",
    "Words": "What participants read before they start, in each language.",
    "Participants": "Where people come from, who can take part, and when.",
    "Ending": "What people get at the end, and what is made of their answers.",
    "Advanced": "The home page, costs, models and data. The defaults suit most studies.",
}
NAMED_PLACE = re.compile(rf"\b[Uu]nder ({'|'.join(PLACES)})\b")


class OwnTab(NamedTuple):
    """Fields that only one kind of bot has; the note is shown above them."""

    name: str
    fields: list[str]
    note: str = ""
    place: str = "Interview"


class OneBotForm(forms.ModelForm):  # type: ignore[type-arg]
    """The base of forms for new and stored bots, with the options of the bot's kind."""

    options_type: type[BaseModel]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "recruitment" in self.fields:
            self.fields["recruitment"].required = False

    def clean_recruitment(self) -> str:
        return str(self.cleaned_data["recruitment"] or self.instance.recruitment)

    def clean_scripts(self) -> Collection[Script]:
        scripts: Collection[Script] = self.cleaned_data["scripts"]
        languages = [script.language for script in scripts]
        for language in languages:
            if languages.count(language) > 1:
                raise forms.ValidationError(
                    f"Two scripts are in {language_name(language)}. Choose one."
                )
        return scripts

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if text := cleaned.get(GUIDE_FILE):
            cleaned[GUIDE] = text
        self.instance.options = self._accept(collect_options(self.options_type, cleaned))
        return cleaned

    def _accept(self, collected: tuple[dict[str, Any], dict[str, str]]) -> dict[str, Any]:
        value, errors = collected
        for name, message in errors.items():
            self.add_error(None if name == "__all__" else name, message)
        return value


class NewBotForm(OneBotForm):
    """A new bot is a draft that the home page won't list until somebody says so."""

    protocol = forms.ChoiceField(
        choices=lambda: [(name, kind.title) for name, kind in PROTOCOLS.items()],
        widget=forms.HiddenInput(),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.instance.public = False
        if cleaned.get("recruitment") == Bot.Recruitment.PROLIFIC:
            self.instance.link_params = PROLIFIC
        self.instance.invited_only = cleaned.get("recruitment") == Bot.Recruitment.INVITATIONS
        return cleaned


class BotForm(SeenForm, OneBotForm):
    """Everything about a bot. `bot_form` adds the typed fields."""

    languages: tuple[str, ...] = ()

    def __init__(self, data: QueryDict | None = None, *args: Any, **kwargs: Any) -> None:
        if data:
            data = data.copy()
            if GO_LIVE in data:
                data["status"] = Bot.Status.LIVE
            for name in (text_field(tag, name) for tag in self.languages for name in NAMES):
                data.setdefault(name, self.base_fields[name].initial)  # added since it was opened
        super().__init__(data, *args, **kwargs)

    def records(self) -> list[QuerySet[Any]]:
        parts = (BotText, Topic, DataField)
        rows = [part.history.filter(bot_id=self.instance.pk) for part in parts]
        return [Bot.history.filter(id=self.instance.pk), *rows]

    def clean_alert_to(self) -> str:
        try:
            return "\n".join(email_lines(self.cleaned_data["alert_to"].split()))
        except ValueError as error:
            raise forms.ValidationError(f"{capfirst(str(error))}.") from error

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.texts = collect_texts(self.languages, cleaned)
        self.instance.model_overrides = self._accept(collect_models(cleaned))
        params = collect_params(cleaned, self.instance.link_params)
        self.instance.link_params = self._accept(params)
        self.cells_before = self.instance.quota_cells
        self.instance.quota_cells = self._accept(collect_cells(cleaned, self.cells_before))
        self.instance.outcomes = self._accept(collect_outcomes(cleaned))
        since, until = (cleaned.get(name) for name in HOURS)
        if not self.errors.keys() & set(HOURS) and (problem := hours_problem(since, until)):
            self.add_error(HOURS[0] if since is None else HOURS[1], problem)
        return cleaned

    def _post_clean(self) -> None:
        """Look for what a bot that goes live lacks, as it would be stored."""
        super()._post_clean()  # type: ignore[misc]  # Django's own hook, absent from the stubs
        if self.errors or self.cleaned_data.get("status") != Bot.Status.LIVE:
            return
        scripts = list(self.cleaned_data.get("scripts") or [])
        for gap in draft_gaps(BotDraft(self.instance, scripts, rows=False), self.texts):
            self.add_error(None, link_places(gap))
            self.instance.status = self.initial["status"]

    def _save_m2m(self) -> None:
        super()._save_m2m()  # type: ignore[misc]  # Django's own hook, absent from the stubs
        store_texts(self.instance, self.texts)
        rename_cells(self.instance, self.cells_before)


def link_places(hint: str) -> SafeString:
    """Return a hint with a link wherever it names a place of the bot's page."""
    return mark_safe(NAMED_PLACE.sub(_place_link, escape(hint)))  # noqa: S308  # it is escaped


def _place_link(named: re.Match[str]) -> str:
    return f'<a class="study-link" href="#{named[1].lower()}">{named[0]}</a>'


def text_languages(bot: Bot, typed: Iterable[str] = ()) -> list[str]:
    """Return the languages it can interview in, others that it has texts in, and typed ones."""
    written = (text.language for text in bot.texts.all())
    return list(dict.fromkeys([*bot_languages(bot), *written, *typed]))


def typed_languages(data: QueryDict) -> list[str]:
    """Return the languages of a submitted form, whose texts are then offered too."""
    sent = data.getlist("scripts")[:MOST_TYPED]
    chosen = [pk for pk in sent if pk.isascii() and pk.isdigit() and len(pk) < LONGEST_KEY]
    scripts = Script.objects.filter(pk__in=chosen).values_list("language", flat=True)
    tags = Tags().to_python(data.get(field_name("languages")))[:MOST_TYPED]
    return list(dict.fromkeys([*scripts, *(tag for tag in tags if is_known(tag))]))


def new_bot_form(protocol: str, options: Iterable[str]) -> type[NewBotForm]:
    """Return a form class for a new bot of that kind with some of its options."""
    options_type = PROTOCOLS[protocol].content.options
    fields = option_fields(options_type, {}, {})
    chosen = {field_name(name): fields[field_name(name)] for name in options}
    return type("NewBotForm", (NewBotForm,), {**chosen, "options_type": options_type})


def bot_form(bot: Bot, typed: Iterable[str]) -> type[BotForm]:
    """Return a form class for a stored bot with its typed fields declared.

    `typed` are further languages to offer texts in.
    """
    texts = text_languages(bot, typed)
    options_type = PROTOCOLS[bot.protocol].content.options
    options = option_fields(options_type, bot.options, _section_titles(bot))
    fields = {
        **options,
        **({GUIDE_FILE: GuideFile()} if GUIDE in options else {}),
        **model_fields(bot.model_overrides),
        **text_fields(bot, texts),
        **PARAMS.fields(bot.link_params),
        **cell_fields(bot.quota_cells),
        **outcome_fields(bot.outcomes),
        "time_zone": zone_field(bot.time_zone),
    }
    extra = {"languages": tuple(texts), "options_type": options_type}
    return type("BotForm", (BotForm,), {**fields, **extra})


def _section_titles(bot: Bot) -> dict[str, str]:
    scripts = bot.scripts.order_by("language", "sections__position")
    titles: dict[str, str] = {}
    for key, title in scripts.values_list("sections__key", "sections__title"):
        if key:
            titles.setdefault(key, title)
    return titles


def bot_tabs(bot: Bot, own: Iterable[OwnTab], typed: Iterable[str]) -> list[Tab]:
    """Return the form's groups of fields, each with its place on the page."""
    return [
        *(_group(tab.place, tab.name, tab.fields, tab.note) for tab in own),
        _group("Interview", "Voice and care", ["dictation", "read_aloud", "alert_to"]),
        _group("Words", "Basics", ["title", "host", "contact", "demo"]),
        *(
            _group("Words", f"Texts in {language_name(tag)}", [text_field(tag, n) for n in NAMES])
            for tag in text_languages(bot, typed)
        ),
        _group("Participants", "Where they come from", ["slug", "recruitment"]),
        _group("Participants", "Who can take part", WHO),
        _group("Participants", "Opening times", TIMES, TIMES_NOTE),
        _group("Participants", "Quota cells", ["cells_only", *_cell_rows(bot)], CELLS_NOTE),
        _group("Participants", "Link parameters", _link_rows(bot), LINKS_NOTE),
        _group("Ending", "Rating", ["asks_rating"]),
        _group("Ending", "People who don’t take part", outcome_rows(), ENDING_NOTE),
        _group("Ending", "Results", ["expert_reflections"]),
        _group("Advanced", "The home page", ["kind", "public", "is_default"]),
        _group("Advanced", "Costs", ["session_budget", "day_budget"]),
        _group("Advanced", "Models", list(model_fields({}))),
        _group("Advanced", "Data", ["keeps_paradata", MASKS, *KEPT, "calibrates_replicas"]),
    ]


def _cell_rows(bot: Bot) -> list[str | tuple[str, ...]]:
    rows = CELLS.names(bot.quota_cells)
    return [part for row in rows for part in ((row["name"], row["wanted"]), row["when"])]


def _link_rows(bot: Bot) -> list[str | tuple[str, ...]]:
    rows = (tuple(row.values()) for row in PARAMS.names(bot.link_params))
    return [pair for row in rows for pair in (row[:2], row[2:])]


LINKS_NOTE = (
    "Everything that comes with a link is stored with the interview. <b>PROLIFIC_PID</b>, "
    "<b>STUDY_ID</b> and <b>SESSION_ID</b> are recognised automatically. Name other parameters "
    "here if a panel spells them differently from link to link, or to require them. One interview "
    "per <b>PROLIFIC_PID</b>, unless you list it here and switch that off. Save to get another "
    "empty row."
)
CELLS_NOTE = (
    "Quotas for kinds of people. Somebody whose cell is full can’t start, and gets the code for a "
    "full quota. Save to get another empty row."
)
TIMES_NOTE = (
    "When it opens and closes is in UTC; the hours of the day are in the time zone that you choose."
)
ENDING_NOTE = (
    "People who don’t take part can get a code of their own, or a way back to their panel."
)
WHO = ["quota", "invited_only", "invitation_reuse", "shows_consent"]
KEPT = ("keep_days", "keep_contact_days", "keep_calls_days")
TIMES: list[str | tuple[str, ...]] = ["status", "opens_at", "closes_at", HOURS, "time_zone"]


def _group(place: str, name: str, fields: Sequence[str | tuple[str, ...]], note: str = "") -> Tab:
    return name, {"classes": [place], "fields": fields, "description": note}
