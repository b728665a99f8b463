"""Who runs the site, as its pages say it, and the colour and logo they say it in."""

import hashlib
import re
from functools import cached_property
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models, transaction

LIGHT, DARK = ("#ffffff", "#efeae2"), ("#22211e", "#2c2a26")  # grounds: static/site/tokens.css
LEAST_CONTRAST, LEAST_IN_THE_DARK = 4.5, 7.0  # WCAG 2.2, 1.4.3 and 1.4.6
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
LUMINANCE = (0.2126, 0.7152, 0.0722)  # of red, green and blue
SHADES = 100  # steps from a colour to black or white


def check_accent(colour: str) -> None:
    """Raise ValidationError unless links and buttons of that colour can be read on our pages."""
    if not COLOUR.fullmatch(colour):
        raise ValidationError("Write the colour as # and six digits or letters, such as #0e4f55.")
    if contrast(colour, LIGHT) < LEAST_CONTRAST:
        darker = readable_shade(colour, "#000000", LIGHT, LEAST_CONTRAST)
        raise ValidationError(
            f"This colour is too light to read: its contrast is {contrast(colour, LIGHT):.1f}, and "
            f"{LEAST_CONTRAST} is needed. {darker}, a darker shade, is fine."
        )


def contrast(colour: str, grounds: tuple[str, ...]) -> float:
    """Return the lowest contrast ratio to one of the grounds, 1 to 21, as WCAG 2.2 defines it."""
    pairs = [sorted((_luminance(colour), _luminance(ground))) for ground in grounds]
    return min((light + 0.05) / (dark + 0.05) for dark, light in pairs)


def readable_shade(colour: str, towards: str, grounds: tuple[str, ...], least: float) -> str:
    """Return the colour itself, or its nearest shade towards another one with that contrast."""
    shades = (mix(colour, towards, step / SHADES) for step in range(SHADES + 1))
    return next(shade for shade in shades if contrast(shade, grounds) >= least)


def mix(colour: str, other: str, share: float) -> str:
    """Return the colour with that share (0 to 1) of another one in it."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()


def _luminance(colour: str) -> float:
    parts = (part / 255 for part in bytes.fromhex(colour[1:]))
    linear = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return sum(weight * part for weight, part in zip(LUMINANCE, linear, strict=True))


class SiteIdentity(models.Model):
    """One row. Pages show the one in memory, which each process reads again every few seconds."""

    name = models.CharField(
        "site name",
        max_length=80,
        default="Interviewsite",
        help_text="Shown at the top of participants' pages and of this admin.",
    )
    organisation = models.CharField(
        max_length=200,
        blank=True,
        help_text="The person or organisation responsible for the interviews. Bots that don't "
        "name their own use this one.",
    )
    contact = models.EmailField(
        blank=True,
        help_text="Where participants can ask questions. Bots that don't name their own use this "
        "one.",
    )
    privacy_url = models.CharField(
        "privacy notice",
        max_length=500,
        blank=True,
        validators=[URLValidator(["https", "http"])],
        help_text="The address of your privacy notice, linked from participants' pages.",
    )
    accent = models.CharField(
        "accent colour",
        max_length=7,
        blank=True,
        validators=[check_accent],
        help_text="The colour of links and buttons on participants' pages, such as #0e4f55. It "
        "must be dark enough to read; on dark screens a lighter shade is used.",
    )
    logo = models.BinaryField(blank=True, default=b"")
    logo_type = models.CharField(max_length=20, blank=True, editable=False)

    class Meta:
        verbose_name = "site"
        verbose_name_plural = "site"

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        super().save(*args, **kwargs)
        transaction.on_commit(load_identity)

    @cached_property
    def logo_digest(self) -> str:
        return hashlib.sha256(self.logo).hexdigest()[:12] if self.logo else ""

    @cached_property
    def stylesheet(self) -> str:
        """The custom properties of static/site/tokens.css that the accent changes."""
        dark = readable_shade(self.accent, "#ffffff", DARK, LEAST_IN_THE_DARK)
        in_light = _properties(self.accent, mix(self.accent, "#000000", 0.25))
        in_dark = _properties(dark, mix(dark, "#ffffff", 0.4)) + "--on-accent:#1a1917"
        dark_media = "@media screen and (prefers-color-scheme:dark)"
        return f":root{{{in_light}}}{dark_media}{{:root{{{in_dark}}}}}"


def _properties(accent: str, strong: str) -> str:
    return f"--accent:{accent};--focus:{accent};--accent-strong:{strong};"


_current = SiteIdentity()


def current_identity() -> SiteIdentity:
    """Return the identity in memory. It asks no database, so that any page can show it."""
    return _current


def load_identity() -> None:
    global _current
    _current = SiteIdentity.objects.first() or SiteIdentity()
