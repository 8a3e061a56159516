"""The rows of an arena with a past: endpoints, battles, votes, changes, snapshots and evaluations, inserted in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert

from arena.adapters.store.tables.conversations import BattleRow, ReplyRow, TurnRow, VoteRow
from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow, OwnerRow, WebhookRow
from arena.adapters.store.tables.integrity import GateRunRow, OriginRow
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.terms import BattleState, BotVerdict, Client, EndpointState, Outcome, Side, TurnState
from arena.domain.weeks import week_of
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.base import BaseRow

END: Final = datetime(2026, 6, 1, tzinfo=UTC)
"""The time up to which the arena was busy."""
MOMENT_OF_SNAPSHOT: Final = timedelta(seconds=10)
STORED: Final = 360
"""Number of newest snapshots that still have their tables."""
OUTCOMES: Final = tuple(Outcome)
PIECE: Final = 10_000
Rows = Iterator[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Size:
    """How much an arena has: endpoints, owners with a webhook, battles with a vote, days of snapshots, changes."""

    endpoints: int = 1_000
    owners: int = 500
    battles: int = 300_000
    days: float = 90
    changes: int = 100_000

    def scaled(self, scale: float) -> Size:
        """The same arena at a share of its size."""
        counts = {
            name: max(2, int(getattr(self, name) * scale)) for name in ("endpoints", "owners", "battles", "changes")
        }
        return replace(self, **counts, days=self.days * scale)


def fill(session: Session, size: Size) -> None:
    """Insert all rows; the newest battle ended at `END`."""
    for kind, rows in (
        (OwnerRow, _owners(size)),
        (EndpointRow, _endpoints(size)),
        (ChangeRow, _changes(size)),
        (WebhookRow, _webhooks(size)),
        (BattleRow, _battles(size)),
        (TurnRow, _turns(size)),
        (ReplyRow, _replies(size)),
        (VoteRow, _votes(size)),
        (OriginRow, _origins(size)),
        (GateRunRow, _gate_runs(size)),
        (LeafRow, _leaves(size)),
        (SnapshotRow, _snapshots(size)),
    ):
        _insert(session, kind, rows)


def _insert(session: Session, kind: type[BaseRow], rows: Rows) -> None:
    while piece := list(islice(rows, PIECE)):
        session.execute(insert(kind), piece)


def _owners(size: Size) -> Rows:
    for number in range(1, size.owners + 1):
        yield {"id": number, "name": f"owner {number}", "created_at": END - timedelta(days=200)}


def _endpoints(size: Size) -> Rows:
    facts = {"dialect": "openai_chat", "url": "https://models.example/v1", "state": EndpointState.ACTIVE}
    lists: dict[str, list[str]] = {"aliases": [], "languages": [], "former_aliases": []}
    for number in range(1, size.endpoints + 1):
        name = f"model-{number}"
        owner = number % size.owners + 1
        yield {"id": number, "name": name, "owner_id": owner, "wire_model": name, "created_at": END, **facts, **lists}


def _changes(size: Size) -> Rows:
    facts = {"before": None, "after": EndpointState.ACTIVE, "actor": "operator", "reason": "by the operator"}
    for number in range(1, size.changes + 1):
        # Most are of one endpoint, as those of an owner who pauses and resumes by a script.
        endpoint = number if number <= size.endpoints else 1
        yield {"number": number, "endpoint_id": endpoint, "created_at": END - timedelta(days=100), **facts}


def _webhooks(size: Size) -> Rows:
    for owner in range(1, size.owners + 1):
        last = size.changes if owner == 1 % size.owners + 1 else min(size.endpoints, size.changes)
        facts = {"url": "https://hooks.example/arena", "failures": 0, "created_at": END - timedelta(days=99)}
        yield {"owner_id": owner, "newest": last, **facts}


def _moment(size: Size, number: int) -> datetime:
    """The time of a battle; they are spread evenly over the days."""
    return END - timedelta(days=max(size.days, 1.0)) * (1 - number / size.battles)


def _pair(size: Size, number: int) -> tuple[int, int]:
    a = number % size.endpoints
    b = (a + 1 + number // size.endpoints % (size.endpoints - 1)) % size.endpoints
    return a + 1, b + 1


def _battles(size: Size) -> Rows:
    for number in range(1, size.battles + 1):
        a, b = _pair(size, number)
        moment = _moment(size, number)
        yield {
            "id": f"battle-{number}",
            "voter_key": f"voter-{number // 20}",
            "state": BattleState.VOTED,
            "endpoint_a_id": a,
            "endpoint_b_id": b,
            "probability": 0.5,
            "language": "en",
            "created_at": moment,
            "ended_at": moment,
        }


def _turns(size: Size) -> Rows:
    for number in range(1, size.battles + 1):
        moment = _moment(size, number)
        times = dict.fromkeys(("started_at", "deadline_at", "ended_at", "shown_at"), moment)
        facts = {"number": 1, "prompt": "Why is the sky blue?", "state": TurnState.READY}
        yield {"id": number, "battle_id": f"battle-{number}", **facts, **times}


def _replies(size: Size) -> Rows:
    facts = {"generation": 0, "text": "Air scatters blue light more than red light. " * 3, "finish": Finish.STOP}
    for number in range(1, size.battles + 1):
        for side, endpoint in zip(Side, _pair(size, number), strict=True):
            times = {"first_token_ms": 200, "total_ms": 900}
            yield {"turn_id": number, "endpoint_id": endpoint, "side": side, **facts, **times}


def _votes(size: Size) -> Rows:
    rng = Random(1)  # any regularity is a finding of the gate, which then fits a board for each part of it
    for number in range(1, size.battles + 1):
        a, b = _pair(size, number)
        yield {
            "number": number,
            "id": f"vote-{number}",
            "battle_id": f"battle-{number}",
            "outcome": rng.choice(OUTCOMES),
            "voter_key": f"voter-{number // 20}",
            "endpoint_a_id": a,
            "endpoint_b_id": b,
            "language": "en",
            "seconds": 20.0,
            "created_at": _moment(size, number),
        }


def _origins(size: Size) -> Rows:
    facts = {"since": None, "tier": BotVerdict.UNKNOWN, "client": Client.DESKTOP}
    for number in range(1, size.battles + 1):
        yield {"number": number, "network": f"{number // 40:032}", **facts}


def _gate_runs(size: Size) -> Rows:
    """The runs that closed each week; the gate would make them all now otherwise."""
    boards: dict[str, Any] = {
        "rows": [],
        "reasons": {"all": {}, "week": {}},
        "votes": 0,
        "week_votes": 0,
        "preliminary": [],
    }
    judged: dict[str, Any] = {"awake": False, "networks": 0, "established": 0, "boards": boards, "audit": None}
    facts: dict[str, Any] = {
        "last_vote": 0,
        "last_decision": 0,
        "method": "m",
        "unlisted": [],
        "created_at": END,
        **judged,
    }
    week = week_of(_moment(size, 1))
    while week + timedelta(weeks=1) <= END.date():
        yield {"week": week, **facts}
        week += timedelta(weeks=1)


def _leaves(size: Size) -> Rows:
    for number in range(1, size.battles + 1):
        yield {"kind": "vote", "data": b"", "nonce": b"", "vote_number": number, "listed": True}


def _snapshots(size: Size) -> Rows:
    number = int(timedelta(days=size.days) / MOMENT_OF_SNAPSHOT)
    facts: dict[str, Any] = {"method": "m", "parameters": {}, "seed": 1, "code_version": "1", "digest": "0" * 64}
    heads = {"last_vote": 1, "last_exclusion": 0, "last_decision": 0, "votes": 1}
    for place in range(number):
        age = number - place
        payload = '{"rows": [], "pairs": []}' if age <= STORED or age % 8_640 == 0 else None
        yield {"payload": payload, "created_at": END - age * MOMENT_OF_SNAPSHOT, **facts, **heads}
