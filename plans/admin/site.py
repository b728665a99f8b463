"""The site's identity: one row, so that its list leads straight to its form."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldBooleanSwitchWidget

from plans.admin.base import StudyAdmin
from plans.models import SiteIdentity

MOST_LOGO = 100 * 1024  # bytes
LOGO_TYPES = {  # by what such a file begins with
    b"\x89PNG\r\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
    b"<svg": "image/svg+xml",
    b"<?xml": "image/svg+xml",
}


class SiteIdentityForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    new_logo = forms.FileField(
        label="Logo",
        required=False,
        widget=UnfoldAdminFileFieldWidget,
        help_text="A PNG, JPEG, WebP or SVG file of at most 100 KB, shown 28 pixels high.",
    )
    no_logo = forms.BooleanField(
        label="Remove the logo", required=False, widget=UnfoldBooleanSwitchWidget
    )

    def clean_new_logo(self) -> Any:
        file = self.cleaned_data["new_logo"]
        if file is None:
            return None
        if (file.size or 0) > MOST_LOGO:
            raise forms.ValidationError("The file is larger than 100 KB. Choose a smaller one.")
        content = file.read()
        kinds = [kind for start, kind in LOGO_TYPES.items() if content.lstrip().startswith(start)]
        if not kinds:
            raise forms.ValidationError("This is no PNG, JPEG, WebP or SVG file. Choose another.")
        self.instance.logo, self.instance.logo_type = content, kinds[0]
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("no_logo") and not cleaned.get("new_logo"):
            self.instance.logo, self.instance.logo_type = b"", ""
        return cleaned


@admin.register(SiteIdentity)
class SiteIdentityAdmin(StudyAdmin):
    form = SiteIdentityForm

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: SiteIdentity | None = None) -> list[str]:
        logo = ["new_logo", "no_logo"] if obj and obj.logo else ["new_logo"]
        return ["name", "organisation", "contact", "privacy_url", "accent", *logo]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        row = SiteIdentity.objects.first() or SiteIdentity.objects.create()
        return redirect(self.change_url(row))

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        return redirect(self.change_url(obj))
