"""Leaderboards of files of votes, which need no database, and how boards are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC
from pathlib import Path
from typing import Final

import numpy as np

from arena.cli.boards.vote_file import load
from arena.cli.terminal.collection import without_collection
from arena.cli.terminal.tables import Cells, TextTable, show_json, show_tables
from arena.cli.terminal.vote_options import Preset
from arena.domain.board_methods import practice_apart, rank_by
from arena.domain.errors import Invalid
from arena.domain.schemas.further_fits import RefitTableView, RefitView
from arena.domain.schemas.leaderboard import LeaderboardRowView, StandingsView
from arena.domain.terms import Format, JsonObject
from arena.settings import Settings
from arena.usecases.exchange.imported_votes import ImportedVote
from arena.usecases.ranking import further_fits, methods, public_rows
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.vote_slices import VoteLabels, VoteSlices
from arena_rating import LLMEVAL, TENCENT, Comparisons, EloParameters, LeaderboardParameters, RatingError
from arena_trust.amounts import amount
from arena_trust.integrity.weights_in_force import WeightsInForce

MAX_MODELS: Final = 3_000
"""Largest number of models of a board; its processor time grows with their cube, and takes a minute for so many."""
PRESETS = {Preset.PUBLISHED: EloParameters(), Preset.TENCENT: TENCENT, Preset.LLMEVAL: LLMEVAL}
AT_ONE_LOOK: Final = "Intervals hold at one look and take votes as independent; they prove no model better."
INDEPENDENT: Final = (
    "No two votes of the file are of one voter, so all count as independent: if people cast several, the intervals "
    "are too narrow. A column with the voter of each vote (--voter) mends that."
)
EACH_NAMED: Final = "Each vote of the file names a voter of its own, so all count as independent."


def comparisons(votes: list[ImportedVote], weights: WeightsInForce | None = None) -> Comparisons:
    """Return the counted votes, in their order, with the weights in force if they are given.

    Where the file has days, voters count by day, as pseudonyms of a public export last for a day.
    """
    counted = [vote for vote in votes if vote.counted]
    return Comparisons.from_votes(
        [vote.a for vote in counted],
        [vote.b for vote in counted],
        [vote.outcome for vote in counted],
        voter=[(vote.voter, vote.created_at and vote.created_at.astimezone(UTC).date()) for vote in counted],
        weight=weights and weights.weights(np.array([vote.number or 0 for vote in counted], np.int64)),
    )


def slices(votes: list[ImportedVote], labels: Mapping[int, Sequence[str]] | None = None) -> VoteSlices:
    """Return language, topics, style and probability of the counted votes; `labels` by number are the topics."""
    counted = [vote for vote in votes if vote.counted]
    columns = VoteSlices.of(
        (vote.language for vote in counted),
        (vote.category for vote in counted),
        (vote.style for vote in counted),
        (vote.probability for vote in counted),
    )
    return (
        columns if labels is None else columns.labelled(VoteLabels.of(labels.get(vote.number or 0) for vote in counted))
    )


def has_voters(votes: list[ImportedVote]) -> bool:
    """Whether any two votes that count are of one voter."""
    voters = [vote.voter for vote in votes if vote.counted]
    return len(set(voters)) < len(voters)


def independence(votes: list[ImportedVote]) -> str:
    """The sentence on the votes of a file of which no two are of one voter; empty for others."""
    if not any(vote.counted for vote in votes) or has_voters(votes):
        return ""
    return EACH_NAMED if all(vote.names_voter for vote in votes if vote.counted) else INDEPENDENT


@without_collection()
def leaderboard(votes: list[ImportedVote], method: Method) -> StandingsView:
    """Compute the leaderboard of the votes of a file.

    If no two votes are of one voter, as in a file without voters, all are taken as independent.

    Raises:
        Invalid: A parameter is not valid, or there are too many models.
    """
    log = comparisons(votes)
    if not has_voters(votes):
        log = replace(log, voter=None)
    if len(log.names) > MAX_MODELS:
        raise Invalid(
            f"There are votes on {amount(len(log.names), 'model')}; a board has at most {MAX_MODELS:,}, since its "
            "ranks compare all pairs of models. Rank a part of the file."
        )
    try:
        return with_ranks(public_rows.standings(methods.fit(log, method), {}), asdict(method.parameters))
    except RatingError as error:
        raise Invalid(str(error)) from error


def with_ranks(standings: StandingsView, parameters: JsonObject) -> StandingsView:
    """Return the board with the ranks that follow from these parameters."""
    return standings.model_copy(update={"rows": rank_by(practice_apart(standings.rows), "bt", parameters)})


def inverse_probability_fit(source: Path | None, kind: Format | None, *, strict: bool) -> RefitTableView:
    """Compute the ratings of an export whose votes weigh 1 over the probability of their pairs, as published.

    Raises:
        Invalid: There is no file, its votes have fewer than two probabilities, or a parameter is not valid.
    """
    if source is None:
        raise Invalid("--weights takes an export of votes: name its file.")
    votes, _ = load(source, kind, None, strict=strict)
    try:
        result = further_fits.inverse_probability_refit(comparisons(votes), slices(votes).probability, Method())
    except RatingError as error:
        raise Invalid(str(error)) from error
    if result is None:
        raise Invalid(f"{source}: too few votes have the probability of their pair, or all have the same one.")
    return result


def method_of(settings: Settings, preset: Preset, orders: int | None, seed: int | None) -> Method:
    """Combine parameters: options override the preset, which overrides settings.

    Raises:
        Invalid: A parameter is not valid.
    """
    elo = PRESETS[preset]
    if preset is Preset.PUBLISHED:
        elo = EloParameters(orders=settings.rank_orders)
    if orders is not None:
        elo = EloParameters(elo.init, elo.k, elo.base, elo.scale, orders)
    return Method(LeaderboardParameters(elo), settings.rank_seed if seed is None else seed)


def show_leaderboard(standings: StandingsView, *, json: bool) -> None:
    """Print the rows as a table."""
    if json:
        show_json(standings)
    elif standings.rows:
        show_tables(TextTable([_cells(row) for row in standings.rows]))
    else:
        print("There are no counted votes yet.")


def show_weighted(standings: RefitTableView, *, json: bool) -> None:
    """Print the weighted ratings beside those without weights as a table, and what their intervals do not say."""
    if json:
        show_json(standings)
    else:
        show_tables(TextTable([_weighted_cells(row) for row in standings.rows], note=AT_ONE_LOOK))


def interval(low: float | None, high: float | None) -> str | None:
    """Return the cell of an interval in points, nothing where there is none."""
    return None if low is None or high is None else f"{low:.0f} to {high:.0f}"


def _weighted_cells(row: RefitView) -> Cells:
    return {
        "rank": row.rank,
        "model": row.name,
        "weighted": f"{row.bt:.1f}",
        "95 %": interval(row.bt_low, row.bt_high),
        "usual": f"{row.plain:.1f}",
        "difference": f"{row.bt - row.plain:+.1f}",
    }


def _cells(row: LeaderboardRowView) -> Cells:
    """The cells of a row; a model that has met none of the first group's has no place."""
    return {
        "rank": None if row.component else f"{row.rank} ({row.rank_low}-{row.rank_high})",
        "model": row.name,
        "Elo": f"{row.elo:.1f}{' (not yet settled)' if row.elo_settled is False else ''}",
        "Elo 95 %": interval(row.elo_low, row.elo_high),
        "order spread": f"{row.order_spread:.1f}",
        "Bradley-Terry": None if row.bt is None else f"{row.bt:.1f}",
        "95 %": interval(row.bt_low, row.bt_high),
        "preliminary": ", ".join(row.preliminary),
        "points": f"{row.points:g}",
        "win rate": f"{row.win_rate:.1%}",
        "battles": row.battles,
    }
