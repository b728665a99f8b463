"""Encrypt confidential words at rest, with keys that can be rotated.

    SealingError      anything below
      NoDataKey       there is no usable key
      SealBroken      none of the keys has sealed this

Keys come from DATA_KEYS, the newest first: that one seals, all of them read. `manage.py reseal`
brings everything under the newest.
"""

from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class SealingError(Exception):
    pass


class NoDataKey(SealingError):
    pass


class SealBroken(SealingError):
    """The token was changed, or its key is gone."""


def new_key() -> str:
    return Fernet.generate_key().decode()


def seal(text: str) -> str:
    return keyring().encrypt(text.encode()).decode()


def unseal(token: str) -> str:
    """Decrypt a token. Raises SealBroken, NoDataKey."""
    try:
        return keyring().decrypt(token.encode()).decode()
    except InvalidToken:
        raise SealBroken("none of the data keys opens this") from None


def rotate(token: str) -> str:
    """Return the token under the newest key; unchanged if it is already.

    Raises SealBroken, NoDataKey.
    """
    try:
        newest_key().decrypt(token.encode())
    except InvalidToken:
        return seal(unseal(token))
    return token


def newest_key() -> Fernet:
    return _fernets(_keys())[0]


def keyring() -> MultiFernet:
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
