from typing import Any

from django import template
from django.template import RequestContext

register = template.Library()


@register.inclusion_tag("admin/interviews/looks_wanted.html", takes_context=True)
def looks_wanted(context: RequestContext) -> dict[str, Any]:
    from interviews.admin import distress_review  # tags are loaded before the admin

    return distress_review.unreviewed(context["request"])


@register.inclusion_tag("admin/interviews/overview/live.html", takes_context=True)
def running_studies(context: RequestContext) -> dict[str, Any]:
    from interviews.admin import overview

    return overview.live_bots(context["request"])
