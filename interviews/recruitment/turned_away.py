import hashlib
import logging

from django.core.cache import cache

from interviews.models import TurnedAway
from interviews.recruitment.start_page import StartPage

TURNED_AWAY = ("early", "closed", "closed_now", "full", "screened")  # states of a start page
ONE_PERSON = 3600  # seconds for which somebody who comes again isn't counted again
log = logging.getLogger(__name__)


def note_turned_away(offer: StartPage, address: str) -> None:
    """Count somebody who can't start, once an hour by link parameters, or else by IP address.

    Only a hash of these is remembered. Without the cache nobody is counted, and nobody is kept
    from the page.
    """
    who = repr(sorted(offer.params.items())) if offer.params else address
    digest = hashlib.sha256(f"{offer.bot.slug} {offer.state} {who}".encode()).hexdigest()
    try:
        new = cache.add(f"turned-away:{digest}", 1, ONE_PERSON)
    except Exception:  # whatever the cache's backend raises
        log.exception("Nobody knows who was turned away before")
        return
    if new:
        TurnedAway.add(offer.bot, offer.state)
