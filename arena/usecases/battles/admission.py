"""Admission of a prompt: its text, the limits of its voter, and the terms of use."""

from __future__ import annotations

from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from arena.adapters.store import voters
from arena.domain.errors import PromptEmpty, PromptTooLong, TermsNotAccepted
from arena.domain.terms import PROMPT_LIMIT
from arena.domain.text import has_visible_text, well_formed
from arena.usecases.battles import attachments
from arena.usecases.battles.plan import Prompt

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.domain.terms import Voter
    from arena.usecases.battles.runtime import Runtime


def clean(prompt: str, images: Sequence[str] = ()) -> Prompt:
    """The prompt as it is stored and sent: trimmed, well-formed, without NUL, and not of invisible characters alone.

    Raises:
        PromptEmpty, PromptTooLong, TooManyImages: It does not fit.
    """
    attachments.check_number(images)
    text = well_formed(prompt).strip()
    if not has_visible_text(text):
        raise PromptEmpty
    if len(text) > PROMPT_LIMIT:
        raise PromptTooLong(limit=PROMPT_LIMIT)
    return Prompt(text, images)


@asynccontextmanager
async def admission(runtime: Runtime, voter: Voter, *, begins: bool = False) -> AsyncGenerator[ExitStack]:
    """Admit a prompt; yields the stack of all capacity that is held for it, which is released unless it is moved on.

    `begins` says that the prompt opens a conversation.

    Raises:
        RateLimited, Busy, ShuttingDown: Not now.
    """
    runtime.check_open()
    lease = await runtime.limits.admit(voter, begins=begins)
    with ExitStack() as capacity:
        capacity.callback(lease.release)
        yield capacity


async def check_terms(runtime: Runtime, voter: Voter, terms: int | None) -> None:
    """Check that the voter accepts the current version of the terms with `terms`, or has accepted it earlier.

    Raises:
        TermsNotAccepted: Neither.
    """
    if not runtime.terms or terms == runtime.terms:
        return
    if await runtime.database.read(voters.accepted, voter.key) < runtime.terms:
        raise TermsNotAccepted(runtime.terms)


def record_terms(session: Session, runtime: Runtime, voter: Voter, terms: int | None, now: datetime) -> None:
    """Record that the voter accepts the current version with the conversation that is being stored, as of its time.

    Only voters of stored conversations are recorded, which bounds the table.
    """
    if terms == runtime.terms != 0 and voters.accepted(session, voter.key) < runtime.terms:
        voters.accept(session, voter.key, runtime.terms, now)
