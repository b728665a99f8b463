"""That interviews need a look, on pages that know nothing of them."""

from typing import Any

from django import template
from django.template import RequestContext

register = template.Library()


@register.inclusion_tag("admin/interviews/looks_wanted.html", takes_context=True)
def looks_wanted(context: RequestContext) -> dict[str, Any]:
    """How many there are, with the way to them; nothing for who may not see interviews."""
    from interviews.admin import distress_review  # the admin loads tags before it is there

    return {
        "wanted": distress_review.unreviewed_count(context["request"]),
        "url": distress_review.unreviewed_url(),
    }
