"""Compressed pages, and static files whose names change with their content."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage


class CompressedPages(GZipMiddleware):
    """Compress whole pages, never streams, whose words must leave one by one."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        return response if response.streaming else super().process_response(request, response)


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Names with a hash, which browsers cache for good; plain ones before `collectstatic`."""

    support_js_module_import_aggregation = True
    # Our own modules only: a library's comments may name files that it doesn't bring along.
    _js_module_import_aggregation_patterns = (
        "site/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )

    def stored_name(self, name: str) -> str:
        return str(self.hashed_files.get(name, name))
