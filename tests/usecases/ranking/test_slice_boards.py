"""Parts of a snapshot: boards of categories and languages, style, order; and the unlisted competitors left out."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np
import pytest

from arena.adapters.store import snapshots
from arena.adapters.store.tables.conversations import BattleRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from arena.cli.boards.leaderboards import comparisons, slices
from arena.domain.schemas.board_details import OrdersTableView, StyleTableView
from arena.domain.schemas.further_fits import GroundedView, MajoritiesView, TieModelsView
from arena.domain.schemas.leaderboard import LeaderboardView, SnapshotView, StandingsView
from arena.domain.terms import Outcome
from arena.usecases.exchange import importer, reader, writer
from arena.usecases.exchange.imported_votes import ImportedVote
from arena.usecases.ranking import publication, verification
from arena.usecases.ranking.further_fits import grounded, inverse_probability_refit, style
from arena.usecases.ranking.heads import Head
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.slice_boards import Source, compute_parts
from arena.usecases.ranking.slice_log import SliceLog
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.ranking.vote_slices import VoteSlices
from arena_rating import (
    METHOD_BY_CATEGORY,
    Anchor,
    EloParameters,
    LeaderboardParameters,
    NotConverged,
    bradley_terry,
    compute,
    pair_counts,
)
from tests.conftest import NAMES as NAMES_ON_STAGE
from tests.conftest import START
from tests.publication import publish_once
from tests.rating.logs import require
from tests.usecases.battles.test_turns import play
from tests.usecases.votes.test_votes import vote

METHOD = Method(LeaderboardParameters(EloParameters(orders=20)), seed=3)
NAMES = ("ant", "bee", "cat", "dog")
WORDS = ("code", "chat", None)
LANGUAGES = ("zh", "en", None)


TEN = tuple(f"model-{place}" for place in range(10))


def made(count: int = 300, seed: int = 5, names: tuple[str, ...] = NAMES) -> list[ImportedVote]:
    """Votes in which the later name is better, the longer answer wins more often, and slices take turns."""
    rng, votes = Random(seed), []
    for number in range(count):
        a, b = rng.sample(range(len(names)), 2)
        style = [rng.randrange(low, high) for low, high in ((1, 900), (0, 3), (0, 5), (0, 4)) * 2]
        better = (a - b) + (style[0] - style[4]) / 400 + rng.gauss(0, 1) > 0
        outcome = rng.choice([Outcome.A if better else Outcome.B] * 4 + [Outcome.TIE, Outcome.BOTH_BAD])
        votes.append(
            ImportedVote(
                line=number,
                id=f"vote-{number}",
                a=names[a],
                b=names[b],
                outcome=outcome,
                voter=f"{number % 20:064d}",
                language=LANGUAGES[number % 3],
                category=WORDS[number // 3 % 3],
                style=style if number % 5 else None,
            )
        )
    return votes


@pytest.fixture
def publish(database):
    log = CountedLog()

    async def publish(method: Method = METHOD) -> int | None:
        with ThreadPoolExecutor(1) as executor:
            return await publish_once(database, method, log, executor=executor, now=lambda: datetime.now(UTC))

    return publish


@pytest.fixture
async def voted(database):
    await importer.import_votes(database, made(), START)


async def parts(database, number: int) -> dict[tuple[str, str, str], PartRow]:
    def read(session):
        return {(p.kind, p.category, p.language): p for p in session.query(PartRow).filter_by(snapshot_id=number)}

    return await database.read(read)


def payload(row: PartRow | SnapshotRow | None) -> str:
    assert row is not None
    assert row.payload is not None
    return row.payload


async def listed(database, name: str, *, listed: bool) -> None:
    def change(session) -> None:
        session.query(EndpointRow).filter_by(name=name).one().listed = listed

    await database.write(change)


@pytest.fixture
def exported(database, tmp_path):
    async def exported() -> list[ImportedVote]:
        path = tmp_path / "votes.jsonl"
        await writer.export_file(database, path, salt=b"salt")
        votes, bad = reader.read_votes(path)
        assert not bad
        return votes

    return exported


async def view(database, number: int, category: str = "", language: str = "") -> LeaderboardView:
    def read(session) -> LeaderboardView:
        row = snapshots.by_id(session, number)
        snapshot = SnapshotView.model_validate(row, from_attributes=True)
        if category or language:
            row = snapshots.part(session, number, "board", category, language)
            snapshot = snapshot.model_copy(update={"parameters": row.parameters, "digest": row.digest})
        return LeaderboardView(snapshot=snapshot, rows=[], pairs=[], category=category, language=language)

    return await database.read(read)


@pytest.mark.usefixtures("voted")
async def test_every_category_language_and_both_has_a_board_with_a_digest_of_its_own(database, publish):
    assert await publish() == 1
    tables = await parts(database, 1)
    boards = {key[1:] for key in tables if key[0] == "board"}
    both = {(category, language) for category in WORDS[:2] for language in LANGUAGES[:2]}
    assert boards == both | {("code", ""), ("chat", ""), ("", "zh"), ("", "en")}
    assert len({part.digest for part in tables.values()}) == len(tables)
    rows = StandingsView.model_validate_json(payload(tables["board", "code", "zh"])).rows
    assert sum(row.battles for row in rows) == 2 * tables["board", "code", "zh"].votes == 2 * 34


async def test_a_board_of_too_few_votes_is_not_made(database, publish):
    votes = made(88)
    assert [sum(vote.language == language for vote in votes) for language in ("zh", "en")] == [30, 29]
    await importer.import_votes(database, votes, START)
    await publish()
    assert {key[1:] for key in await parts(database, 1) if key[0] == "board" and key[2]} == {("", "zh")}


@pytest.mark.usefixtures("voted")
async def test_the_style_table_shows_both_fits_on_the_measured_votes_and_what_voters_like(database, publish):
    await publish()
    table = StyleTableView.model_validate_json(payload((await parts(database, 1))["style", "", ""]))
    assert table.votes == 240
    assert [row.name for row in table.features] == ["length", "headers", "lists", "bold", "position"]
    assert table.dropped == ["same_owner"]
    length, *_, position = table.features
    assert abs(position.coefficient) < 4 * position.error
    assert length.coefficient > 3 * length.error > 0
    assert {row.name for row in table.rows} == set(NAMES)
    assert all(require(row.bt_low) < row.bt < require(row.bt_high) for row in table.rows)


def test_best_and_worst_ranks_of_the_style_table_are_claims_and_by_the_method_before_they_are_not():
    votes = [vote._replace(voter=f"{vote.line % 61:064d}") for vote in made(900)]
    log, counts = comparisons(votes), slices(votes).style
    before = replace(METHOD, parameters=replace(METHOD.parameters, method=METHOD_BY_CATEGORY))
    now, by_look = (require(style(log, counts, method, {})).rows for method in (METHOD, before))
    assert [row.model_copy(update={"rank_low": 1, "rank_high": 4}) for row in now] == [
        row.model_copy(update={"rank_low": 1, "rank_high": 4}) for row in by_look
    ]
    wider = [
        (row.rank_high - row.rank_low, one.rank_high - one.rank_low) for row, one in zip(now, by_look, strict=True)
    ]
    assert all(claimed >= at_one_look for claimed, at_one_look in wider)
    assert any(claimed < 3 for claimed, _ in wider)
    few = require(style(log.where(np.arange(900) < 299), counts[:299], METHOD, {}))
    assert {(row.rank_low, row.rank_high) for row in few.rows} == {(1, 4)}


async def test_without_measured_answers_there_is_no_style_table(database, publish):
    await importer.import_votes(database, [vote for vote in made() if vote.style is None], START)
    await publish()
    assert ("style", "", "") not in await parts(database, 1)


@pytest.mark.usefixtures("voted")
async def test_the_order_table_tells_how_far_elo_moves_while_the_others_stay(database, publish):
    await publish()
    table = OrdersTableView.model_validate_json(payload((await parts(database, 1))["orders", "", ""]))
    assert table.orders == 20
    assert table.ends == list(range(15, 301, 15))
    for row in table.rows:
        assert row.low <= row.mean <= row.high
        assert len(row.rank_share) == row.rank_worst - row.rank_best + 1
        assert sum(row.rank_share) == pytest.approx(1, abs=1e-3)
    assert {len(path.elo) for path in table.paths} == {20}


@pytest.mark.usefixtures("voted")
async def test_models_of_ties_tell_how_often_equals_tie(database, publish):
    await publish()
    table = TieModelsView.model_validate_json(payload((await parts(database, 1))["ties", "", ""]))
    kinds = [(row.model, row.both_bad) for row in table.rows]
    assert kinds == [(model, bad) for bad in (False, True) for model in ("davidson", "rao_kupper")]
    for row in table.rows:
        assert row.apart < row.even
        assert 0 < row.ties < row.even + 0.05
    assert table.rows[0].votes < table.rows[2].votes == table.votes


def test_without_a_tie_there_is_no_model_of_ties():
    votes = [vote for vote in made() if vote.outcome in {Outcome.A, Outcome.B}]
    tables = compute_parts(comparisons(votes), slices(votes), Source(METHOD, Head()))
    assert (tables.failed, "ties" in {part.kind for part in tables.tables}) == ([], False)


@pytest.mark.usefixtures("voted")
async def test_the_grounded_table_tells_which_rating_is_as_good_as_nothing(database, publish):
    await publish()
    table = GroundedView.model_validate_json(payload((await parts(database, 1))["grounded", "", ""]))
    board = {row.name: row.bt for row in compute(comparisons(made()), METHOD.parameters, seed=1).rows}
    assert [row.name for row in table.rows] == sorted(board, key=lambda name: -require(board[name]))
    slope = np.polyfit([row.strength for row in table.rows], [require(board[row.name]) for row in table.rows], 1)
    assert table.bar == pytest.approx(slope[1], abs=5)


def test_the_line_of_nothing_moves_with_the_anchor():
    votes = made()
    anchored = replace(METHOD.parameters, anchor=Anchor("ant", 2000.0))
    plain, moved = (
        grounded(comparisons(votes), replace(METHOD, parameters=how)) for how in (METHOD.parameters, anchored)
    )
    rows = {row.name: require(row.bt) for row in compute(comparisons(votes), METHOD.parameters, seed=1).rows}
    assert require(moved).bar - require(plain).bar == pytest.approx(2000 - rows["ant"], abs=1e-5)


def test_without_votes_that_both_are_bad_there_is_no_line_of_nothing():
    assert grounded(comparisons([vote for vote in made() if vote.outcome != Outcome.BOTH_BAD]), METHOD) is None


@pytest.mark.usefixtures("voted")
async def test_majorities_tell_who_beats_all_others(database, publish):
    await publish()
    table = MajoritiesView.model_validate_json(payload((await parts(database, 1))["majorities", "", ""]))
    assert (table.winner, table.loser) == ("dog", "ant")
    assert (table.votes, table.decided, table.even, table.unmet) == (300, 6, 0, 0)
    assert (table.triples, table.cycles) == (4, 0)


def specialised(count: int = 40_000, seed: int = 5) -> list[ImportedVote]:
    """Votes on pairs of neighbours, mostly; the second model beats these and loses to the last one, drawn rarely."""
    rng, votes = Random(seed), []
    pairs = [(a, b) for a in range(len(NAMES)) for b in range(a)]
    chances = [20 if a - b == 1 else 1 for a, b in pairs]
    for number in range(count):
        place = rng.choices(range(len(pairs)), chances)[0]
        a, b = pairs[place]
        first = 0.95 if (a, b) in {(1, 0), (3, 1)} else 0.5
        votes.append(
            ImportedVote(
                line=number,
                id=f"vote-{number}",
                a=NAMES[a],
                b=NAMES[b],
                outcome=Outcome.A if rng.random() < first else Outcome.B,
                voter=f"{number % 20:064d}",
                probability=chances[place] / sum(chances),
            )
        )
    return votes


def test_votes_weighted_by_inverse_probability_give_the_ratings_of_even_draws():
    votes = specialised()
    refit = inverse_probability_refit(comparisons(votes), slices(votes).probability, METHOD)
    assert refit is not None
    # Every pair as often as every other, with the outcomes that were seen.
    counts = Counter((vote.a, vote.b) for vote in votes)
    even = replace(comparisons(votes), weight=np.array([1_000 / counts[vote.a, vote.b] for vote in votes]))
    truth = bradley_terry(pair_counts(even))
    expected = dict(zip(truth.names, truth.rating - truth.rating.mean(), strict=True))
    mean = np.mean([row.bt for row in refit.rows])
    assert {row.name: row.bt - mean for row in refit.rows} == pytest.approx(expected, abs=12)
    assert np.mean([row.plain for row in refit.rows]) == pytest.approx(mean)
    assert max(abs(row.plain - mean - expected[row.name]) for row in refit.rows) > 60
    assert [row.rank for row in refit.rows] != [row.plain_rank for row in refit.rows]
    for row in refit.rows:
        assert require(row.bt_low) < row.bt < require(row.bt_high)


def test_even_or_unknown_probabilities_and_few_votes_have_no_weighted_table():
    votes = specialised(100)
    for changed in (
        votes[:29],
        [each._replace(probability=0.1) for each in votes],
        [each._replace(probability=None) for each in votes],
    ):
        assert inverse_probability_refit(comparisons(changed), slices(changed).probability, METHOD) is None
    assert inverse_probability_refit(comparisons(votes), slices(votes).probability, METHOD) is not None


@pytest.mark.both_databases
@pytest.mark.usefixtures("voted")
async def test_a_snapshot_is_verified_with_all_that_stands_beside_it(database, publish):
    await publish()

    def forge(session) -> None:
        session.query(PartRow).filter_by(kind="board", category="code", language="").one().digest = "0" * 64

    with ThreadPoolExecutor(1) as executor:
        verdict = await verification.verify(database, 1, executor=executor)
        assert verdict.holds
        assert len(verdict.parts) == 18
        await database.write(forge)
        again = await verification.verify(database, 1, executor=executor)
    assert not again.holds
    assert [part.of for part in again.parts if not part.holds] == ["board code"]


@pytest.mark.usefixtures("voted")
async def test_the_board_of_a_category_is_reproduced_from_a_public_export(database, publish, exported):
    await publish()
    votes = await exported()
    for key in (("", ""), ("code", ""), ("", "zh"), ("chat", "en")):
        published = await view(database, 1, *key)
        assert verification.verify_published(comparisons(votes), slices(votes), published).holds
    fewer = votes[1:]
    assert not verification.verify_published(comparisons(fewer), slices(fewer), await view(database, 1)).holds


@pytest.mark.both_databases
@pytest.mark.usefixtures("voted")
async def test_who_is_not_listed_is_left_out_with_its_votes_until_it_is(database, publish, exported):
    await publish()
    await listed(database, "dog", listed=False)
    assert await publish() == 2
    assert await publish() is None
    without = await view(database, 2)
    assert without.snapshot.parameters["unlisted"] == ["dog"]
    rows = await database.read(
        lambda session: StandingsView.model_validate_json(payload(snapshots.newest(session))).rows
    )
    assert {row.name for row in rows} == {"ant", "bee", "cat"}
    assert all("dog" not in payload(part) for part in (await parts(database, 2)).values())
    votes = await exported()
    assert {name for vote in votes for name in (vote.a, vote.b)} == {"ant", "bee", "cat"}
    assert verification.verify_published(comparisons(votes), slices(votes), without).holds
    with ThreadPoolExecutor(1) as executor:
        for number in (1, 2):
            assert (await verification.verify(database, number, executor=executor)).holds
    await listed(database, "dog", listed=True)
    assert await publish() == 3
    assert (await view(database, 3)).snapshot.parameters["unlisted"] == []
    assert (await view(database, 3)).snapshot.digest == (await view(database, 1)).snapshot.digest


async def test_an_unlisted_one_without_a_vote_is_not_named(database, publish, runtime):
    await importer.import_votes(database, made(40), START)
    await listed(database, "red-7b", listed=False)
    await publish()
    assert (await view(database, 1)).snapshot.parameters["unlisted"] == []


@pytest.mark.usefixtures("voted")
async def test_a_long_log_gets_its_boards_with_the_full_snapshot(database, publish, monkeypatch):
    monkeypatch.setattr("arena.usecases.ranking.methods.QUICK", 3000)
    monkeypatch.setattr("arena.usecases.ranking.methods.PARTS", 9000)
    full = Method(LeaderboardParameters(EloParameters(orders=50)), seed=3)
    assert [await publish(full), len(await parts(database, 1))] == [1, 0]
    assert await publish(full) == 2
    tables = await parts(database, 2)
    assert len(tables) == 18
    assert {part.parameters["elo"]["orders"] for part in tables.values()} == {30}


@pytest.mark.usefixtures("voted")
async def test_votes_that_keep_coming_do_not_keep_the_full_snapshot_waiting(database, publish, monkeypatch):
    monkeypatch.setattr("arena.usecases.ranking.methods.QUICK", 3000)
    full = Method(LeaderboardParameters(EloParameters(orders=50)), seed=3)
    await publish(full)
    await importer.import_votes(database, made(310), START)
    await publish(full)
    newest = await database.read(snapshots.newest)
    assert (newest.last_vote, newest.parameters["elo"]["orders"]) == (310, 50)


@pytest.mark.both_databases
@pytest.mark.usefixtures("voted")
async def test_the_parts_of_a_very_long_log_rest_between_two_computations(database, monkeypatch):
    monkeypatch.setattr("arena.usecases.ranking.publication.MAX_VOTES_WITH_PARTS", 100)
    monkeypatch.setattr("arena.usecases.ranking.publication.PARTS_INTERVAL_PER_VOTE", timedelta(seconds=1))
    log, clock = CountedLog(), [START]

    async def publish() -> int | None:
        with ThreadPoolExecutor(1) as executor:
            return await publish_once(database, METHOD, log, executor=executor, now=lambda: clock[0])

    assert [await publish(), len(await parts(database, 1))] == [1, 18]
    await importer.import_votes(database, made(310), START)
    assert [await publish(), len(await parts(database, 2))] == [2, 0]
    clock[0] += timedelta(seconds=309)
    assert [await publish(), len(await parts(database, 2))] == [None, 0]
    clock[0] += timedelta(seconds=1)
    assert [await publish(), len(await parts(database, 2))] == [None, 18]


@pytest.mark.usefixtures("voted")
async def test_only_the_newest_boards_keep_their_contents_and_old_ones_go_with_their_snapshot(database, publish):
    await publish()
    await importer.import_votes(database, made(310), START)
    await publish()
    assert {part.payload for part in (await parts(database, 1)).values()} == {None}
    assert None not in {part.payload for part in (await parts(database, 2)).values()}

    def age(session) -> None:
        snapshots.by_id(session, 1).created_at = datetime(2026, 1, 5, 12, tzinfo=UTC)
        snapshots.by_id(session, 2).created_at = datetime(2026, 1, 5, 12, 30, tzinfo=UTC)

    await database.write(age)
    await publication.thin(database, datetime(2026, 1, 9, tzinfo=UTC))
    assert await parts(database, 1) == {}
    assert len(await parts(database, 2)) == 18


@pytest.mark.both_databases
async def test_a_vote_has_the_probability_of_its_battle_in_log_and_export(runtime, voter, tmp_path):
    battle, _ = await play(runtime, voter, "Write a poem about rivers")
    await runtime.database.write(lambda session: setattr(session.get(BattleRow, battle.id), "probability", 0.3))
    await vote(runtime, voter, battle.id)
    await importer.import_votes(runtime.database, made(1), START)

    def read(session):
        log = SliceLog()
        log.advance(session, 2)
        return log.of(np.array([1, 2])).probability

    path = tmp_path / "votes.jsonl"
    await writer.export_file(runtime.database, path, salt=b"salt")
    votes, _ = reader.read_votes(path)
    assert slices(votes).probability.tolist() == pytest.approx([0.3, np.nan], nan_ok=True)
    assert np.array_equal(await runtime.database.read(read), slices(votes).probability, equal_nan=True)


@pytest.mark.both_databases
async def test_a_vote_remembers_what_was_asked_for_and_how_its_answers_were_dressed(runtime, voter, part):
    part(NAMES_ON_STAGE[0], "# Head\n", "- **one**\n- two")
    part(NAMES_ON_STAGE[1], "short")
    battle, _ = await play(runtime, voter, "Write a poem about rivers")
    await vote(runtime, voter, battle.id)
    row = await runtime.database.read(lambda session: session.query(VoteRow).one())
    sides = (row.style[:4], row.style[4:])
    assert sorted(sides) == [[5, 0, 0, 0], [22, 1, 2, 1]]
    first = await runtime.database.read(lambda session: session.get(EndpointRow, row.endpoint_a_id).name)
    assert sides[0] == ([22, 1, 2, 1] if first == NAMES_ON_STAGE[0] else [5, 0, 0, 0])
    assert row.category == "writing"


def boards_of(votes: list[ImportedVote], method: Method = METHOD) -> dict[tuple[str, str, str], StandingsView]:
    tables = compute_parts(comparisons(votes), slices(votes), Source(method, Head())).tables
    return {part.key: StandingsView.model_validate_json(part.payload) for part in tables if part.kind == "board"}


def test_small_boards_borrow_from_all_votes_and_by_the_method_before_they_do_not():
    votes = made(900, names=TEN)
    before = replace(METHOD, parameters=replace(METHOD.parameters, method=METHOD_BY_CATEGORY))
    now, alone = boards_of(votes), boards_of(votes, before)
    assert now.keys() == alone.keys() >= {("board", "code", ""), ("board", "", "zh"), ("board", "code", "zh")}
    for key, board in now.items():
        widths = [
            np.mean([require(row.bt_high) - require(row.bt_low) for row in rows])
            for rows in (board.rows, alone[key].rows)
        ]
        assert widths[0] < 0.9 * widths[1], key
        assert max(row.borrowed or 0 for row in board.rows) > 0.3
        assert {row.borrowed for row in alone[key].rows} == {None}


def test_a_table_that_cannot_be_computed_is_named_and_keeps_nobody_back(monkeypatch):
    def never(*_args):
        raise NotConverged("no")

    monkeypatch.setattr("arena.usecases.ranking.slice_boards.style", never)
    votes = made()
    tables = compute_parts(comparisons(votes), slices(votes), Source(METHOD, Head()))
    assert tables.failed == ["style: no"]
    assert {part.kind for part in tables.tables} == {"board", "orders", "ties", "majorities", "grounded", "differences"}


def test_a_part_is_small_on_its_way_and_has_the_same_board_at_its_end():
    votes = made(900, names=TEN)
    [part] = [
        part
        for part in compute_parts(comparisons(votes), slices(votes), Source(METHOD, Head())).tables
        if part.key == ("board", "", "zh")
    ]
    assert part.payload == StandingsView.model_validate_json(part.payload).model_dump_json()
    assert len(pickle.dumps(part)) < len(part.payload) / 2


def test_an_empty_log_has_an_empty_order_table_and_no_board():
    tables = compute_parts(comparisons([]), VoteSlices.of([], [], [], []), Source(METHOD, Head()))
    assert [part.kind for part in tables.tables] == ["orders"]
    assert json.loads(tables.tables[0].payload)["rows"] == []


@pytest.mark.both_databases
async def test_slices_read_in_pieces_are_those_read_at_once(runtime, monkeypatch):
    await importer.import_votes(runtime.database, made(5), START)

    logs = []  # each keeps the file that its slices read

    def read(session, *ends: int):
        logs.append(log := SliceLog())
        for end in ends:
            log.advance(session, end)
        return log.of(np.arange(1, 6))

    whole = await runtime.database.read(read, 5)
    monkeypatch.setattr("arena.usecases.ranking.slice_log.PIECE", 2)
    for ends in ((5,), (1, 3, 5), (2, 2, 5)):
        pieces = await runtime.database.read(read, *ends)
        assert pieces.language.categories == whole.language.categories
        assert pieces.language.index.tolist() == whole.language.index.tolist()
        assert pieces.topics[0].index.tolist() == whole.topics[0].index.tolist()
        assert pieces.style[:].tolist() == whole.style[:].tolist()
        assert np.array_equal(pieces.probability, whole.probability, equal_nan=True)


@pytest.mark.parametrize("piece", [1, 3, 1 << 16])
async def test_slices_of_some_votes_have_the_rows_of_those_of_all_and_no_page_of_the_file(runtime, monkeypatch, piece):
    monkeypatch.setattr("arena.adapters.mapped_rows.PIECE", piece)
    await importer.import_votes(runtime.database, made(5), START)
    log = SliceLog()
    await runtime.database.read(log.advance, 5)
    whole, some = log.of(np.arange(1, 6)), log.of(np.array([2, 5]))
    assert whole.style[:].base is whole.probability.base is None
    assert some.style[:].tolist() == whole.style[:][[1, 4]].tolist()
    assert some.style[1:].tolist() == whole.style[4:].tolist()
    assert some.probability.tolist() == pytest.approx(whole.probability[[1, 4]].tolist(), nan_ok=True)
    assert some.person.tolist() == whole.person[[1, 4]].tolist()


def test_style_measured_by_pieces_is_that_measured_at_once(monkeypatch):
    votes = made()
    whole = style(comparisons(votes), slices(votes).style, METHOD, {})
    monkeypatch.setattr("arena.usecases.ranking.further_fits._PIECE", 7)
    assert style(comparisons(votes), slices(votes).style, METHOD, {}) == whole
