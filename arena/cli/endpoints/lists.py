"""Tables of `arena endpoints`: endpoints, changes of their states, and pending approvals."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoint_states, envelope_encryption, track_records
from arena.adapters.store import endpoints as stored
from arena.adapters.store.endpoint_states import Opened
from arena.cli.context import now
from arena.cli.terminal.tables import cells, owner_text
from arena.domain.errors import ModelNotFound
from arena.domain.terms import EndpointState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.keyring import Keyring
    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.cli.terminal.tables import Cells


_OUT: Final = frozenset({EndpointState.PAUSED, EndpointState.SUSPENDED})


@dataclass(frozen=True, slots=True)
class ListedEndpoint:
    """An endpoint as the operator sees it.

    `calls` are its newest ones and `errors` the share of them that failed; `open_breakers` are processes whose circuit
    breaker is open, the first of them since `open_since`; `reason` is that of a suspension or pause, `key_env`
    the variable of its key. `lacks_key` says that it is not set where this command runs, or that a stored key cannot be
    opened here; `remarks` say so too, and what its newest probe found.
    """

    name: str
    version: int
    owner: str
    dialect: str
    address: str | None
    languages: list[str]
    state: EndpointState
    board: str
    calls: int
    errors: float | None
    open_breakers: int
    open_since: datetime | None
    demo: bool
    reason: str | None
    key_env: str | None
    lacks_key: bool
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class StateChange:
    """A change of an endpoint's state."""

    when: datetime
    before: EndpointState | None
    after: EndpointState
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change that waits for the operator's approval, or a warning about it."""

    name: str
    owner: str
    what: str
    now: str
    becomes: str = ""


def endpoints(session: Session, keyring: Keyring) -> list[ListedEndpoint]:
    """All endpoints, with the results of their newest calls in battles."""
    breakers = endpoint_states.open_breakers(session, now(), chats=False)
    lost = envelope_encryption.lost(session, keyring)
    return [_endpoint(session, row, breakers.get(row.id, Opened()), lost) for row in stored.list_all(session)]


def _endpoint(session: Session, row: EndpointRow, breakers: Opened, lost: frozenset[int]) -> ListedEndpoint:
    answers = track_records.call_results(session, [row.id], track_records.CALLS)[row.id]
    errors = sum(answer.error is not None for answer in answers)
    move = endpoint_states.last_move(session, row.id)
    return ListedEndpoint(
        name=row.name,
        version=row.version,
        owner=row.owner.name,
        dialect=row.dialect,
        address=row.url,
        languages=row.languages,
        state=stored.shown_state(session, row, lost - {row.id}),
        board="listed" if row.listed else "unlisted",
        calls=len(answers),
        errors=errors / len(answers) if answers else None,
        open_breakers=breakers.processes,
        open_since=breakers.since,
        demo=row.demo,
        reason=move.reason if move and row.state in _OUT else None,
        key_env=row.key_env,
        lacks_key=bool(missing_key(row, lost)),
        remarks=[*missing_key(row, lost), *_remarks(session, row)],
    )


def _remarks(session: Session, row: EndpointRow) -> list[str]:
    """Problems that the newest probe found though it was passed; `pending` shows those of an endpoint that waits."""
    from arena.usecases.endpoints import views

    problems = views.remarks(endpoint_states.newest_probe(session, row.id))
    is_shown = row.state not in {EndpointState.PENDING, EndpointState.RETIRED}
    return [f"{row.name}: {problem['title']}" for problem in problems if is_shown]


def endpoint_cells(endpoint: ListedEndpoint) -> Cells:
    """The line of an endpoint in the table."""
    since = endpoint.open_since
    return {
        "name": endpoint.name,
        "version": endpoint.version,
        "owner": owner_text(endpoint.owner),
        "dialect": endpoint.dialect,
        "address": endpoint.address,
        "languages": endpoint.languages or "any",
        "state": f"{endpoint.state}, no key here" if endpoint.lacks_key else endpoint.state,
        "board": endpoint.board,
        "calls": endpoint.calls,
        "errors": None if endpoint.errors is None else f"{endpoint.errors:.1%}",
        "breaker": f"open in {endpoint.open_breakers} since {since:%H:%M:%S}" if since else None,
        "demo": endpoint.demo,
    }


def state_lines(session: Session, name: str, keyring: Keyring, *, is_new: bool) -> list[str]:
    """The public state of an endpoint, or that it is not a new one, and what else keeps it out of battles."""
    (row,) = filter(None, [stored.by_name(session, name)])
    lost = envelope_encryption.lost(session, keyring)
    state = stored.shown_state(session, row, lost - {row.id})
    standby = ["ARENA_DEMO keeps it out of battles while two other models are active."] if state != row.state else []
    return [f"{name} is {state}{'' if is_new else ' already'}.", *standby, *missing_key(row, lost)]


def missing_key(row: EndpointRow, lost: frozenset[int]) -> list[str]:
    """A sentence on the key of an active endpoint: its variable is not set here, or it is `lost`, stored and sealed."""
    if row.state is not EndpointState.ACTIVE:
        return []
    is_unset = row.key_env is not None and not os.environ.get(row.key_env)
    reasons = [f"{row.key_env} is not set here"] if is_unset else []
    reasons += ["its stored key cannot be opened here, see `arena secrets status`"] if row.id in lost else []
    return [f"{row.name} is in no battle unless `arena serve` has its key: {reason}." for reason in reasons]


def waiting_version(session: Session, number: int) -> str | None:
    """The name of a newer version of an endpoint that waits for an approval; None if none does."""
    newer = stored.newer_version(session, stored.by_id(session, [number])[number])
    return newer.name if newer and newer.state is EndpointState.PENDING else None


def pending(session: Session) -> list[PendingChange]:
    """Endpoints and changes that wait for the operator, each with its warnings."""
    return [
        change
        for row in stored.list_all(session)
        if row.pending or row.state is EndpointState.PENDING
        for change in _pending_of(session, row)
    ]


def pending_cells(change: PendingChange) -> Cells:
    """The line of a change in the table."""
    return {**cells(change), "owner": owner_text(change.owner)}


def _pending_of(session: Session, row: EndpointRow) -> list[PendingChange]:
    from arena.usecases.endpoints import views

    view, joins = views.view(session, row), row.state is EndpointState.PENDING
    steps = [("state", row.state.value, "active")] if joins else []
    steps += [(field, str(getattr(view, field)), str(value)) for field, value in view.pending.items()]
    probes = views.probe_results(session, row.id)[:1] if joins else []
    remarks = [problem["title"] for probe in probes for problem in probe.report["problems"]]
    steps += [("warning", warning, "") for warning in [*warnings(session, row.id), *remarks]]
    return [PendingChange(row.name, row.owner.name, *step) for step in steps]


def approved(session: Session, number: int) -> list[str]:
    """The state of an endpoint after its approval, and the warnings about it."""
    row = stored.by_id(session, [number])[number]
    state = "paused, as its earlier version was" if row.state is EndpointState.PAUSED else "active"
    return [f"{row.name} is {state}.", *warnings(session, number)]


def warnings(session: Session, number: int) -> list[str]:
    """Warnings about fields of an endpoint that use a well-known name."""
    from arena.usecases.endpoints import definition

    row = stored.by_id(session, [number])[number]
    return [
        f"{warning.field}: {warning.text!r} is a name used by {warning.vendor}" for warning in definition.warnings(row)
    ]


def changes(session: Session, name: str) -> list[StateChange]:
    """All changes of an endpoint's state.

    Raises:
        ModelNotFound: No endpoint has this name.
    """
    row = stored.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    return [
        StateChange(change.created_at, change.before, change.after, change.actor, change.reason)
        for change in endpoint_states.state_changes(session, row.id)
    ]
