"""A link as a QR code."""

from io import BytesIO
from typing import Any

import segno
from django.utils.safestring import SafeString, mark_safe

DRAWN: dict[str, Any] = {"scale": 5, "border": 4, "light": "#fff"}


def code(link: str) -> SafeString:
    """The code as SVG, for a page. Dark on white whatever the page's colours, or phones miss it."""
    return mark_safe(  # noqa: S308  # drawn from numbers; the link's text isn't in it
        _made(link).svg_inline(**DRAWN, svgclass="study-code", omitsize=True)
    )


def picture(link: str) -> bytes:
    file = BytesIO()
    _made(link).save(file, kind="svg", **DRAWN)
    return file.getvalue()


def _made(link: str) -> segno.QRCode:
    return segno.make(link, error="m", micro=False)
