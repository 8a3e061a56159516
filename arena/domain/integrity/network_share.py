"""The share cap: while the gate has no reference to judge votes by, no neighbourhood's votes decide a board."""

from __future__ import annotations

from enum import StrEnum


class Preliminary(StrEnum):
    """Reason why a board is preliminary: the gate has no reference yet (`gate.awake`)."""

    YOUNG = "young"  # votes come from several neighbourhoods, so the share cap applies
    ONE_NETWORK = "one_network"  # all votes come from one neighbourhood, as on loopback
    CLOSED = "closed"  # the operator calls the arena closed: a class, a company


def preliminary(*, awake: bool, networks: int, closed: bool = False) -> list[Preliminary]:
    """Return why boards are preliminary; `networks` is the largest number of neighbourhoods in a week."""
    if awake:
        return []
    if closed:
        return [Preliminary.CLOSED]
    return [Preliminary.YOUNG if networks > 1 else Preliminary.ONE_NETWORK]
