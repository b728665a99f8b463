"""The site's name, logo and colour: for every page, and as files that browsers keep."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from plans.models.site import SiteIdentity, current_identity

for_good = cache_control(public=True, max_age=31_536_000, immutable=True)  # names hold a digest


def identity(request: HttpRequest) -> dict[str, Any]:
    """Context of templates."""
    return {"identity": current_identity()}


def title(request: HttpRequest) -> str:
    return current_identity().name


@require_safe
@for_good
def logo(request: HttpRequest, digest: str) -> HttpResponse:
    shown = _shown(bool(digest) and digest == current_identity().logo_digest)
    response = HttpResponse(bytes(shown.logo), content_type=shown.logo_type)
    # An SVG that is opened by itself is a page, and may not run anything.
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response


@require_safe
@for_good
def accent(request: HttpRequest, colour: str) -> HttpResponse:
    shown = _shown(f"#{colour}" == current_identity().accent)
    return HttpResponse(shown.stylesheet, content_type="text/css")


def _shown(known: bool) -> SiteIdentity:
    if not known:
        raise Http404
    return current_identity()
