"""A link as a QR code."""

import segno
from django.utils.safestring import SafeString, mark_safe


def code(link: str) -> SafeString:
    """The code as SVG, for a page. Dark on white whatever the page's colours, or phones miss it."""
    made = segno.make(link, error="m", micro=False)
    return mark_safe(  # noqa: S308  # drawn from numbers; the link's text isn't in it
        made.svg_inline(scale=5, border=4, light="#fff", svgclass="study-code", omitsize=True)
    )
