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
from llm.languages import language_name
from plans.models import Bot

LADDERED = Q(sessions__nodes__isnull=False)


class LaddersForm(forms.Form):
    bot = forms.ModelChoiceField(
        Bot.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget()
    )
    language = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget())
    cut = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=999,
        label="Cut-off",
        help_text="The map shows lines found in at least this many interviews.",
        widget=UnfoldAdminIntegerFieldWidget(),
    )
    synthetic = forms.BooleanField(
        required=False, label="Include synthetic interviews", widget=UnfoldBooleanSwitchWidget()
    )
    previews = forms.BooleanField(
        required=False, label="Include previews", widget=UnfoldBooleanSwitchWidget()
    )

    def __init__(self, given: QueryDict) -> None:
        """Read a page's address. Without a bot it is the one whose interview is the latest.

        The choices are bots with ladders, and the one that is asked for.
        """
        query = given.copy()
        if not query.get("bot"):
            latest = Bot.objects.filter(LADDERED).order_by("-sessions__started_at").first()
            query["bot"] = str(latest.pk) if latest else ""
        super().__init__(query)
        value = str(query["bot"])
        key = int(value) if value.isdecimal() else 0
        bots = Bot.objects.filter(LADDERED | Q(pk=key)).distinct()
        cast(Any, self.fields["bot"]).queryset = bots
        bot = bots.filter(pk=key).first()
        tags = languages_of(bot) if bot else []
        languages = [(tag, language_name(tag)) for tag in tags]
        cast(forms.ChoiceField, self.fields["language"]).choices = [("", "All"), *languages]
        if len(tags) < 2:
            del self.fields["language"]

    @property
    def chosen(self) -> Selection:
        data = self.cleaned_data
        return Selection(
            bot=data["bot"].pk,
            statuses=ENDED,
            language=data.get("language", ""),
            synthetic=data["synthetic"],
            previews=data["previews"],
        )
