"""The admin's look: name, colours, navigation."""

from typing import Any

from django.templatetags.static import static

PETROL = {
    "50": "oklch(97.6% .013 205)",
    "100": "oklch(94.6% .026 205)",
    "200": "oklch(89.2% .046 206)",
    "300": "oklch(81.5% .071 207)",
    "400": "oklch(71.4% .088 208)",
    "500": "oklch(60.2% .089 210)",
    "600": "oklch(49.6% .078 212)",
    "700": "oklch(42.6% .066 213)",
    "800": "oklch(36.6% .054 214)",
    "900": "oklch(31.4% .044 215)",
    "950": "oklch(23.2% .035 217)",
}
WARM_GREY = {
    "50": "oklch(98.4% .003 85)",
    "100": "oklch(96.4% .005 85)",
    "200": "oklch(92.2% .007 82)",
    "300": "oklch(86.6% .009 80)",
    "400": "oklch(70.2% .012 76)",
    "500": "oklch(53.6% .013 70)",
    "600": "oklch(43.8% .012 68)",
    "700": "oklch(36.6% .011 66)",
    "800": "oklch(26.8% .009 64)",
    "900": "oklch(21.2% .008 62)",
    "950": "oklch(14.6% .006 60)",
}
UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "interviewsite.theme.identity.title",
    "SITE_HEADER": "interviewsite.theme.identity.title",
    "SITE_SUBHEADER": "Interviews led by an AI",
    "SITE_SYMBOL": "forum",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("site/icon.svg")}
    ],
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "BORDER_RADIUS": "8px",
    "DASHBOARD_CALLBACK": "interviewsite.theme.navigation.dashboard",
    "COLORS": {"base": WARM_GREY, "primary": PETROL},
    "SCRIPTS": [lambda request: static("site/admin.js")],
    "STYLES": [lambda request: static("plans/admin.css")],
    "SIDEBAR": {
        "show_search": True,
        "show_all_applications": False,
        "navigation": "interviewsite.theme.navigation.groups",
    },
}
