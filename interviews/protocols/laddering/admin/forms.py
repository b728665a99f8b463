"""The form by which a person says whose ladders are taken together."""

from typing import Any, cast

from django import forms
from django.db.models import Q
from django.http import QueryDict
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldBooleanSwitchWidget,
)

from interviews.exports.selection import Selection
from interviews.protocols.laddering.admin.pooled import ENDED, languages_of
from plans.models import Bot
from plans.text.languages import language_name

LADDERED = Q(sessions__nodes__isnull=False)


class LaddersForm(forms.Form):
    """Whose interviews, which of them, and from how many on a line is drawn."""

    bot = forms.ModelChoiceField(
        Bot.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget()
    )
    language = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget())
    cut = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=999,
        label="Cut-off",
        help_text="The map shows what at least so many interviews hold.",
        widget=UnfoldAdminIntegerFieldWidget(),
    )
    synthetic = forms.BooleanField(
        required=False, label="Synthetic interviews too", widget=UnfoldBooleanSwitchWidget()
    )
    previews = forms.BooleanField(
        required=False, label="Previews too", widget=UnfoldBooleanSwitchWidget()
    )

    def __init__(self, given: QueryDict) -> None:
        """What a page's address says; without a bot the one whose interview is the latest.

        Bots to choose from are those with ladders, and the one that is asked for.
        """
        asked = given.copy()
        if not asked.get("bot"):
            latest = Bot.objects.filter(LADDERED).order_by("-sessions__started_at").first()
            asked["bot"] = str(latest.pk) if latest else ""
        super().__init__(asked)
        named = str(asked["bot"])
        key = int(named) if named.isdecimal() else 0
        bots = Bot.objects.filter(LADDERED | Q(pk=key)).distinct()
        cast(Any, self.fields["bot"]).queryset = bots
        bot = bots.filter(pk=key).first()
        tags = languages_of(bot) if bot else []
        spoken = [(tag, language_name(tag)) for tag in tags]
        cast(forms.ChoiceField, self.fields["language"]).choices = [("", "All"), *spoken]
        if len(tags) < 2:
            del self.fields["language"]

    @property
    def chosen(self) -> Selection:
        """The interviews, once the form is valid: those that have ended."""
        told = self.cleaned_data
        return Selection(
            bot=told["bot"].pk,
            statuses=ENDED,
            language=told.get("language", ""),
            synthetic=told["synthetic"],
            previews=told["previews"],
        )
