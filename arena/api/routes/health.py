"""Liveness, readiness, and the contact for security problems."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from arena.adapters.store import leases
from arena.api.contract import refusals
from arena.api.dependencies import RuntimeDep
from arena.domain.errors import NotFound, StoreUnavailable
from arena.usecases.people import oversight

if TYPE_CHECKING:
    from arena.domain.schemas.status import LoopView
    from arena.usecases.battles.runtime import Runtime

FRESH: Final = 1.0
"""Seconds for which the result of a write is reused."""
PATIENCE: Final = 2.0
"""Seconds after which a pending write counts as failed."""
_LEASE: Final = "readiness"
SECURITY_TXT: Final = "/.well-known/security.txt"
CONTACT_LIFE: Final = timedelta(days=180)
"""How long a contact is valid from the day on which it is read; RFC 9116 recommends less than a year."""

router = APIRouter(tags=["health"])


class Readiness:
    """Whether the database accepts writes, tested at most once per second."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._test: asyncio.Task[None] | None = None
        self._ended = 0.0

    async def check(self) -> None:
        """Test a write, or reuse a recent result.

        Raises:
            StoreUnavailable: It failed or took too long.
        """
        test = self._test
        if test is None or (test.done() and time.monotonic() - self._ended > FRESH):
            test = self._test = asyncio.create_task(self._write())
        await asyncio.shield(test)

    async def _write(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._runtime.database.write(leases.take, _LEASE, _LEASE, self._runtime.now(), 0)
        except TimeoutError:
            raise StoreUnavailable(retry_after=5) from None
        finally:
            self._ended = time.monotonic()


@router.get("/healthz", response_class=PlainTextResponse)
async def get_health() -> str:
    """Report that the process is alive."""
    return "ok"


@router.get("/readyz", response_class=PlainTextResponse)
async def get_readiness(request: Request, runtime: RuntimeDep, verbose: str | None = None) -> str:
    """Report that the database accepts writes and new battles may start.

    With `verbose`, also the seconds since each loop of background work last succeeded.
    """
    runtime.check_open()
    await request.app.state.readiness.check()
    if verbose is None:
        return "ok"
    return "\n".join(["ok", *map(_age, await oversight.loops(runtime.database, runtime.now()))])


def _age(view: LoopView) -> str:
    age = "never" if view.age is None else f"{view.age:.0f} s ago"
    return f"{view.name}: {age}{', late' if view.late else ''}"


@router.get(SECURITY_TXT, response_class=PlainTextResponse, responses=refusals(NotFound))
async def get_security_contact(request: Request, runtime: RuntimeDep) -> str:
    """Return `security.txt` (RFC 9116): the contact, and the day on which it expires.

    Raises:
        NotFound: The operator has named neither a contact nor the arena's public address.
    """
    contact, address = request.app.state.security
    if not contact:
        raise NotFound
    expires = (runtime.now() + CONTACT_LIFE).strftime("%Y-%m-%dT00:00:00Z")
    lines = [f"Contact: {contact}", f"Expires: {expires}", "Preferred-Languages: en, zh"]
    if address:
        lines.append(f"Canonical: {address}{SECURITY_TXT}")
    return "".join(f"{line}\n" for line in lines)
