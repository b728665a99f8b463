"""Which site a request comes from: this one, another one, or none that anybody can tell."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

DEFAULT_PORTS = {"http": "80", "https": "443"}
NO_OTHER_SITE = ("same-origin", "none")  # Sec-Fetch-Site; a sibling host is "same-site"


def is_own(origin: str, host: str) -> bool:
    if not origin:
        return False
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        page = urlsplit(origin)
        page_port = str(page.port or DEFAULT_PORTS.get(page.scheme, ""))
    except ValueError:
        return False
    domain, port = split_domain_port(host)
    site = (domain.strip("[]"), port or DEFAULT_PORTS.get(page.scheme, ""))
    known = bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
    return known and (page.hostname, page_port) == site


def is_foreign(request: HttpRequest) -> bool:
    """Whether a page of another site sent it; a sibling host or another port is another site.

    Every current browser says with a POST where it comes from. A client that doesn't is a program,
    which no page could have misled.
    """
    if request.headers.get("Sec-Fetch-Site", "none") not in NO_OTHER_SITE:
        return True
    origin = request.headers.get("Origin")
    return origin is not None and not is_own(origin, request.get_host())


def is_from_own_page(request: HttpRequest) -> bool:
    """Whether it says that a page of this site sent it; a program that says nothing doesn't."""
    says = "Origin" in request.headers or request.headers.get("Sec-Fetch-Site") == "same-origin"
    return says and not is_foreign(request)
