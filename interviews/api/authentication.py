"""What a caller of the API may act by: a bearer token from anywhere, a cookie from our own pages.

The reasons are in docs/decisions/0016.
"""

from collections.abc import Mapping

from django.http import HttpRequest
from django.utils.translation import gettext as _

from interviews.security.origin import is_foreign, is_from_own_page
from interviews.validation import RequestRefused

READS = ("GET", "HEAD")


def check_sender(request: HttpRequest) -> bool:
    """Refuse what a page of another site can make a browser send. The API calls it first.

    Raises RequestRefused: foreign_origin, not_json.
    """
    if request.method in READS or bearer_token(request):
        return True
    if is_foreign(request):
        message = _("This request came from another website. Send it with the session’s token.")
        raise RequestRefused("foreign_origin", message)
    if request.body and request.content_type != "application/json":
        message = _("The body must be JSON, with the content type application/json.")
        raise RequestRefused("not_json", message)
    return True


def bearer_token(request: HttpRequest) -> str:
    """Return the token of the Authorization header, or ""."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def cookies(request: HttpRequest) -> Mapping[str, str]:
    """Return the cookies that count: none beside a token, and for changes only our own pages'."""
    if bearer_token(request):
        return {}
    return request.COOKIES if request.method in READS or is_from_own_page(request) else {}
