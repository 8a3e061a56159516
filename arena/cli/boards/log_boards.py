"""The leaderboard of the arena's log, and verification of published ones."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.adapters.store import snapshots
from arena.adapters.store.engine import Database
from arena.cli.boards.leaderboards import comparisons, method_of, slices, with_ranks
from arena.cli.boards.vote_file import load
from arena.cli.context import now, run
from arena.cli.terminal.vote_options import Preset
from arena.domain.errors import Invalid
from arena.domain.labels.categories import WEB
from arena.domain.operators import Act, ActKind
from arena.domain.schemas.leaderboard import LeaderboardView, StandingsView
from arena.domain.terms import Format, NotCounted
from arena.usecases.integrity.audit_reader import read_decisions
from arena.usecases.labelling.label_reader import read_labels
from arena.usecases.ranking import methods, verification, vote_labels
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.publication import Publication, publish_whole
from arena.usecases.ranking.verification import Verification
from arena.usecases.ranking.vote_columns import CountedLog


def log_leaderboard(preset: Preset, orders: int | None, seed: int | None) -> StandingsView:
    """Compute the leaderboard of the arena's log, and store it as a snapshot if it has changed.

    Raises:
        Invalid: A parameter is not valid.
    """
    act = Act(ActKind.BOARD_RANKED, preset)
    return run(lambda database, settings: _rank_log(database, method_of(settings, preset, orders, seed)), act)


def verdict(
    snapshot: int | None,
    export: Path | None,
    board: Path | None,
    decisions: Path | None = None,
    labels: Path | None = None,
) -> Verification:
    """Recompute a stored snapshot, or a published leaderboard from files alone.

    Raises:
        Invalid: Snapshot and files are missing, or a file is not valid.
    """
    if export and board:
        return _verify_files(export, board, decisions, labels)
    if snapshot is None:
        raise Invalid("Give the number of a snapshot, or both --from-export and --board.")
    return run(lambda database, _settings: _verify_stored(database, snapshot))


def _verify_files(export: Path, board: Path, decisions: Path | None, labels: Path | None) -> Verification:
    try:
        published = LeaderboardView.model_validate_json(board.read_bytes())
    except (OSError, ValueError) as error:
        raise Invalid(f"{board}: not a published leaderboard.") from error
    votes, _ = load(export, Format.ARENA, None, strict=True)
    snapshot = published.snapshot
    if snapshot is None:
        raise Invalid("No leaderboard had been computed when this was saved.")
    if snapshot.last_decision and not decisions:
        raise Invalid("This leaderboard includes decisions on weights: give them with --decisions.")
    head = vote_labels.recorded_labels(snapshot.parameters)
    if head and published.category not in {"", WEB} and not labels:
        raise Invalid("The topics of this leaderboard are labels: give them with --labels.")
    topics = read_labels(labels, head) if head and labels else None
    weights = read_decisions(decisions, snapshot.last_decision) if decisions else None
    unlisted = set(methods.unlisted_of(snapshot.parameters))
    selection = [
        vote
        for vote in votes
        if vote.number is not None and vote.number <= snapshot.last_vote and not unlisted & {vote.a, vote.b}
    ]
    if published.category == WEB:
        selection = [vote._replace(not_counted=None) for vote in selection if vote.not_counted is NotCounted.WEB_PAGE]
        weights = None
    return verification.verify_published(comparisons(selection, weights), slices(selection, topics), published)


async def _verify_stored(database: Database, snapshot: int) -> Verification:
    with ThreadPoolExecutor(1) as executor:
        return await verification.verify(database, snapshot, executor=executor)


async def _rank_log(database: Database, method: Method) -> StandingsView:
    with ThreadPoolExecutor(1) as executor:
        await publish_whole(Publication(database, method, CountedLog(), executor, now))
    newest = await database.read(snapshots.newest)
    if newest is None or not newest.payload:
        return StandingsView(rows=[], pairs=[])
    return with_ranks(StandingsView.model_validate_json(newest.payload), newest.parameters)
