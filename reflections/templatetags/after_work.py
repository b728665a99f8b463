"""The panel of an interview's products, and number formats."""

from decimal import Decimal
from typing import Any

from django import template
from django.template import RequestContext

from interviews.models import Session

register = template.Library()


@register.inclusion_tag("admin/reflections/panel.html", takes_context=True)
def after_work(context: RequestContext, session: Session) -> dict[str, Any]:
    from reflections.admin.panel import VIEW, panel_of  # the admin loads tags before it is there

    request = context["request"]
    return {"panel": panel_of(request, session) if request.user.has_perm(VIEW) else None}


@register.filter
def grouped(number: int) -> str:
    return f"{number:,}"


@register.filter
def money(cost: Decimal) -> str:
    return "less than 0.01" if 0 < cost < Decimal("0.01") else f"{cost:,.2f}"
