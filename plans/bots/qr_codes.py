from io import BytesIO
from typing import Any

import segno
from django.utils.safestring import SafeString, mark_safe

OPTIONS: dict[str, Any] = {"scale": 5, "border": 4, "light": "#fff"}


def qr_svg(link: str) -> SafeString:
    """Return the code as inline SVG: dark on white in any theme, or phones can't read it."""
    return mark_safe(  # noqa: S308  # drawn from numbers; the link's text isn't in it
        _qr_code(link).svg_inline(**OPTIONS, svgclass="study-code", omitsize=True)
    )


def qr_file(link: str) -> bytes:
    file = BytesIO()
    _qr_code(link).save(file, kind="svg", **OPTIONS)
    return file.getvalue()


def _qr_code(link: str) -> segno.QRCode:
    return segno.make(link, error="m", micro=False)
