"""An arena with voted battles that are old enough for a release."""

from __future__ import annotations

import io
import json
from datetime import UTC, date, datetime, timedelta
from itertools import count
from random import Random

from sqlalchemy import select

from arena.adapters.store.tables.conversations import ReplyRow, TurnRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.people import VoterRow
from arena.domain.terms import Outcome, Side, TurnState
from arena.usecases.exchange.writer import export_votes
from arena_providers.terms import Finish
from tests.conftest import NAMES, add_endpoints
from tests.row_factories import battle_row, vote_row
from tests.vote_leaves import add_leaves

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
OLD = NOW - timedelta(days=80)
PEOPLE = 12
SALT = b"salt of a release"
SUBJECTS = ("rivers", "bread", "maps", "clocks", "glaciers", "violins", "tides", "bees")
NUMBERS = count(1)
WORDS = {"model_a": "a", "model_b": "b", "tie": "tie", "both_bad": "both_bad"}


def prompt(number: int) -> str:
    return f"Explain {SUBJECTS[number % 8]} and {SUBJECTS[number // 8 % 8]} to a curious child of {number} summers"


def add_battle(
    session,
    text: str,
    *,
    person: str = "person 1",
    when: datetime = OLD,
    outcome: Outcome = Outcome.A,
    names: tuple[str, str] = NAMES,
    answer: str = "An answer.",
    **changes,
) -> str:
    """Add a battle of one turn with its vote, whose columns `changes` override; returns its id."""
    a, b = (session.scalar(select(EndpointRow.id).where(EndpointRow.name == name)) for name in names)
    battle = f"battle {next(NUMBERS):06}"
    turn = TurnRow(number=1, prompt=text, state=TurnState.READY, started_at=when, deadline_at=when, ended_at=when)
    turn.replies = [
        ReplyRow(
            endpoint_id=endpoint_id, generation=0, side=side, text=f"{answer} {side}", finish=Finish.STOP, total_ms=1
        )
        for side, endpoint_id in ((Side.A, a), (Side.B, b))
    ]
    session.add(battle_row(battle, a, b, voter_key=person, created_at=when, turns=[turn]))
    session.flush()
    vote = {"language": "en", "category": "knowledge", "style": [20, 0, 0, 0] * 2, "turns": 1, "seconds": 9.0}
    vote |= {"battle_id": battle, "outcome": outcome, "voter_key": person, "created_at": when, **changes}
    session.add(vote_row(f"vote of {battle}", a, b, **vote))
    session.flush()
    add_leaves(session)
    return battle


def accept(session, person: str, terms: int = 1, when: datetime = OLD - timedelta(days=1)) -> None:
    session.add(VoterRow(key=person, terms=terms, accepted_at=when))


def fill(session, battles: int = 120) -> None:
    """Add endpoints, twelve people who accepted the terms, and their battles over forty days."""
    rng = Random(3)
    add_endpoints(session)
    for number in range(PEOPLE):
        accept(session, f"person {number}")
    for number in range(battles):
        add_battle(
            session,
            prompt(number),
            person=f"person {rng.randrange(PEOPLE)}",
            when=OLD + timedelta(days=rng.randrange(40), minutes=number),
            outcome=rng.choice(list(Outcome)),
            language=rng.choice(["en", "en", "zh"]),
            category=rng.choice(["knowledge", "code", None]),
        )


async def live_export(database) -> list[dict]:
    """The public export of votes."""
    out = io.BytesIO()
    await export_votes(database, out, salt=b"live")
    return [json.loads(line) for line in out.getvalue().splitlines()]


def fits(row: dict, vote: dict) -> bool:
    """Whether a row of a release and an exported vote agree in all common columns."""
    category = row["category_tag"]["capability"]
    year, week, _ = date.fromisoformat(vote["created_at"]).isocalendar()
    return (
        (row["model_a"], row["model_b"], WORDS[row["winner"]]) == (vote["a"], vote["b"], vote["outcome"])
        and row["language"] in {None, vote["language"]}
        and category in {None, vote["category"]}
        and len(row["full_conversation"]) == vote["turns"]
        and (vote["created_at"].startswith(row["period"]) or row["period"] == f"{year}-W{week:02}")
    )
