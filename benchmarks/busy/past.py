"""State of a busy arena at its start: a log of votes with origins and leaves, and battles that wait for a vote.

The later votes are drawn as those of the log, and come from as many people and neighbourhoods: else the gate would have
an attack to look for. `Attack` makes them one.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from fastapi import Request, Response
from sqlalchemy import func, insert, literal, select, text

from arena.adapters.store.engine import on_postgres
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.integrity import OriginRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.api.http.voter_cookie import Cookies
from arena.domain.terms import BotVerdict, Client, Outcome
from arena_trust.tlog.leaves import LeafKind
from benchmarks.busy.ballots import CROWD, Ballot
from benchmarks.load import store
from benchmarks.long_log import synthetic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena_rating import Comparisons

PIECE: Final = 20_000
"""Votes in one transaction."""
VOTES_OF_VOTER: Final = 10
VOTERS_OF_NETWORK: Final = 5
PAST: Final = timedelta(days=10)
"""Time over which the votes of the log were cast."""
_OUTCOMES: Final = tuple(Outcome)


async def fill(url: str, votes: int, battles: int, secret: str, now: datetime, *, attack: bool = False) -> list[Ballot]:
    """Insert a log of `votes`, and `battles` that wait for their vote; returns these votes.

    In an `attack` each is by lot, by a visitor of its own, from one of `CROWD` neighbourhoods, on all pairs in turn, so
    that it pushes all models.
    """
    networks = [number % CROWD if attack else network_of(number) for number in range(battles)]
    people = [(number, 0) if attack else (networks[number], _turn(number)) for number in range(battles)]
    visitors = {person: _visitor(secret) for person in people}

    def pair(number: int, models: Sequence[int]) -> tuple[int, int]:
        return models[int(log.left[votes + number])], models[int(log.right[votes + number])]

    with store.opened(url) as database:
        names = [f"model-{number}-7b" for number in range(store.MODELS)]
        models = await database.write(store.add_endpoints, names, now)
        log = synthetic(votes + battles, len(models))
        for start in range(0, votes, PIECE):
            await database.write(_add_votes, log, range(start, min(start + PIECE, votes)), models, now, votes)
        if on_postgres(url):
            await database.write(_advance_numbers)
        keys = [visitors[person][0] for person in people]
        ids = await store.add_battles(database, keys, models, now, None if attack else pair)
    outcomes = [number % len(_OUTCOMES) if attack else int(log.outcome[votes + number]) for number in range(battles)]
    return [
        Ballot(battle, visitors[person][1], _OUTCOMES[outcome], network)
        for battle, person, outcome, network in zip(ids, people, outcomes, networks, strict=True)
    ]


def network_of(number: int) -> int:
    """The neighbourhood of a later vote: `CROWD` vote in turn until each has as many votes as one of the log."""
    return number // (CROWD * VOTES_OF_VOTER * VOTERS_OF_NETWORK) * CROWD + number % CROWD


def _turn(number: int) -> int:
    """Which voter of its neighbourhood casts a later vote."""
    return number // CROWD % (VOTES_OF_VOTER * VOTERS_OF_NETWORK) // VOTES_OF_VOTER


def _visitor(secret: str) -> tuple[str, str]:
    """The key and the cookie of a new visitor, as the arena with this secret gives it."""
    answer = Response()
    visit = Request({"type": "http", "headers": [], "client": ("127.0.0.1", 1)})
    voter = Cookies(secret.encode()).welcome(visit, answer)
    return voter.key, answer.headers["set-cookie"].partition(";")[0]


def _add_votes(
    session: Session, log: Comparisons, numbers: range, models: Sequence[int], now: datetime, votes: int
) -> None:
    session.execute(insert(VoteRow), [_vote(log, number, models, now, votes) for number in numbers])
    session.execute(insert(OriginRow), [_origin(number, now) for number in numbers])
    last = select(func.coalesce(func.max(LeafRow.vote_number), 0)).scalar_subquery()
    leaf = {"kind": literal(str(LeafKind.VOTE)), "data": literal(b"{}"), "vote_number": VoteRow.number}
    query = select(*leaf.values(), literal(value=True)).where(VoteRow.number > last).order_by(VoteRow.number)
    session.execute(insert(LeafRow).from_select([*leaf, "listed"], query))


def _advance_numbers(session: Session) -> None:
    """Let the server number later votes above those that were inserted with their numbers."""
    session.execute(text("SELECT setval(pg_get_serial_sequence('votes', 'number'), (SELECT max(number) FROM votes))"))


def _vote(log: Comparisons, number: int, models: Sequence[int], now: datetime, votes: int) -> dict[str, Any]:
    return {
        "number": number + 1,
        "id": f"past-{number}",
        "outcome": _OUTCOMES[log.outcome[number]],
        "voter_key": f"voter {number // VOTES_OF_VOTER}",
        "endpoint_a_id": models[log.left[number]],
        "endpoint_b_id": models[log.right[number]],
        "language": "en",
        "style": [900, 1, 2, 3, 800, 1, 2, 2],
        "seconds": 20.0,
        "created_at": now - PAST * (1 - number / votes),
    }


def _origin(number: int, now: datetime) -> dict[str, Any]:
    monday = (now - PAST).date() - timedelta(days=(now - PAST).weekday())
    network = f"{number // VOTES_OF_VOTER // VOTERS_OF_NETWORK:032}"
    return {
        "number": number + 1,
        "network": network,
        "since": monday,
        "tier": BotVerdict.UNKNOWN,
        "client": Client.DESKTOP,
    }
