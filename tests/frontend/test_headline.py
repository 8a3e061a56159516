"""What a reader sees of a board first: headline, the best three, moves, bars and their scales, and how it is ranked."""

from __future__ import annotations

import pytest

from arena.domain.schemas.leaderboard import LeaderboardView
from arena_frontend.texts import LANGUAGES, texts

from .fake_api import board
from .html_tree import Reader, text

ROWS = ".//tbody[@id='board-rows']/tr[@data-name]"
BARS = ".//svg[@class='a-track a-bar']"


def lowest(rank: int, ranks: tuple[tuple[int, int], ...]) -> int:
    """The last place of a model: no model whose best rank is behind it can be before it."""
    return max(place for place, best in ranks if best <= rank)


def with_ranks(*ranks: tuple[int, int], **fields: object) -> LeaderboardView:
    """A board whose models have these ranks and best ranks."""
    whole = board(len(ranks))
    rows = [
        row.model_copy(
            update={
                "rank": rank,
                "rank_low": low,
                "rank_high": max(place for place, best in ranks if best <= rank),
                **fields,
            }
        )
        for row, (rank, low) in zip(whole.rows, ranks, strict=True)
    ]
    return whole.model_copy(update={"rows": rows})


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        (((1, 1), (2, 2), (3, 2), (4, 2), (5, 5)), "heron-1 leads; model-b-7b-chat may stand as low as place 4."),
        (((1, 1), (2, 2), (3, 3), (4, 3)), "heron-1 leads; model-b-7b-chat is second."),
        (((1, 1), (2, 1), (3, 1), (4, 4)), "heron-1 is ahead, but may stand as low as place 3."),
    ],
)
async def test_a_sentence_says_who_leads_and_which_places_are_tied(arena, ranks, said):
    arena.fake.board = with_ranks(*ranks)
    page = await arena.get("/leaderboard")
    assert page.text(".//p[@id='board-headline']") == said
    assert page.texts(".//ol[@class='a-podium']/li//a") == [row.name for row in arena.fake.board.rows[:3]]


async def test_the_headline_says_the_range_of_the_row_and_no_other(arena):
    arena.fake.board = with_ranks((1, 1), (2, 2), (3, 2), (4, 3))
    second = arena.fake.board.rows[1].model_copy(update={"rank_high": 9})
    arena.fake.board = arena.fake.board.model_copy(
        update={"rows": [arena.fake.board.rows[0], second, *arena.fake.board.rows[2:]]}
    )
    page = await arena.get("/leaderboard")
    assert page.text(".//p[@id='board-headline']").endswith(f"{second.name} may stand as low as place 9.")


async def test_newcomers_lead_nothing_and_a_young_board_has_no_headline(arena):
    whole = with_ranks((1, 1), (2, 2), (3, 3), (4, 4))
    rows = [row.model_copy(update={"battles": 500 if n else 3}) for n, row in enumerate(whole.rows)]
    arena.fake.board = whole.model_copy(update={"rows": rows})
    assert (await arena.get("/leaderboard")).text(".//p[@id='board-headline']").startswith("model-b-7b-chat leads")
    arena.fake.board = board(8, number=2, votes=12)
    assert (await arena.get("/leaderboard")).tree.find(".//p[@id='board-headline']") is None


async def test_moves_since_last_week_stand_beside_ranks_with_their_date(arena):
    arena.fake.board = board(4)
    names = [row.name for row in arena.fake.board.rows]
    page = await arena.get("/leaderboard")
    assert page.tree.find(".//span[@id='board-since']") is None
    assert page.tree.find(".//span[@class='a-move']") is None
    arena.fake.board_data.before = {names[0]: 3, names[1]: 1, names[2]: 3, names[3]: 3}
    arena.fake.board_data.moved = {names[0]: 2, names[1]: -1}
    arena.fake.board = board(4, number=2).model_copy(update={"rows": arena.fake.board.rows})
    page = await arena.get("/leaderboard")
    assert page.text(".//span[@id='board-since']") == "▲▼ rank changes since 2026-01-02 that the votes prove"
    moves = [text(row.find(".//span[@class='a-move']")) for row in page.tree.findall(ROWS)[:2]]
    assert moves == ["▲2 up at least 2 places", "▼1 down at least 1 place"]
    assert [row.find(".//span[@class='a-move']") for row in page.tree.findall(ROWS)[2:]] == [None, None]


async def test_one_newcomer_squeezes_no_interval_and_has_an_arrow_where_its_own_goes_on(arena):
    whole = board(4)
    narrow = [float(bar.attrib["width"][:-1]) for bar in (await shown(arena, whole)).findall(f"{BARS}/rect[2]")]
    new = {"battles": 3, "score": 2000.0, "bt": 1100.0, "bt_low": 620.0, "bt_high": 1580.0}
    rows = [*whole.rows[:3], whole.rows[3].model_copy(update=new)]
    tree = await shown(arena, whole.model_copy(update={"rows": rows}))
    widths = [float(bar.attrib["width"][:-1]) for bar in tree.findall(f"{BARS}/rect[2]")]
    assert widths[:3] >= narrow[:3]
    assert widths[3] == 100
    assert [len(bar.findall("svg[@class='a-beyond']")) for bar in tree.findall(BARS)] == [0, 0, 0, 2]


async def shown(arena: Reader, whole: LeaderboardView):
    """The page of this board."""
    number = (arena.fake.board.snapshot.id if arena.fake.board else 0) + 1
    snapshot = whole.snapshot.model_copy(update={"id": number})
    arena.fake.board = whole.model_copy(update={"snapshot": snapshot})
    return (await arena.get("/leaderboard")).tree


async def test_a_group_that_met_no_other_has_a_scale_of_its_own(arena):
    whole = board(4)
    apart = {"component": 1, "demo": False, "bt": 5000.0, "bt_low": 4900.0, "bt_high": 5100.0, "rank": 1}
    rows = [*whole.rows[:3], whole.rows[3].model_copy(update=apart)]
    alone = [bar.attrib["x"] for bar in (await shown(arena, board(3))).findall(f"{BARS}/rect[2]")]
    tree = await shown(arena, whole.model_copy(update={"rows": rows}))
    widths = [float(bar.attrib["width"][:-1]) for bar in tree.findall(f"{BARS}/rect[2]")]
    assert len(alone) == 3
    assert min(widths) > 3


async def test_bars_have_the_colour_of_their_band(arena):
    arena.fake.board = with_ranks((1, 1), (2, 2), (3, 2), (4, 4))
    tree = (await arena.get("/leaderboard")).tree
    colours = [bar.attrib["data-colour"] for bar in tree.findall(BARS)]
    assert colours[1] == colours[2]
    assert len(set(colours)) == 3
    begins = [row.attrib["data-name"] for row in tree.findall(f"{ROWS}[@data-begins]")]
    assert begins == [arena.fake.board.rows[n].name for n in (1, 3)]


@pytest.mark.parametrize(
    ("by", "column", "first"), [("elo", "elo", "1,176"), ("points", "ppb", "0.64"), ("win", "win", "64.2%")]
)
async def test_the_switch_ranks_by_another_score_in_the_address_and_the_files(arena, by, column, first):
    arena.fake.board = board(8)
    page = await arena.get("/leaderboard")
    links = {link.attrib["id"]: link.attrib["href"] for link in page.tree.findall(".//nav[@id='board-by']/a")}
    assert links[f"by-{by}"] == f"/leaderboard?by={by}"
    assert page.texts(".//nav[@id='board-by']/a[@aria-current]") == ["Bradley–Terry"]
    page = await arena.get(links[f"by-{by}"])
    assert text(page.tree.find(f"{ROWS}/td[@data-main]//b")) == first
    assert page.tree.find(f".//a[@id='sort-{column}']") is not None
    assert [link.attrib["href"] for link in page.tree.findall(".//p[@id='board-downloads']/a")][1:3] == [
        f"/api/v1/leaderboard.csv?by={by}",
        f"/api/v1/leaderboard?by={by}",
    ]
    assert (await arena.get("/leaderboard?by=bt")).text(".//nav[@id='board-by']/a[@aria-current]") == "Bradley–Terry"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_score_that_nobody_computes_is_said_with_those_that_there_are(arena, language):
    arena.fake.board = board(8)
    page = await arena.get(f"/leaderboard?by=%3Cglicko%3E&lang={language}")
    words = texts(language)
    assert (page.status, page.text(".//h2")) == (422, words.fill("by.unknown.title", by="<glicko>"))
    assert len(page.tree.findall(".//p[@class='a-choices']/a")) == 4


async def test_tabs_that_have_nothing_are_not_shown(arena):
    arena.fake.board = board(8)
    tabs = ".//nav[@id='board-views']/a"
    assert "History" not in (await arena.get("/leaderboard")).texts(tabs)
    arena.fake.board_data.moments = 2
    arena.fake.board = board(8, number=2)
    assert "History" in (await arena.get("/leaderboard")).texts(tabs)
    bare = board(3, number=3)
    rows = [row.model_copy(update={"name": f"bird-{n}"}) for n, row in enumerate(bare.rows)]
    arena.fake.board = bare.model_copy(update={"rows": rows, "pairs": []})
    assert not {"Wins", "Battles", "Value"} & set((await arena.get("/leaderboard")).texts(tabs))


async def test_tabs_of_capabilities_name_who_leads_there(arena):
    arena.fake.board = arena.fake.board_data.add(board(8), ("code", ""), ("", "zh"))
    page = await arena.get("/leaderboard")
    leader = arena.fake.board_data.boards["code", ""].rows[0].name
    assert text(page.tree.find(".//a[@id='category-code']/em")) == leader


async def test_price_context_and_variants_are_columns_without_being_asked_for(arena):
    arena.fake.board = board(4)
    arena.fake.board_data.facts = {
        "heron-1": {"context_tokens": 131_072, "price_in": 0.5, "price_out": 2.0, "variants": 7}
    }
    row = (await arena.get("/leaderboard")).tree.find(ROWS)
    cells = {cell.attrib["data-key"]: text(cell) for cell in row}
    assert (cells["price"], cells["context"], cells["variants"]) == ("$0.50 / $2.00", "128K", "7")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_picture_of_intervals_has_both_and_says_what_the_thin_line_is(arena, language):
    arena.fake.board = board()
    page = await arena.get(f"/leaderboard?picture=intervals&lang={language}")
    rows = arena.fake.board.rows
    assert page.text(".//figure[@id='panel-intervals']//p") == texts(language)["chart.intervals.help"]
    thin = page.tree.findall(".//figure[@id='panel-intervals']//rect[@class='a-independent']")
    wide = page.tree.findall(".//figure[@id='panel-intervals']//rect[@class='a-range']")
    assert len(thin) == len(wide) == len(rows)
    for one, other in zip(thin, wide, strict=True):
        ratio = float(one.get("width").rstrip("%")) / float(other.get("width").rstrip("%"))
        assert ratio == pytest.approx(0.6, abs=0.02)
    page = await arena.get(f"/leaderboard?picture=intervals&by=win&lang={language}")
    assert page.tree.find(".//rect[@class='a-independent']") is None
    assert texts(language)["by.win"] in page.text(".//figure[@id='panel-intervals']//p")
