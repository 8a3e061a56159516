"""A synthetic published arena: log, export and leaderboard in a folder, without a database."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from arena.usecases.exchange.export_format import NAME, VERSION
from arena.usecases.ranking.methods import digest_of
from arena_rating import OUTCOMES, Comparisons, LeaderboardParameters, compute
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.growth import Growth
from arena_trust.tlog.keys import Signer
from arena_trust.tlog.leaves import CommittedVote, LeafKind, encode_leaf, vote_leaf
from benchmarks.data import COMPETITORS, synthetic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from arena_rating import Leaderboard
    from benchmarks.data import Data

NAMES: Final = tuple(f"competitor-{number:03d}" for number in range(COMPETITORS))
START: Final = date(2026, 1, 1)
PER_DAY: Final = 10_000
_LANGUAGES: Final = ("zh", "en", "zh", None)
_PIECE: Final = 1 << 14
_VOTERS: Final = 5_000


@dataclass(frozen=True, slots=True)
class PublishedArena:
    """Paths of log, export and leaderboard."""

    log: Path
    export: Path
    board: Path


def publish(folder: Path, votes: int, parameters: LeaderboardParameters | None = None) -> PublishedArena:
    """Write an arena with `votes` counted votes on listed models; all bytes but the key and signatures are fixed."""
    result = PublishedArena(folder / "log", folder / "votes.jsonl", folder / "leaderboard.json")
    data = synthetic(votes)
    growth = Growth()
    signer = Signer("arena.example/log/bench", Ed25519PrivateKey.generate())
    _grow(
        result.log,
        growth,
        [encode_leaf(LeafKind.ORIGIN, origin=signer.name, key=str(signer.key), day=START.isoformat())],
    )
    with result.export.open("wb") as file:
        for piece in _pieces(data):
            _grow(result.log, growth, [leaf for leaf, _ in piece])
            file.writelines(line for _, line in piece)
    snapshot, board = _rank(data, parameters or LeaderboardParameters())
    _grow(result.log, growth, [encode_leaf(LeafKind.SNAPSHOT, id=snapshot["id"], digest=snapshot["digest"])])
    (result.log / "key").write_text(f"{signer.key}\n")
    (result.log / "checkpoint").write_text(
        Checkpoint(signer.name, growth.edge.size, growth.edge.root()).signed(signer), "utf-8"
    )
    result.board.write_text(json.dumps({"snapshot": snapshot, **board}))
    return result


def write_export(path: Path, votes: int) -> None:
    """Write only the export of such an arena."""
    with path.open("wb") as file:
        for piece in _pieces(synthetic(votes)):
            file.writelines(line for _, line in piece)


def _grow(folder: Path, growth: Growth, leaves: list[bytes]) -> None:
    for tile, content in growth.extend(leaves):
        path = folder / tile.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _pieces(data: Data) -> Iterator[list[tuple[bytes, bytes]]]:
    for start in range(0, len(data.left), _PIECE):
        piece = slice(start, start + _PIECE)
        columns = data.left[piece].tolist(), data.right[piece].tolist(), data.outcome[piece].tolist()
        yield [_vote(start + place, *column) for place, column in enumerate(zip(*columns, strict=True), 1)]


def _vote(number: int, left: int, right: int, outcome: int) -> tuple[bytes, bytes]:
    """The leaf of a vote and its line of the export."""
    style = [200 + number % 97, number % 3, number % 5, number % 4, 300 + number % 89, number % 2, number % 7, 0]
    day, language, nonce = START + timedelta(number // PER_DAY), _LANGUAGES[number % 4], sha256(b"%d" % number)
    vote = CommittedVote(
        *(number, day, NAMES[left], NAMES[right], OUTCOMES[outcome], None, language),
        *(1 + number % 3, style, 1 / (1 + number % 190)),
    )
    line = {
        "format": NAME,
        "version": VERSION,
        "id": f"bench-{number}",
        "number": number,
        "a": vote.a,
        "b": vote.b,
        "outcome": vote.outcome,
        "voter": sha256(b"%d" % (number % _VOTERS)).hexdigest()[:32],
        "language": language,
        "category": None,
        "style": style,
        "turns": vote.turns,
        "seconds": 9.5,
        "created_at": day.isoformat(),
        "counted": True,
        "reason": None,
        "nonce": nonce.hexdigest(),
        "probability": vote.chance,
    }
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    return vote_leaf(vote, nonce.digest(), listed=True), f"{text}\n".encode()


def _rank(data: Data, parameters: LeaderboardParameters) -> tuple[dict[str, Any], dict[str, Any]]:
    """The head of the published leaderboard, and its rows and pairs."""
    voter = (np.arange(1, len(data.left) + 1) % _VOTERS).astype(np.int32)
    log = Comparisons(data.left, data.right, data.outcome, None, voter, None, NAMES)
    board: Leaderboard = compute(log, parameters, seed=0)
    head = {"vote": len(data.left), "exclusion": 0}
    snapshot = {
        "id": 1,
        "parameters": asdict(parameters),
        "seed": 0,
        "last_vote": len(data.left),
        "last_exclusion": 0,
        "last_decision": 0,
        "digest": digest_of({"board": board.record(), "head": head}),
    }
    return snapshot, {"rows": [asdict(row) for row in board.rows], "pairs": [asdict(pair) for pair in board.pairs]}
