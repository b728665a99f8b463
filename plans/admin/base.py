from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from unfold.admin import ModelAdmin, TabularInline
from unfold.contrib.filters.admin import RelatedDropdownFilter
from unfold.decorators import display
from unfold.templatetags.unfold import tabs_errors_count
from unfold.widgets import (
    UnfoldAdminExpandableTextareaWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from plans.bots.teams import visible
from plans.forms.fields import PLAIN_LATIN, TidyText
from plans.models import Bot

Row = TypeVar("Row", bound=models.Model)
NEW_TAB = {"target": "_blank"}  # attributes of an action
OVERVIEW = ("interviews.view_overviewday", "interviews.view_session")  # either shows figures
TIDY: dict[Any, dict[str, Any]] = {
    models.TextField: {"form_class": TidyText, "widget": UnfoldAdminTextareaWidget},
    models.SlugField: {"widget": UnfoldAdminTextInputWidget, "error_messages": PLAIN_LATIN},
}
TIDY_GROWING = {
    models.TextField: {"form_class": TidyText, "widget": UnfoldAdminExpandableTextareaWidget}
}


class TeamRows:
    """Shows and offers only what the user's teams may see; for admins and inlines."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return visible(super().get_queryset(request), request.user)  # type: ignore[misc]

    def get_field_queryset(self, db: Any, db_field: Any, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_field_queryset(db, db_field, request)  # type: ignore[misc]
        if rows is None:
            rows = db_field.remote_field.model._default_manager.all()
        return visible(rows, request.user)


class TeamDropdownFilter(RelatedDropdownFilter):
    """A filter that offers only what the user's teams may see."""

    def field_choices(
        self, field: Any, request: HttpRequest, model_admin: Any
    ) -> list[tuple[Any, str]]:
        rows = visible(field.related_model._default_manager.all(), request.user)
        return [(row.pk, str(row)) for row in rows]


class StudyAdmin(TeamRows, ModelAdmin):
    """Base of the admin: forms warn about unsaved work, empty lists say how to begin."""

    formfield_overrides = TIDY
    warn_unsaved_form = True
    list_per_page = 50
    how_to_begin = ""  # shown where the list is empty
    places: Mapping[str, str] = {}  # the form's tabs: name -> help; fieldsets have it as a class

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Leave out the button that removes all choices, for it is no item of their list."""
        field = super().formfield_for_manytomany(db_field, request, **kwargs)
        if field:
            field.widget.is_required = True
        return field

    def get_ordering(self, request: HttpRequest) -> Sequence[Any]:
        """The model's own order: Django drops it from a query that counts related rows."""
        ordering: Sequence[Any] = self.ordering or self.opts.ordering
        return ordering

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accept the row that Unfold passes when it asks for an action."""
        return bool(super().has_add_permission(request))

    def page(
        self, request: HttpRequest, template: str, row: models.Model | None, **context: Any
    ) -> HttpResponse:
        """Render a page of the admin about a row, of any model, or about the whole list."""
        opts = row._meta if row else self.opts
        base = {"opts": opts, "original": row, "row": row, "media": self.media}
        return render(request, template, base | self.admin_site.each_context(request) | context)

    def row(self, request: HttpRequest, object_id: str) -> Any:
        """Return the row. Raises Http404, or PermissionDenied without the right to view it."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        return row

    def change_form_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return what the form's templates need besides; `row` is None for a new one."""
        return {}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if context.get("errors") and (row := context.get("original")):
            # a refused form has written into its row what isn't stored
            context["original"] = self.get_object(request, str(row.pk))
        context |= self.change_form_context(request, context.get("original"))
        places = context["form_places"] = self._places(context)
        wrong = (place["name"].lower() for place in places if place["errors"])
        context["wrong_place"] = next(wrong, "")  # opens first
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def _places(self, context: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the form's tabs with what they hold and the number of errors in each."""
        places = []
        for name, help in self.places.items():
            groups = [one for one in context["adminform"] if name in one.classes.split()]
            inlines = context["inline_admin_formsets"]
            inlines = [one for one in inlines if getattr(one.opts, "place", "") == name]
            errors = sum(map(tabs_errors_count, groups))
            errors += sum(one.formset.total_error_count() for one in inlines if context["errors"])
            named = str(context["adminform"].form.non_field_errors())
            errors += named.count(f'href="#{name.lower()}"')
            places.append(
                {"name": name, "help": help, "groups": groups, "inlines": inlines, "errors": errors}
            )
        return [place for place in places if place["groups"]]

    def change_url(self, row: models.Model) -> str:
        return reverse(f"admin:{self.opts.app_label}_{row._meta.model_name}_change", args=[row.pk])


class ReadOnlyAdmin(StudyAdmin):
    """Rows that the site makes: nobody adds, changes or deletes them by hand."""

    warn_unsaved_form = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PartAdmin(StudyAdmin):
    """The page of a row of a script or bot, reached from there and leading back."""

    whole = ""  # the field that names the script or bot

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def change_form_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return the rows before and after it, to go there."""
        if row is None:
            return {}
        rows = [*self.model._default_manager.filter(**{self.whole: getattr(row, self.whole)}), None]
        index = rows.index(row)
        return {"before": rows[index - 1], "after": rows[index + 1]}

    def whole_url(self, row: Any) -> str:
        return self.change_url(getattr(row, self.whole))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect(f"admin:plans_{self.whole}_changelist")

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        return redirect(self.whole_url(obj))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        request.whole_url = self.whole_url(obj)  # type: ignore[attr-defined]
        super().delete_model(request, obj)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        self.message_user(request, f"The {self.opts.verbose_name} “{obj_display}” was deleted.")
        return redirect(request.whole_url)  # type: ignore[attr-defined]

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        whole = getattr(self.row(request, object_id), self.whole)
        return redirect(f"admin:plans_{self.whole}_history", whole.pk)


class RowsInline(TeamRows, TabularInline):
    """Rows that people drag into order."""

    ordering_field = "position"
    hide_ordering_field = True
    hide_title = True
    extra = 0


def require(request: HttpRequest, *rights: str) -> None:
    """Raise PermissionDenied unless the user has all of these rights."""
    if not request.user.has_perms(rights):
        raise PermissionDenied


def by_key(rows: QuerySet[Row], key: Any) -> QuerySet[Row]:
    """Return the row with that key, or none, as for what can't be a key."""
    try:
        return rows.filter(pk=key)
    except (ValueError, ValidationError):
        return rows.none()


def parts_link(row: models.Model, count: int, what: str) -> SafeString | str:
    """Return a link to the row's page, where its parts are written, by their number."""
    if row.pk is None:
        return "Save first, then write them"
    url = reverse(f"admin:plans_{row._meta.model_name}_change", args=[row.pk])
    label = f"{count} {what}{pluralize(count)}"
    return format_html('<a class="study-link" href="{}">{} →</a>', url, label)


def bots_linked(bots: Iterable[Bot]) -> SafeString | None:
    """Return links to the bots' pages, or None without bots."""
    links = ((reverse("admin:plans_bot_change", args=[bot.pk]), bot) for bot in bots)
    return format_html_join(", ", '<a class="study-link" href="{}">{}</a>', links) or None


def moment(at: datetime) -> str:
    """Return a time in the site's time zone, in one format for all languages."""
    return f"{localtime(at):%Y-%m-%d %H:%M}"


def time_column(description: str, field: str, empty: str = "") -> Any:
    """Return a column with a time of the row, or with `empty` where there is none."""

    @display(description=description, ordering=field, empty_value=empty)
    def column(self: Any, row: models.Model) -> str | None:
        at = attrgetter(field.replace(LOOKUP_SEP, "."))(row)
        return moment(at) if at else None

    return column


def bot_column(path: str, ordered: bool = True) -> Any:
    """Return a column with the bot that the row belongs to."""

    @display(description="Bot", ordering=path if ordered else None, empty_value="deleted")
    def column(self: Any, row: models.Model) -> str | None:
        bot = attrgetter(path.replace(LOOKUP_SEP, "."))(row)
        return str(bot) if bot else None

    return column
