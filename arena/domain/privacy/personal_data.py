"""Detectors of personal data. Names cannot be found without a model that knows them; a cue such as "my name is" can."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Final

from arena.domain.privacy import credentials, cues
from arena.domain.privacy.identity_numbers import ACCOUNTS, CARDS, DEVICES, NATIONAL, holds
from arena.domain.privacy.normalisation import normalised
from arena.domain.privacy.phones import holds_phone

if TYPE_CHECKING:
    import re
    from collections.abc import Callable


class Kind(StrEnum):
    """The kinds of personal data that are found."""

    EMAIL = "email"
    PHONE = "phone"
    NATIONAL_NUMBER = "national_number"
    CARD = "card"
    ACCOUNT = "account"
    DEVICE = "device"
    CREDENTIALS = "url_with_credentials"
    KEY = "key"
    PRIVATE_KEY = "private_key"
    NETWORK_ADDRESS = "network_address"
    ADDRESS = "address"
    NAME = "name"
    PAPER = "paper"
    PLATE = "plate"


def _matches(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


_DETECTORS: Final[tuple[tuple[Kind, Callable[[str], bool]], ...]] = (
    (Kind.EMAIL, partial(_matches, credentials.EMAIL)),
    (Kind.CREDENTIALS, partial(_matches, credentials.URL_WITH_CREDENTIALS)),
    (Kind.PRIVATE_KEY, partial(_matches, credentials.PRIVATE_KEY)),
    (Kind.KEY, credentials.holds_key),
    (Kind.NATIONAL_NUMBER, partial(holds, NATIONAL)),
    (Kind.ACCOUNT, partial(holds, ACCOUNTS)),
    (Kind.CARD, partial(holds, CARDS)),
    (Kind.DEVICE, partial(holds, DEVICES)),
    (Kind.PHONE, holds_phone),
    (Kind.NETWORK_ADDRESS, credentials.holds_address),
    (Kind.PAPER, partial(_matches, cues.PAPER)),
    (Kind.PLATE, partial(_matches, cues.PLATE)),
    (Kind.ADDRESS, partial(_matches, cues.ADDRESS)),
    (Kind.NAME, partial(_matches, cues.NAME)),
)


def found(text: str) -> Kind | None:
    """The first kind of personal data in a text, however its digits are written; None if there is none."""
    plain = normalised(text)
    return next((kind for kind, holds_it in _DETECTORS if holds_it(plain)), None)
