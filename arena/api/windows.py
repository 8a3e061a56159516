"""How often strangers may sign up and owners may have endpoints probed; counted by each process for itself."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Self

from fastapi import Depends, Request

from arena.endpoints.rules import HOUR
from arena.limits.window import Window

if TYPE_CHECKING:
    from arena.endpoints.rules import OwnerRules


@dataclass(frozen=True, slots=True)
class Windows:
    """Sign-ups by neighbourhood, probes by owner."""

    sign_ups: Window
    probes: Window

    @classmethod
    def of(cls, rules: OwnerRules) -> Self:
        """Empty windows under these rules."""
        return cls(*(Window(count, HOUR, time.monotonic) for count in (rules.sign_ups, rules.probes)))


def _windows(request: Request) -> Windows:
    return request.app.state.windows


OnWindows = Annotated[Windows, Depends(_windows)]
