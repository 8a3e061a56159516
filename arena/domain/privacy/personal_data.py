"""Detection of personal data by rules. Names are detected only beside a cue such as "my name is"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.privacy import births, closings, contacts, credentials, names, network_addresses, places, wallets
from arena.domain.privacy.announced_numbers import announced_number
from arena.domain.privacy.identity_numbers import ACCOUNTS, CARDS, DEVICES, NATIONAL, PLATE, holds
from arena.domain.privacy.kinds import Kind
from arena.domain.privacy.normalisation import normalised
from arena.domain.privacy.phones import holds_phone

if TYPE_CHECKING:
    import re
    from collections.abc import Callable


def _matches(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


_CASED: Final[tuple[tuple[Kind, Callable[[str], bool]], ...]] = (
    (Kind.EMAIL, _matches(contacts.EMAIL)),
    (Kind.CREDENTIALS, _matches(credentials.URL_WITH_CREDENTIALS)),
    (Kind.PRIVATE_KEY, _matches(credentials.PRIVATE_KEY)),
    (Kind.KEY, credentials.holds_key),
    (Kind.WALLET, wallets.holds_wallet),
    (Kind.PLATE, _matches(PLATE)),
    (Kind.ADDRESS, _matches(places.ADDRESS)),
    (Kind.NAME, _matches(names.NAME)),
    (Kind.NAME, _matches(names.CHINESE_NAME)),
)
"""Detectors of normalised texts with their capitals."""
_LOWER: Final[tuple[tuple[Kind, Callable[[str], bool]], ...]] = (
    (Kind.EMAIL, _matches(contacts.SPELT_EMAIL)),
    (Kind.MESSENGER, _matches(contacts.MESSENGER)),
    (Kind.HANDLE, _matches(contacts.HANDLE)),
    (Kind.PROFILE, _matches(contacts.PROFILE)),
    (Kind.SESSION, credentials.holds_session),
    (Kind.COORDINATES, places.holds_coordinates),
    (Kind.NETWORK_ADDRESS, network_addresses.holds_ip),
    (Kind.NETWORK_ADDRESS, network_addresses.holds_mac),
    (Kind.BIRTH, births.holds_birth),
    (Kind.PHONE, holds_phone),
)
"""Detectors of normalised texts in lower case."""
_NUMBERS: Final = (
    (Kind.NATIONAL_NUMBER, NATIONAL),
    (Kind.ACCOUNT, ACCOUNTS),
    (Kind.CARD, CARDS),
    (Kind.DEVICE, DEVICES),
)
"""Numbers recognised by form and check digits."""


def find_kind(text: str) -> Kind | None:
    """A kind of personal data in a text, the first by the order of the detectors; None if there is none."""
    plain = normalised(text)
    lower = plain.lower()
    return (
        next((kind for kind, checks in _NUMBERS if holds(checks, plain)), None)
        or announced_number(lower)
        or next((kind for kind, detect in _LOWER if detect(lower)), None)
        or next((kind for kind, detect in _CASED if detect(plain)), None)
        or (Kind.SIGNATURE if closings.holds_signature(plain, lower) else None)
    )
