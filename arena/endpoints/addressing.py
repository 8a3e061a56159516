"""Where an endpoint is and how it is spoken to, from what its owner or the operator names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.errors import Invalid
from arena.providers import presets, registry

if TYPE_CHECKING:
    from arena.providers.egress import Policy
    from arena.providers.presets import Preset

USUAL: Final = "openai_chat"


@dataclass(frozen=True, slots=True)
class Address:
    """What makes an endpoint another model when it changes."""

    preset: str | None
    dialect: str
    url: str
    wire_model: str

    @property
    def row(self) -> Preset | None:
        """The row of the preset."""
        return presets.named(self.preset) if self.preset else None


def address(preset: str | None, dialect: str | None, url: str | None, wire_model: str) -> Address:
    """Fill in what the preset knows; what is said besides wins over it.

    Raises:
        Invalid: Preset or dialect are unknown, or there is no address.
    """
    row = presets.named(preset) if preset else None
    if url is None and row is None:
        raise Invalid("url: give an address, or a vendor by its preset")
    dialect = dialect or (row.dialect if row else USUAL)
    if dialect not in (known := registry.dialects()):
        raise Invalid(f"dialect: one of {', '.join(known)}")
    return Address(preset, dialect, url or (row.base_url if row else ""), wire_model)


def check_public(url: str, policy: Policy) -> None:
    """Refuse an owner's address whose text alone shows that it will never be called.

    Raises:
        Invalid: It is not public and the operator has not opened it.
    """
    if objection := policy.objection(url):
        raise Invalid(f"url: {objection}; only the operator of this arena can open other addresses")


def open_presets(policy: Policy) -> list[Preset]:
    """The rows that an owner may name: every vendor, and the local servers that the operator has opened."""
    return [row for row in presets.PRESETS if not row.local or policy.objection(row.base_url) is None]
