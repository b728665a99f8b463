from base64 import b32encode
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

SALT = "interviews.exports.pseudonyms"
LETTERS = 12  # 60 bits: two of a million participants collide once in two million exports


def pseudonym(participant: UUID | None) -> str:
    """Return a participant's pseudonym, such as P-3KQ7XW5ZB2MA; empty for None.

    It is an HMAC of the participant's id with PSEUDONYM_KEY, else SECRET_KEY: the same in every
    export, impossible to reverse, and different under another key.
    """
    if participant is None:
        return ""
    secret = settings.PSEUDONYM_KEY or settings.SECRET_KEY
    mac = salted_hmac(SALT, str(participant), secret=secret, algorithm="sha256")
    return f"P-{b32encode(mac.digest()).decode()[:LETTERS]}"
