import re
from typing import Any, cast
from uuid import UUID

from django import forms
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from interviews.choices import SessionStatus
from interviews.exports.columns import AnyTable
from interviews.exports.formats import FORMATS
from interviews.exports.refi_qda.project import PROJECT_FORMATS
from interviews.exports.registry import EVERYTHING, allowed_tables
from interviews.exports.selection import Selection, days
from interviews.models import Session
from llm.languages import language_name
from plans.bots.teams import visible
from plans.models import Bot

EVERYTHING_CHOICE = (
    EVERYTHING,
    "All tables that need no further permission, codebook, plans (ZIP)",
)
MAX_IDS = 5000
DAY = UnfoldAdminTextInputWidget(attrs={"type": "date"})


class SessionIds(forms.CharField):
    def clean(self, value: Any) -> tuple[UUID, ...]:
        """Return the ids, whatever separates them. Raise ValidationError if invalid or too many."""
        ids = re.split(r"[\s,;]+", super().clean(value).strip())
        try:
            keys = tuple(UUID(key) for key in ids if key)
        except ValueError as error:
            raise forms.ValidationError("This isn't the ID of an interview.") from error
        if len(keys) > MAX_IDS:
            raise forms.ValidationError(
                f"You can't name more than {MAX_IDS:,} interviews. Choose them by bot, dates "
                "and status instead."
            )
        return keys


class ExportForm(forms.Form):
    bot = forms.ModelChoiceField(
        Bot.objects.all(),
        required=False,
        empty_label="All bots",
        to_field_name="slug",
        widget=UnfoldAdminSelectWidget(),
    )
    table = forms.ChoiceField(widget=UnfoldAdminSelectWidget())
    format = forms.ChoiceField(
        choices=[(name, form.title) for name, form in (FORMATS | PROJECT_FORMATS).items()],
        widget=UnfoldAdminSelectWidget(),
        help_text="CSV for R, pandas and SPSS; XLSX for Excel; JSON lines for programs; REFI-QDA "
        "for NVivo, ATLAS.ti and MAXQDA: the interviews with their codes, whatever the table.",
    )
    bom = forms.BooleanField(
        required=False,
        label="CSV for Excel",
        help_text="Starts the file with a byte order mark. Without it, Excel guesses the encoding.",
        widget=UnfoldBooleanSwitchWidget(),
    )
    since = forms.DateField(required=False, label="Started from", widget=DAY, help_text="UTC.")
    until = forms.DateField(
        required=False, label="Started until", widget=DAY, help_text="UTC, inclusive."
    )
    status = forms.MultipleChoiceField(
        required=False,
        choices=SessionStatus.choices,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text="Choose none for all.",
    )
    language = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget())
    synthetic = forms.BooleanField(
        required=False,
        label="Include synthetic interviews",
        help_text="Interviews answered by a program. A column marks them.",
        widget=UnfoldBooleanSwitchWidget(),
    )
    previews = forms.BooleanField(
        required=False,
        label="Include previews",
        help_text="Interviews held to try a bot.",
        widget=UnfoldBooleanSwitchWidget(),
    )
    sessions = SessionIds(required=False, widget=forms.HiddenInput())

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        cast(Any, self.fields["bot"]).queryset = visible(Bot.objects.all(), user)
        choices = [(table.name, _title(table)) for table in allowed_tables(user.has_perm).values()]
        self._set_choices("table", [*choices, EVERYTHING_CHOICE])
        sessions = visible(Session.objects.order_by("language"), user)
        tags = sessions.values_list("language", flat=True).distinct()
        self._set_choices("language", [("", "All"), *((tag, language_name(tag)) for tag in tags)])

    def _set_choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("format") in PROJECT_FORMATS:  # they hold interviews, whatever the table
            data["table"] = EVERYTHING
        return data

    def selection(self) -> Selection:
        data = self.cleaned_data
        since, before = days(data["since"], data["until"])
        return Selection(
            bot=data["bot"].pk if data["bot"] else None,
            sessions=data["sessions"],
            since=since,
            before=before,
            statuses=tuple(data["status"]),
            language=data["language"],
            synthetic=data["synthetic"],
            previews=data["previews"],
            user=self.user,
        )


def _title(table: AnyTable) -> str:
    title = table.name.replace("_", " ").capitalize()
    return f"{title}: {table.meaning.split('.')[0].split(',')[0].lower()}"
