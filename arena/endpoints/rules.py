"""What the operator has decided about owners and their endpoints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from arena.providers.egress import PUBLIC_ONLY

if TYPE_CHECKING:
    from arena.endpoints.builtin import Demo
    from arena.providers.egress import Policy

Approval = Literal["operator", "auto"]
HOUR: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class OwnerRules:
    """Built by a door from its settings.

    Attributes:
        invitation: The code that signing up takes; empty if it takes none.
        approval: Who makes an endpoint active that has passed its probe.
        operator_key: What the operator's own calls carry; empty if there are no such calls.
        policy: What is open besides public HTTPS.
        demo: When the built-in models retire.
        sign_ups: New owners per hour from one neighbourhood of addresses.
        probes: Probes per hour and owner, those of new endpoints among them.
    """

    invitation: str = ""
    approval: Approval = "operator"
    operator_key: str = ""
    policy: Policy = PUBLIC_ONLY
    demo: Demo = "auto"
    sign_ups: int = 10
    probes: int = 10
