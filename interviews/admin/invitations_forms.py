from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from interviews.models import Invitation
from interviews.recruitment.invitations.people_file import Invitee, language_problem
from interviews.recruitment.panel_parameters import LONGEST_VALUE, MOST
from plans.bots.teams import visible
from plans.forms.bot import text_languages
from plans.forms.fields import TidyText
from plans.models import Bot
from plans.models.script import validate_language

MOST_NAMELESS = 5_000
REVOKED = "This invitation has been revoked in the meantime, so it can't be changed."
LANGUAGE_HELP = "Language tag of the e-mail and the interview, such as en or it."


def end_of(day: date | None, bot: Bot) -> datetime | None:
    """Raises OverflowError for a day that ends after all dates in UTC."""
    end = datetime.combine(day, time.max, ZoneInfo(bot.time_zone)) if day else None
    return end and end.astimezone(UTC)


def refuse_past(day: date | None, bots: Iterable[Bot]) -> None:
    """Raise ValidationError if the day is over in the time zone of one of the bots, or too late."""
    for bot in bots:
        today = timezone.localdate(timezone=ZoneInfo(bot.time_zone))
        if day is not None and day < today:
            raise forms.ValidationError("This day has passed.")
        try:
            end_of(day, bot)
        except OverflowError as error:
            raise forms.ValidationError("This is too late. Leave it empty for never.") from error


def checked_language(tag: str, bot: Bot | None) -> str:
    if bot and (problem := language_problem(tag, text_languages(bot))):
        raise forms.ValidationError(problem)
    return tag


class UntilForm(forms.Form):
    until = forms.DateField(
        label="Expires on",
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "date"}),
        help_text="The last day. Leave empty for never.",
    )

    def __init__(self, *args: Any, bots: Iterable[Bot] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bots = list(bots)

    def clean_until(self) -> date | None:
        day: date | None = self.cleaned_data["until"]
        refuse_past(day, self.bots)
        return day


class InviteForm(forms.Form):
    bot = forms.ModelChoiceField(
        Bot.objects.exclude(status=Bot.Status.CLOSED),
        label="Interview",
        widget=UnfoldAdminSelectWidget(),
    )
    file = forms.FileField(
        label="List of people",
        required=False,
        widget=UnfoldAdminFileFieldWidget(),
        help_text="CSV, as Excel saves it. The first line names the columns: name, email, "
        "language, reference, expires. You choose which others every export holds.",
    )
    text = forms.CharField(
        label="Or paste it",
        required=False,
        strip=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false", "dir": "auto"}),
    )
    count = forms.IntegerField(
        label="Or this many without names",
        required=False,
        min_value=1,
        max_value=MOST_NAMELESS,
        widget=UnfoldAdminIntegerFieldWidget(),
        help_text="For links or codes you hand out yourself.",
    )
    language = forms.CharField(
        required=False,
        max_length=12,
        validators=[validate_language],
        widget=UnfoldAdminTextInputWidget(),
        help_text=f"{LANGUAGE_HELP} Used for people without one in the list.",
    )
    until = UntilForm.base_fields["until"]
    remind = forms.BooleanField(
        label="Send reminders by e-mail",
        required=False,
        initial=True,
        widget=UnfoldBooleanSwitchWidget(),
        help_text="People who haven't finished are reminded three and seven days after the first "
        "e-mail, while the interview is open.",
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user, bots = user, cast(Any, self.fields["bot"])
        bots.queryset = visible(bots.queryset, user)

    def clean_language(self) -> str:
        return checked_language(self.cleaned_data["language"], self.cleaned_data.get("bot"))

    def clean_until(self) -> date | None:
        day: date | None = self.cleaned_data["until"]
        bot = self.cleaned_data.get("bot")
        refuse_past(day, [bot] if bot else [])
        return day

    def clean(self) -> dict[str, Any]:
        """Require one of the three ways; add `content` of a list, or `people`."""
        cleaned = super().clean() or {}
        upload, text, count = (cleaned.get(name) for name in ("file", "text", "count"))
        if [bool(upload), bool((text or "").strip()), bool(count)].count(True) != 1:
            raise forms.ValidationError("Choose a list, paste one, or enter how many.")
        cleaned["content"] = upload.read() if upload else (text or "").encode(errors="replace")
        cleaned["people"] = [Invitee()] * (count or 0)
        return cleaned


class OneInvitationForm(forms.ModelForm):  # type: ignore[type-arg]
    more = TidyText(
        label="Parameters",
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "spellcheck": "false", "dir": "auto"}),
        help_text="One per line, such as “wave = 2”. Stored and exported with the interview.",
    )

    class Meta:
        model = Invitation
        fields = ("bot", "name", "email", "language", "reference", "expires_at")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "more" in self.fields:
            self.fields["more"].initial = params_as_text(self.instance.params)
        if "language" in self.fields:
            self.fields["language"].validators.append(validate_language)
            self.fields["language"].help_text = LANGUAGE_HELP

    def clean_more(self) -> dict[str, str]:
        if "more" not in self.changed_data:  # a list may hold what can't be written here
            return dict(self.instance.params)
        return parse_params(str(self.cleaned_data["more"]))

    def clean_language(self) -> str:
        tag = str(self.cleaned_data["language"])
        if "language" not in self.changed_data:  # the bot may have lost it since
            return tag
        bot = self.cleaned_data.get("bot") or Bot.objects.filter(pk=self.instance.bot_id).first()
        return checked_language(tag, bot)

    def clean_reference(self) -> str:
        """Refuse a reference in use. The form of an existing invitation has no bot field."""
        reference = str(self.cleaned_data["reference"])
        bot = self.cleaned_data.get("bot") or self.instance.bot_id
        others = Invitation.objects.filter(bot=bot, reference=reference)
        if reference and others.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("Somebody else already has this reference.")
        return reference

    def clean(self) -> dict[str, Any]:
        """Raise ValidationError if the invitation was revoked since its page was opened.

        The row stays locked until the change is stored, so that nobody can withdraw in between.
        """
        cleaned = super().clean() or {}
        rows = Invitation.objects.select_for_update().filter(pk=self.instance.pk)
        adding = self.instance._state.adding
        if not adding and all(row.revoked_at is not None for row in rows):
            raise forms.ValidationError(REVOKED)
        return cleaned

    def changed_fields(self) -> list[str]:
        return ["params" if name == "more" else name for name in self.changed_data]

    def save(self, commit: bool = True) -> Any:
        self.instance.params = self.cleaned_data.get("more", self.instance.params)
        return super().save(commit)


def params_as_text(params: dict[str, str]) -> str:
    return "\n".join(f"{name} = {value}" for name, value in params.items())


def parse_params(text: str) -> dict[str, str]:
    """Parse lines such as “wave = 2”. Raise ValidationError naming the line that isn't one."""
    params: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, separator, value = (part.strip() for part in line.partition("="))
        if not line.strip():
            continue
        if not separator or not name or name in params or len(value) > LONGEST_VALUE:
            raise forms.ValidationError(f"Line {number} should look like “wave = 2”: {line[:80]}")
        params[name[:100]] = value
    if len(params) > MOST:
        raise forms.ValidationError(f"There are more than {MOST}.")
    return params
