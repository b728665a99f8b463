from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

DEFAULT_PORTS = {"http": "80", "https": "443"}


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


def is_own_page(request: HttpRequest) -> bool:
    """Whether a form was sent by a page of this site.

    Every current browser names the origin; a client that names none is no browser that another
    site's page could have misled.
    """
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or is_own(origin, request.get_host())
