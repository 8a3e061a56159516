import asyncio
import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from arena.adapters.row_files.csv_rows import plain_cell
from arena.adapters.store import decisions, snapshots
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.integrity import GateRunRow
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from arena.api.boards import cache, documents
from arena.api.boards.cache import thinned
from arena.api.boards.documents import whole as parse
from arena.api.boards.overview import overview
from arena.domain.terms import EndpointState
from arena.usecases.endpoints.states import Step, because, record
from arena.usecases.exchange import importer
from arena.usecases.exchange.imported_votes import ImportedVote
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.votes import votes
from arena_providers.errors import BadReply
from arena_rating import METHOD_BY_LOOK
from tests.conftest import START
from tests.publication import publish_once
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.ranking.test_slice_boards import NAMES, made


@pytest.fixture
def ranked(client, finish, runtime):
    async def ranked(outcome: str = "a") -> None:
        battle_id = await finish()
        await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": outcome})
        with ThreadPoolExecutor(1) as executor:
            await publish_once(runtime.database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC))

    return ranked


async def test_before_the_first_snapshot_the_board_has_no_rows(client):
    board = await client.get("/api/v1/leaderboard")
    assert (board.status_code, board.json()["snapshot"], board.json()["rows"]) == (200, None, [])
    assert board.json()["boards"] == []
    table = await client.get("/api/v1/leaderboard.csv")
    assert (table.status_code, len(table.text.splitlines())) == (200, 1)
    history, method = [(await client.get(f"/api/v1/leaderboard/{name}")).json() for name in ("history", "method")]
    assert (history["moments"], method["snapshot"], method["log"]) == ([], None, 0)
    for name in ("style", "orders"):
        missing = await client.get(f"/api/v1/leaderboard/{name}")
        assert (missing.status_code, missing.json()["code"]) == (404, "no_board")


async def test_the_empty_board_gives_way_to_the_first(client, ranked):
    empty = await client.get("/api/v1/leaderboard")
    again = await client.get("/api/v1/leaderboard", headers={"If-None-Match": empty.headers["etag"]})
    assert again.status_code == 304
    await ranked()
    first = await client.get("/api/v1/leaderboard", headers={"If-None-Match": empty.headers["etag"]})
    assert (first.status_code, len(first.json()["rows"])) == (200, 2)


async def test_the_newest_snapshot_is_served_with_all_that_it_takes_to_compute_it_again(client, ranked):
    await ranked()
    board = (await client.get("/api/v1/leaderboard")).json()
    assert {row["name"] for row in board["rows"]} == {"red-7b", "blue-7b"}
    snapshot = board["snapshot"]
    assert (snapshot["id"], snapshot["seed"], snapshot["last_vote"], snapshot["votes"]) == (1, 3, 1, 1)
    assert snapshot["parameters"]["elo"]["orders"] == 20
    assert len(snapshot["digest"]) == 64
    await ranked("b")
    assert (await client.get("/api/v1/leaderboard")).json()["snapshot"]["id"] == 2


async def test_the_csv_of_a_board_is_built_once_for_all_readers(client, ranked, monkeypatch):
    await ranked()
    builds, build = [], documents.csv_table
    monkeypatch.setattr(documents, "csv_table", lambda *table: builds.append(1) or build(*table))
    first, second, other = [await client.get(f"/api/v1/leaderboard.csv?by={by}") for by in ("bt", "bt", "elo")]
    assert first.text == second.text
    assert (len(builds), other.headers["etag"] != first.headers["etag"]) == (2, True)


@pytest.mark.parametrize("path", ["/api/v1/leaderboard", "/api/v1/leaderboard.csv"])
async def test_who_has_the_newest_is_told_so_without_a_body(client, ranked, path):
    await ranked()
    first = await client.get(path)
    for tag in (first.headers["etag"], f"W/{first.headers['etag']}", f'"old", {first.headers["etag"]}'):
        again = await client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
    await ranked("b")
    assert (await client.get(path, headers={"If-None-Match": first.headers["etag"]})).status_code == 200


async def test_the_table_has_the_same_rows_as_the_json(client, ranked):
    await ranked("both_bad")
    rows = (await client.get("/api/v1/leaderboard")).json()["rows"]
    table = await client.get("/api/v1/leaderboard.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    parsed = list(csv.DictReader(io.StringIO(table.text)))
    assert [row["name"] for row in parsed] == [row["name"] for row in rows]
    assert [float(row["elo"]) for row in parsed] == [row["elo"] for row in rows]


async def test_a_board_is_ranked_by_the_score_that_is_asked_for_with_an_etag_of_its_own(client, ranked):
    await ranked("tie")
    await ranked("a")
    fields = {"bt": "bt", "elo": "elo", "points": "points_per_battle", "win": "win_rate"}
    boards = {by: await client.get(f"/api/v1/leaderboard?by={by}") for by in fields}
    for by, field in fields.items():
        rows = boards[by].json()["rows"]
        assert boards[by].json()["by"] == by
        assert [row["score"] for row in rows] == sorted((row[field] for row in rows), reverse=True)
        table = await client.get(f"/api/v1/leaderboard.csv?by={by}")
        assert [row["name"] for row in csv.DictReader(io.StringIO(table.text))] == [row["name"] for row in rows]
    assert boards["bt"].content == (await client.get("/api/v1/leaderboard")).content
    assert len({board.headers["etag"] for board in boards.values()}) == 4


@pytest.mark.parametrize("path", ["/api/v1/leaderboard", "/api/v1/leaderboard.csv"])
async def test_a_score_that_nobody_computes_is_refused_with_those_that_there_are(client, path):
    refused = await client.get(f"{path}?by=glicko")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    problem = {"field": "by", "rule": "choice", "choices": ["bt", "elo", "points", "win"]}
    assert refused.json()["problems"] == [problem]


def run_of_the_gate(*preliminary: str, **boards: object) -> GateRunRow:
    return GateRunRow(
        last_vote=1,
        last_decision=0,
        method="m",
        unlisted=[],
        awake=not preliminary,
        networks=1,
        established=0,
        boards={"rows": [], "preliminary": list(preliminary), **boards},
        created_at=START,
    )


@pytest.mark.parametrize("reasons", [(), ("young",), ("one_network",)])
async def test_json_and_csv_of_the_board_say_whether_and_why_it_is_preliminary(client, runtime, ranked, reasons):
    await ranked()
    await runtime.database.write(lambda session: session.add(run_of_the_gate(*reasons)))
    board, table = [await client.get(f"/api/v1/leaderboard{kind}") for kind in ("", ".csv")]
    assert board.json()["preliminary"] == list(reasons)
    reasons_by_row = [" ".join([*reasons, *row["preliminary"]]) for row in board.json()["rows"]]
    assert [row["preliminary"] for row in csv.DictReader(io.StringIO(table.text))] == reasons_by_row
    assert all("few_votes few_voters" in row for row in reasons_by_row)


@pytest.mark.both_databases
async def test_a_board_that_was_read_before_is_preliminary_once_the_gate_says_so_without_a_new_snapshot(
    app, client, runtime, ranked
):
    await ranked()
    for reasons in ((), ("asleep",), ("asleep",), ()):
        await runtime.database.write(decisions.add_run, run_of_the_gate(*reasons))
        before = app.state.boards._documents
        for path in ("/api/v1/leaderboard", "/api/v1/leaderboard?language=en"):
            assert (await client.get(path)).json().get("preliminary", list(reasons))[: len(reasons)] == list(reasons)
    assert before is not app.state.boards._documents
    before = app.state.boards._documents
    await runtime.database.write(decisions.add_run, run_of_the_gate())
    await client.get("/api/v1/leaderboard")
    assert before is app.state.boards._documents  # a run with the same reasons changes no document


@pytest.mark.both_databases
async def test_a_board_names_its_contested_models_and_the_points_as_soon_as_the_gate_does(client, runtime, ranked):
    await ranked()
    paths = ("/api/v1/leaderboard", "/api/v1/leaderboard?by=elo")
    rows = (await client.get(paths[0])).json()["rows"]
    first, second = (row["name"] for row in rows[:2])
    tags = set()
    for bounds in ({first: 38.4}, {first: 41.0}, {}):
        undecided = sorted({first, second, "gone"})
        told = run_of_the_gate("contested", undecided=undecided, bounds={**bounds, "gone": 12.0})
        await runtime.database.write(decisions.add_run, told)
        for path in paths:
            answer = await client.get(path)
            assert answer.json()["contested"] == {first: bounds.get(first), second: None}, path
            tags.add(answer.headers["etag"])
        table = await client.get("/api/v1/leaderboard.csv")
        points = {row["name"]: row["contested"] for row in csv.DictReader(io.StringIO(table.text))}
        assert points == {row["name"]: str(bounds.get(row["name"], "")) for row in rows}
    assert len(tags) == 6
    await runtime.database.write(decisions.add_run, run_of_the_gate())
    assert [(await client.get(path)).json()["contested"] for path in paths] == [{}, {}]


async def test_a_board_that_was_never_judged_is_not_called_preliminary(client, ranked):
    await ranked()
    assert (await client.get("/api/v1/leaderboard")).json()["preliminary"] == []


def among(models: int, category: str, language: str) -> list[ImportedVote]:
    """Forty votes about so many models."""
    votes = [vote for vote in made(600) if {vote.a, vote.b} <= set(NAMES[:models])][:40]
    cell_name = f"{category} {language}"
    return [vote._replace(id=f"{cell_name} {vote.id}", category=category, language=language) for vote in votes]


async def test_a_board_of_images_or_a_language_is_preliminary_while_fewer_than_four_models_have_votes(client, runtime):
    cells = ((3, "vision", "fr"), (3, "code", "zh"), (4, "code", "en"), (2, "maths", "en"))
    log = [row for cell in cells for row in among(*cell)]
    await importer.import_votes(runtime.database, log, START)
    with ThreadPoolExecutor(1) as executor:
        await publish_once(runtime.database, METHOD, CountedLog(), executor=executor, now=lambda: START)
    narrow = ("category=vision", "language=zh", "category=code&language=zh")
    # What a prompt is about takes no model out.
    wide = (
        "",
        "language=en",
        *(f"category={name}{more}" for name in ("code", "maths") for more in ("", "&language=en")),
    )
    for query in (*narrow, *wide):
        board = (await client.get(f"/api/v1/leaderboard?{query}")).json()
        assert board["preliminary"] == ["narrow_pool"] * (query in narrow), query
        assert board["snapshot"]["votes"] >= 40
    told = run_of_the_gate("contested", undecided=[NAMES[0]], bounds={NAMES[0]: 20.0})
    await runtime.database.write(decisions.add_run, told)
    for query in (*narrow, *wide):
        board = (await client.get(f"/api/v1/leaderboard?{query}")).json()
        assert board["contested"] == {NAMES[0]: 20.0}, query


async def test_the_etag_of_a_board_changes_with_the_reasons_why_it_is_preliminary(client, runtime, ranked):
    await ranked()
    pages = []
    for reasons in ((), ("young",)):
        await runtime.database.write(lambda session, told=reasons: session.add(run_of_the_gate(*told)))
        pages.append(await runtime.database.read(parse))
    assert pages[0].document.etag != pages[1].document.etag


async def test_the_board_is_compressed_for_who_accepts_it(client, ranked):
    await ranked()
    plain = await client.get("/api/v1/leaderboard", headers={"Accept-Encoding": "identity"})
    packed = await client.get("/api/v1/leaderboard", headers={"Accept-Encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.json() == plain.json()
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "\tx"])
def test_a_name_is_never_a_formula_in_a_spreadsheet(name):
    assert plain_cell(name) == f"'{name}"


def test_a_negative_number_stays_a_number():
    assert plain_cell(-1.5) == -1.5


NEWEST = "/api/v1/leaderboard/newest"


async def test_open_pages_see_the_ids_of_each_new_snapshot(client, ranked, monkeypatch):
    monkeypatch.setattr(cache, "FRESH", 0.0)
    assert (await client.get(NEWEST)).json() == {"snapshot": 0, "tables": 0}
    for number in (1, 2):
        await ranked()
        assert (await client.get(NEWEST)).json()["snapshot"] == number


async def test_the_ids_move_once_more_when_the_further_tables_of_a_snapshot_follow(
    client, ranked, runtime, monkeypatch
):
    monkeypatch.setattr(cache, "FRESH", 0.0)
    await ranked()
    await runtime.database.write(lambda session: session.query(PartRow).delete())
    before = await client.get(NEWEST)
    late = PartRow(
        snapshot_id=1, kind="orders", category="", language="", parameters={}, votes=1, digest="d" * 64, payload="{}"
    )
    await runtime.database.write(snapshots.add_parts, [late])
    after = await client.get(NEWEST)
    assert (before.json(), after.json()) == ({"snapshot": 1, "tables": 0}, {"snapshot": 1, "tables": 1})
    assert before.headers["etag"] != after.headers["etag"]


async def test_the_ids_are_read_once_a_second_and_not_modified_while_nothing_is_new(client, ranked, monkeypatch):
    await ranked()
    reads, newest = [], snapshots.newest_ids
    monkeypatch.setattr(cache.snapshots, "newest_ids", lambda session: reads.append(1) or newest(session))
    tag = (await client.get(NEWEST)).headers["etag"]
    for _ in range(20):
        assert (await client.get(NEWEST, headers={"If-None-Match": tag})).status_code == 304
    assert len(reads) == 1


async def test_a_thousand_reads_of_a_new_snapshot_parse_it_once(app, client, ranked, monkeypatch):
    await ranked()
    parsed = []
    monkeypatch.setattr(
        "arena.api.boards.cache.documents.whole", lambda session, **how: parsed.append(1) or parse(session, **how)
    )
    await asyncio.gather(*(app.state.boards.leaderboard() for _ in range(1000)))
    assert len(parsed) == 1


async def test_readers_at_one_moment_share_one_look_at_what_is_newest(app, ranked, monkeypatch):
    await ranked()
    looks, newest = [], snapshots.newest_ids
    monkeypatch.setattr(
        "arena.api.boards.cache.snapshots.newest_ids", lambda session: looks.append(1) or newest(session)
    )
    await asyncio.gather(*(app.state.boards.leaderboard() for _ in range(1000)))
    assert len(looks) == 1


@pytest.fixture
def divided(runtime):
    """Three hundred votes of two languages and categories, published with all that stands beside the board."""

    async def divided(count: int = 300) -> None:
        await importer.import_votes(runtime.database, made(count), START)
        with ThreadPoolExecutor(1) as executor:
            await publish_once(runtime.database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC))

    return divided


async def test_boards_of_categories_and_languages_are_named_and_served(client, divided):
    await divided()
    whole = (await client.get("/api/v1/leaderboard")).json()
    boards = {(board["category"], board["language"]): board for board in whole["boards"]}
    assert len(boards) == 8
    for (category, language), listed_board in boards.items():
        query = {"category": category, "language": language}
        board = (await client.get("/api/v1/leaderboard", params=query)).json()
        assert (board["category"], board["language"]) == (category, language)
        assert (board["snapshot"]["votes"], board["snapshot"]["digest"]) == (
            listed_board["votes"],
            listed_board["digest"],
        )
        assert sum(row["battles"] for row in board["rows"]) == 2 * listed_board["votes"]
        assert (board["boards"], board["beside"]) == (whole["boards"], whole["beside"])
        table = await client.get("/api/v1/leaderboard.csv", params=query)
        assert [row["name"] for row in csv.DictReader(io.StringIO(table.text))] == [r["name"] for r in board["rows"]]
    tags = {(await client.get("/api/v1/leaderboard", params={"category": c})).headers["etag"] for c in ("code", "chat")}
    assert len(tags) == 2


@pytest.mark.parametrize("path", ["leaderboard", "leaderboard.csv"])
async def test_an_unknown_board_is_answered_with_those_that_exist(client, divided, path):
    missing = await client.get(f"/api/v1/{path}", params={"category": "poetry"})
    assert (missing.status_code, missing.json()["code"]) == (404, "no_board")
    await divided()
    for query in ({"category": "poetry"}, {"language": "tlh"}, {"category": "code", "language": "tlh"}):
        missing = await client.get(f"/api/v1/{path}", params=query)
        assert (missing.status_code, missing.json()["code"]) == (404, "no_board")
        assert "code/zh" in missing.json()["detail"]
    too_long = await client.get(f"/api/v1/{path}", params={"category": "x" * 41})
    assert too_long.json()["code"] == "invalid"


async def test_style_and_orders_are_served_beside_the_board(client, divided):
    await divided()
    style = (await client.get("/api/v1/leaderboard/style")).json()
    assert [feature["name"] for feature in style["features"]] == ["length", "headers", "lists", "bold", "position"]
    assert style["snapshot"]["votes"] == style["votes"] == 240
    orders = await client.get("/api/v1/leaderboard/orders")
    assert len(orders.json()["paths"]) == len(orders.json()["rows"]) == 4
    again = await client.get("/api/v1/leaderboard/orders", headers={"If-None-Match": orders.headers["etag"]})
    assert again.status_code == 304


async def test_without_measured_answers_there_is_no_style_and_it_is_said(client, ranked):
    await ranked()
    assert (await client.get("/api/v1/leaderboard")).json()["beside"] == ["orders"]
    assert (await client.get("/api/v1/leaderboard/style")).json()["code"] == "no_board"
    assert (await client.get("/api/v1/leaderboard/orders")).status_code == 200


async def test_a_stored_table_that_cannot_be_read_is_told_and_is_no_bug(client, divided, runtime):
    await divided()

    def spoil(session) -> None:
        session.query(SnapshotRow).one().payload = '{"rows": [{"name": "x"}]}'
        session.query(PartRow).update({"payload": "not even JSON"})

    await runtime.database.write(spoil)
    for path in ("", ".csv", "?category=code", "/style", "/orders"):
        answer = await client.get(f"/api/v1/leaderboard{path}")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), path
    assert (await client.get("/api/v1/leaderboard/history")).json()["courses"] == []


async def test_the_method_tells_how_many_votes_were_left_out_and_why(client, ranked, runtime):
    await ranked()
    await ranked("b")
    await votes.exclude(runtime.database, 1, reason="a test of the operator", by="me", now=START)
    await ranked("tie")
    body = (await client.get("/api/v1/leaderboard/method")).json()
    assert (body["log"], body["snapshot"]["votes"]) == (3, 2)
    assert body["left_out"] == {"a test of the operator": 1}
    assert [(row["model"], row["ties"]) for row in body["ties"]] == [
        (model, 0.5) for _ in range(2) for model in ("davidson", "rao_kupper")
    ]


@pytest.mark.both_databases
async def test_the_method_tells_how_many_votes_of_the_log_were_imported(client, ranked, runtime):
    await ranked()
    assert (await client.get("/api/v1/leaderboard/method")).json()["imported"] == 0
    await importer.import_votes(runtime.database, made()[:30], START)
    assert (await client.get("/api/v1/leaderboard/method")).json()["imported"] == 0
    await ranked()
    body = (await client.get("/api/v1/leaderboard/method")).json()
    assert (body["log"], body["imported"]) == (32, 30)


async def test_the_history_has_a_moment_for_each_kept_hour(client, ranked, runtime):
    await ranked()
    await ranked("b")

    def age(session) -> None:
        snapshots.by_id(session, 1).created_at = datetime.now(UTC) - timedelta(hours=2)

    await runtime.database.write(age)
    body = (await client.get("/api/v1/leaderboard/history")).json()
    assert [moment["snapshot"] for moment in body["moments"]] == [1, 2]
    assert {course["name"] for course in body["courses"]} == {"red-7b", "blue-7b"}
    assert all(len(course["bt"]) == 2 and None not in course["bt"] for course in body["courses"])


def test_a_long_history_is_thinned_evenly_and_keeps_its_ends():
    assert thinned([1, 2, 3], 60) == [1, 2, 3]
    moments = thinned(range(1000), 60)
    assert (len(moments), moments[0], moments[-1]) == (60, 0, 999)
    assert len(set(moments)) == 60


async def test_models_tell_who_takes_part_and_nothing_of_how_they_are_called(client, runtime):
    models = (await client.get("/api/v1/models")).json()
    assert [model["name"] for model in models] == ["blue-7b", "red-7b"]
    assert not {"url", "dialect", "wire_model", "key_env"} & set(models[0])
    one = (await client.get("/api/v1/models/red-7b")).json()
    assert {name: one[name] for name in models[1]} == models[1]
    assert [(version["name"], version["version"]) for version in one["versions"]] == [("red-7b", 1)]
    assert (one["standings"], one["meetings"], one["answered"], one["failed"]) == ([], [], 0, 0)
    missing = await client.get("/api/v1/models/nobody/here")
    assert (missing.status_code, missing.json()["code"]) == (404, "model_not_found")


async def test_models_tell_the_facts_that_their_owners_gave(client, runtime):
    facts = {"open_weights": True, "billions": 7.0, "context_tokens": 8192, "price_in": 0.1, "price_out": 0.4}

    def tell(session) -> None:
        row = session.query(EndpointRow).filter_by(name="red-7b").one()
        for fact, value in facts.items():
            setattr(row, fact, value)

    await runtime.database.write(tell)
    blue, red = (await client.get("/api/v1/models")).json()
    assert {fact: red[fact] for fact in facts} == facts
    assert {blue[fact] for fact in facts} == {None}
    assert red["energy"] is None


async def test_a_model_has_a_record_on_every_board_against_every_opponent_and_of_its_failures(
    client, ranked, part, runtime, divided, publish_figures
):
    await ranked()
    part("red-7b", error=BadReply("no"))
    battle_id = (await client.post("/api/v1/battles", json={"prompt": "Hello"})).json()["id"]
    await client.get(f"/api/v1/battles/{battle_id}/stream")
    await publish_figures()
    record = (await client.get("/api/v1/models/red-7b")).json()
    board = (await client.get("/api/v1/leaderboard")).json()
    assert record["standings"] == [
        {
            "category": "",
            "language": "",
            "row": next(row for row in board["rows"] if row["name"] == "red-7b"),
            "count": 2,
        }
    ]
    (meeting,) = record["meetings"]
    assert (meeting["opponent"], meeting["battles"]) == ("blue-7b", 1)
    assert meeting["wins"] + meeting["losses"] == 1
    assert (record["answered"], record["failed"]) == (2, 1)
    await divided()
    ant = (await client.get("/api/v1/models/ant")).json()
    assert len(ant["standings"]) == 9
    assert sum(meeting["battles"] for meeting in ant["meetings"]) == ant["standings"][0]["row"]["battles"]


async def test_all_boards_are_in_one_table_with_the_ranks_of_a_week_ago(client, runtime, divided):
    empty = (await client.get("/api/v1/leaderboard/overview")).json()
    assert (empty["snapshot"], empty["boards"], empty["rows"]) == (None, [], [])
    await divided()
    table = await client.get("/api/v1/leaderboard/overview")
    names = [(board["category"], board["language"]) for board in table.json()["boards"]]
    assert names == [("", ""), ("chat", ""), ("code", ""), ("", "en"), ("", "zh")]
    for number, (category, language) in enumerate(names):
        board = (await client.get(f"/api/v1/leaderboard?category={category}&language={language}")).json()
        ranks = {row["name"]: row["places"][number]["rank"] for row in table.json()["rows"] if row["places"][number]}
        assert ranks == {row["name"]: row["rank"] for row in board["rows"]}
    assert (table.json()["since"], {row["before"] for row in table.json()["rows"]}) == (None, {None})

    def age(session) -> None:
        row = session.query(SnapshotRow).one()
        row.created_at -= timedelta(days=8)
        row.payload = json.dumps({"rows": [line | {"rank": 9} for line in json.loads(row.payload)["rows"]]})

    await runtime.database.write(age)
    await divided(320)
    later = (await client.get("/api/v1/leaderboard/overview")).json()
    assert (later["since"] is not None, {row["before"] for row in later["rows"]}) == (True, {9})
    assert {row["moved"] for row in later["rows"]} == {0}


async def test_practice_models_have_no_place_on_any_board_once_a_real_one_has_votes(client, runtime, divided):
    await divided()

    def mark(session) -> str:
        leader = json.loads(session.query(SnapshotRow).one().payload)["rows"][0]["name"]
        for row in (*session.query(SnapshotRow), *session.query(PartRow).filter_by(kind="board")):
            content = json.loads(row.payload)
            lines = [line | {"demo": line["name"] == leader} for line in content["rows"]]
            row.payload = json.dumps(content | {"rows": lines})
        return leader

    leader = await runtime.database.write(mark)
    for query in ("", "?category=code", "?language=en", "?by=elo"):
        rows = (await client.get(f"/api/v1/leaderboard{query}")).json()["rows"]
        assert [(row["name"], row["component"]) for row in rows if row["component"]] == [(leader, 1)]
        assert [row["rank"] for row in rows] == [1, 2, 3, 1]
    table, history = [(await client.get(f"/api/v1/leaderboard/{name}")).json() for name in ("overview", "history")]
    rows = (await client.get("/api/v1/leaderboard")).json()["rows"]
    assert [row["places"][0]["rank"] for row in table["rows"]] == [row["rank"] for row in rows]
    assert {course["name"]: course["rank"] for course in history["courses"]} == {
        row["name"]: [None if row["component"] else row["rank"]] for row in rows
    }
    best = next(row for row in rows if row["rank"] == 1)
    standing = (await client.get(f"/api/v1/models/{best['name']}")).json()["standings"][0]
    assert (standing["row"]["rank"], standing["count"]) == (1, 3)


UP, NOW = {"rank": 9, "rank_low": 8, "rank_high": 9}, {"rank": 3, "rank_low": 1, "rank_high": 3, "component": 0}
MOVES = {
    "bounds that meet": ({"rank": 9, "rank_low": 3, "rank_high": 9}, NOW, 0),
    "up": (UP, NOW, 5),
    "down": ({"rank": 1, "rank_low": 1, "rank_high": 1}, NOW | {"rank_low": 3}, -2),
    "another group then": (UP | {"component": 1}, NOW, 0),
    "another group now": (UP, NOW | {"component": 1}, 0),
    "absent then": ({"name": "another"}, NOW, 0),
}


async def test_a_model_has_moved_where_the_rank_bounds_of_then_and_now_are_apart(runtime, divided):
    await divided()

    def age(session) -> None:
        session.query(SnapshotRow).one().created_at -= timedelta(days=8)

    def move(session, then: dict[str, int], now: dict[str, int]) -> int:
        for row, fields in zip(session.query(SnapshotRow).order_by(SnapshotRow.id), (then, now), strict=True):
            first, *others = json.loads(row.payload)["rows"]
            row.payload = json.dumps({"rows": [first | {"component": 0, "name": "first"} | fields, *others]})
        return next(row.moved for row in overview(session)[0].rows if row.name == "first")

    def moves(session) -> tuple[dict[str, int], int]:
        by_claims = {name: move(session, then, now) for name, (then, now, _) in MOVES.items()}
        session.query(SnapshotRow).order_by(SnapshotRow.id).first().method = METHOD_BY_LOOK
        return by_claims, move(session, UP, NOW)

    await runtime.database.write(age)
    await divided(320)
    by_claims, by_one_look = await runtime.database.write(moves)
    assert (by_claims, by_one_look) == ({name: moved for name, (_, _, moved) in MOVES.items()}, 0)


async def test_a_history_is_offered_once_it_has_two_moments(client, runtime, ranked):
    def age(session) -> None:
        session.query(SnapshotRow).one().created_at -= timedelta(hours=2)

    await ranked()
    assert (await client.get("/api/v1/leaderboard")).json()["beside"] == ["orders"]
    await runtime.database.write(age)
    await ranked()
    assert (await client.get("/api/v1/leaderboard")).json()["beside"] == ["orders", "history"]


async def test_the_variants_that_an_owner_has_tried_are_counted_unlisted_ones_too(client, runtime):
    def hide(session) -> None:
        session.query(EndpointRow).filter_by(name="red-7b").one().listed = False

    before = (await client.get("/api/v1/models/blue-7b")).json()["variants"]
    await runtime.database.write(hide)
    assert [model["variants"] for model in (await client.get("/api/v1/models")).json()] == [before]


async def test_a_draft_that_never_took_part_is_no_variant(client, runtime):
    def add_draft(session) -> None:
        first = session.query(EndpointRow).filter_by(name="red-7b").one()
        draft = EndpointRow(
            name="red-8b", owner_id=first.owner_id, dialect=first.dialect, url=first.url, wire_model="m"
        )
        draft.state, draft.created_at = EndpointState.DRAFT, runtime.now()
        session.add(draft)
        record(session, draft, Step("owner:1", because("registered"), runtime.now()), None)

    before = (await client.get("/api/v1/models/red-7b")).json()["variants"]
    await runtime.database.write(add_draft)
    assert (await client.get("/api/v1/models/red-7b")).json()["variants"] == before


async def test_a_model_that_is_not_listed_is_not_known_to_the_public(client, runtime):
    def hide(session) -> None:
        session.query(EndpointRow).filter_by(name="red-7b").one().listed = False

    await runtime.database.write(hide)
    assert [model["name"] for model in (await client.get("/api/v1/models")).json()] == ["blue-7b"]
    assert (await client.get("/api/v1/models/red-7b")).json()["code"] == "model_not_found"


async def test_the_status_says_whether_battles_may_start(client, runtime):
    status = (await client.get("/api/v1/status")).json()
    assert (status["endpoints"], status["votes"], status["accepting"]) == (2, 0, True)

    def retire(session) -> None:
        session.query(EndpointRow).first().state = "retired"

    await runtime.database.write(retire)
    assert (await client.get("/api/v1/status")).json()["accepting"] is False


async def test_a_model_s_results_are_collected_once_for_each_board(client, runtime, divided, monkeypatch):
    await divided()
    read, count = type(runtime.database).read, 0

    async def counted(self, *args, **more):
        nonlocal count
        count += 1
        return await read(self, *args, **more)

    name = (await client.get("/api/v1/leaderboard")).json()["rows"][0]["name"]
    first = (await client.get(f"/api/v1/models/{name}")).json()
    monkeypatch.setattr(type(runtime.database), "read", counted)
    assert (await client.get(f"/api/v1/models/{name}")).json() == first
    assert len(first["standings"]) > 4
    assert count <= 4
