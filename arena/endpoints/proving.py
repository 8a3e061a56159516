"""Whether a host is its owner's: a key that is needed there proves it, or a text that only they can put there.

At a vendor the key alone does: everybody knows that it refuses wrong ones.
"""

from __future__ import annotations

import secrets
import string
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arena.endpoints import faults
from arena.endpoints.asking import ask
from arena.providers import presets
from arena.providers.egress import origin
from arena.providers.errors import ProviderError
from arena.terms import Message, Role

if TYPE_CHECKING:
    from arena.calls import Caller
    from arena.providers.base import Target
    from arena.providers.http import Client

CHALLENGE_PATH: Final = "/.well-known/arena-challenge"
_ALPHABET: Final = string.ascii_letters + string.digits


def challenge_url(url: str) -> str:
    """Where the owner of the host behind this address puts the challenge's text."""
    return origin(url) + CHALLENGE_PATH


async def proven(caller: Caller, client: Client, target: Target, challenge: str | None, question: str) -> bool:
    """Whether whoever registered `target`, which has just answered, has shown that its host is theirs."""
    if target.key and presets.for_url(target.url, target.dialect) is not None:
        return True
    if target.key and await _refuses(caller, replace(target, key=_wrong(target.key)), question):
        return True
    return challenge is not None and await _shows(client, target, challenge)


async def _refuses(caller: Caller, target: Target, question: str) -> bool:
    tried = await ask(caller, "en", target, (Message(Role.USER, question),))
    return tried.fault == faults.KEY_WRONG


async def _shows(client: Client, target: Target, challenge: str) -> bool:
    try:
        text = await client.get(challenge_url(target.url), private=target.private)
    except ProviderError:
        return False
    return secrets.compare_digest(text.strip(), challenge.encode())


def _wrong(key: str) -> str:
    """A key of the same form that is not this one."""
    while True:
        other = "".join(secrets.choice(_ALPHABET) if letter.isalnum() else letter for letter in key)
        if other != key:
            return other
