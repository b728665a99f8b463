from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def health_page(request: HttpRequest) -> HttpResponse:
    """Show what `manage.py doctor` finds, once somebody asks for it: it takes some seconds."""
    from interviewsite.operations import doctor  # loads much that no other page needs

    if not request.user.is_superuser:
        raise PermissionDenied
    findings = [*doctor.examine()] if request.method == "POST" else None
    faults = sum(finding.state == doctor.FAULT for finding in findings or ())
    context = {"title": "Health", "findings": findings, "faults": faults}
    return render(request, "admin/health.html", admin.site.each_context(request) | context)
