"""Names that stand for participants: the same in every export, and no way back from them."""

from base64 import b32encode
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

SALT = "interviews.exports.pseudonyms"
LETTERS = 12  # 60 bits: two among a million participants are alike once in two million exports


def pseudonym(participant: UUID | None) -> str:
    """A participant's pseudonym, such as P-3KQ7XW5ZB2MA; empty where there is nobody.

    It follows from the participant's id and a key of the site (PSEUDONYM_KEY, else SECRET_KEY):
    with another key all pseudonyms are others.
    """
    if participant is None:
        return ""
    secret = settings.PSEUDONYM_KEY or settings.SECRET_KEY
    mac = salted_hmac(SALT, str(participant), secret=secret, algorithm="sha256")
    return f"P-{b32encode(mac.digest()).decode()[:LETTERS]}"
