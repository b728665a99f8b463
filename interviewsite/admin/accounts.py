"""Users, groups and model calls as this site shows them."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldBooleanSwitchWidget

from interviewsite.admin.roles import ROLES
from plans.models import Team, TeamAccount

admin.site.unregister(User)
admin.site.unregister(Group)


class RoleField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Any) -> str:
        role = ROLES.get(obj.name)
        return f"{obj.name}. {role.does}" if role else obj.name


class TeamsForm(forms.ModelForm):  # type: ignore[type-arg]
    groups = RoleField(
        Group.objects.order_by("pk"),
        label="Roles",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
    )
    teams = forms.ModelMultipleChoiceField(
        Team.objects.all(), required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget()
    )
    only_teams = forms.BooleanField(
        label="Sees the studies of these teams only",
        required=False,
        widget=UnfoldBooleanSwitchWidget(),
        help_text="Always so with a team. It stays on when the last one is left or deleted: the "
        "account then sees nothing. Off and without a team: it sees all studies.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and "teams" in self.fields:
            self.fields["teams"].initial = self.instance.teams.all()
            self.fields["only_teams"].initial = hasattr(self.instance, "team_account")

    def _save_m2m(self) -> None:
        super()._save_m2m()  # type: ignore[misc]
        teams = self.cleaned_data.get("teams")
        if teams is None:
            return
        self.instance.teams.set(teams)
        if teams or self.cleaned_data["only_teams"]:
            TeamAccount.objects.get_or_create(user=self.instance)
        else:
            TeamAccount.objects.filter(user=self.instance).delete()


class NewUserForm(TeamsForm, UserCreationForm):
    pass


class OneUserForm(TeamsForm, UserChangeForm):
    class Meta(UserChangeForm.Meta):
        help_texts = {
            "is_active": "Can sign in. Switch it off instead of deleting the account.",
            "is_staff": "Can enter the admin. Roles decide what they see and do there.",
            "is_superuser": "Can do everything, including accounts, groups and teams.",
        }


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    form = OneUserForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "roles", "is_active", "is_superuser", "last_login")
    filter_horizontal = ("user_permissions",)
    add_fieldsets = (
        (None, {"fields": ("username", "usable_password", "password1", "password2")}),
        ("May", {"fields": ("groups", "teams", "only_teams")}),
    )
    fieldsets = (
        (None, {"fields": ("username", "password", "first_name", "last_name", "email")}),
        (
            "May",
            {"fields": ("groups", "teams", "only_teams", "is_active", "is_staff", "is_superuser")},
        ),
        ("Single permissions", {"fields": ("user_permissions",), "classes": ("collapse",)}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("groups")

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if not change:
            obj.is_staff = True  # else a role alone lets nobody in
        super().save_model(request, obj, form, change)

    @display(description="Roles")
    def roles(self, user: User) -> str:
        return ", ".join(group.name for group in user.groups.all())


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):
    list_display = ("name", "does")

    @display(description="What it is for")
    def does(self, group: Group) -> str:
        return ROLES[group.name].does if group.name in ROLES else ""
