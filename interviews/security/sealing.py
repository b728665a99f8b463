"""Confidential words, encrypted at rest with keys that can be changed.

    SealingError      anything below
      NoDataKey       there is no usable key: nothing is sealed, nothing is read
      SealBroken      this is not something that any of the keys has sealed

Keys come from DATA_KEYS, the newest first: that one seals, all of them read. `manage.py reseal`
brings everything to the newest.
"""

from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class SealingError(Exception):
    """Something could not be sealed or read."""


class NoDataKey(SealingError):
    """There is no usable key."""


class SealBroken(SealingError):
    """No key reads this; it was changed, or its key is gone."""


def new_key() -> str:
    return Fernet.generate_key().decode()


def seal(text: str) -> str:
    """The text as a token that tells nothing but its length. Raises NoDataKey."""
    return keyring().encrypt(text.encode()).decode()


def unseal(token: str) -> str:
    """The text of a token. Raises SealBroken, NoDataKey."""
    try:
        return keyring().decrypt(token.encode()).decode()
    except InvalidToken:
        raise SealBroken("none of the data keys opens this") from None


def resealed(token: str) -> str:
    """The same text under the newest key; the very token if it is that already.

    Raises SealBroken, NoDataKey.
    """
    try:
        newest().decrypt(token.encode())
    except InvalidToken:
        return seal(unseal(token))
    return token


def newest() -> Fernet:
    """The key that seals. Raises NoDataKey."""
    return _fernets(_keys())[0]


def keyring() -> MultiFernet:
    """All keys, the newest first. Raises NoDataKey."""
    return MultiFernet(_fernets(_keys()))


def _keys() -> tuple[str, ...]:
    keys = tuple(settings.DATA_KEYS)
    if not keys:
        raise NoDataKey("DATA_KEYS is not set, so nothing confidential can be stored or read")
    return keys


@lru_cache(maxsize=4)
def _fernets(keys: tuple[str, ...]) -> tuple[Fernet, ...]:
    try:
        return tuple(Fernet(key) for key in keys)
    except ValueError:
        raise NoDataKey("a key in DATA_KEYS is none: 32 bytes in base64 are needed") from None
