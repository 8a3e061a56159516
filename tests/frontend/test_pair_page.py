"""The page of two models: one address for each pair, and a clear page for each that cannot be compared."""

from __future__ import annotations

import re
from itertools import product
from urllib.parse import unquote

import pytest

from arena.domain.schemas.shares import ListedBattleView
from arena.domain.schemas.site import SiteView
from arena.domain.site import SitePage
from arena.domain.terms import EndpointState
from arena_frontend.app import create_app
from arena_frontend.pages.pair.address import pair_address, pair_named
from arena_frontend.pages.pair.page import LEAST_VOTERS, LEAST_VOTES
from arena_rating import clusters as claims
from arena_rating.clusters import MIN_CLUSTERS

from .fake_api import FakeArena, board
from .html_tree import reader

PAIR = "/pairs/heron-1-vs-model-b-7b-chat"
NAMES = ("a", "a-vs-b", "-vs-", "vs", "a-vs", "vs-b", "x/y", "~", "a-~vs-b", "a~~", "GPT 4 (最新)?#%2F", "-vs-vs-")


@pytest.fixture
def fake() -> FakeArena:
    return FakeArena(board=board(8))


@pytest.mark.parametrize(("one", "other"), [pair for pair in product(NAMES, NAMES) if pair[0] < pair[1]])
def test_every_pair_has_one_address_that_names_it(one: str, other: str) -> None:
    address = pair_address(one, other)
    assert address == pair_address(other, one)
    assert set(pair_named(unquote(address).removeprefix("/pairs/")) or ()) == {one, other}


async def test_it_says_who_is_better_in_its_title_description_and_first_sentence(arena):
    page = await arena.get(PAIR)
    bounds = "(52% to 72%; bounds that hold however often one looks, 95 %)"
    said = f"heron-1 is better: it is expected to win 62% of votes between the two {bounds}."
    assert (page.status, page.text(".//h1"), page.text(".//title")) == (
        *(200, "heron-1 vs model-b-7b-chat", "heron-1 vs model-b-7b-chat – Battle Arena"),
    )
    assert page.text(".//div[@class='a-page-head']/p") == said
    for name in ("name='description'", "property='og:description'"):
        assert page.tree.find(f".//meta[@{name}]").attrib["content"] == said
    assert len(page.tree.findall(".//ol[@class='a-intervals']/li")) == 2
    assert "heron-1 won 34" in page.text(".//section[@aria-labelledby='pair.met']")
    assert "60% of 10" in page.text(".//section[@aria-labelledby='pair.met']")
    tried = next(link for link in page.tree.findall(".//a[@class='a-act']"))
    assert tried.attrib["href"] == "/side-by-side?model=heron-1&model=model-b-7b-chat"


@pytest.mark.parametrize(
    ("language", "said"),
    [("zh", "更好的概率（仅就此刻而言）：heron-1 "), ("zh-TW", "更好的機率（僅就此刻而言）：heron-1 ")],
)
async def test_chinese_sentences_have_marks_of_full_width(arena, language, said):
    arena.fake.board_data.chances = [arena.fake.board_data.chances[0].model_copy(update={"more": 120, "better": 0.8})]
    text = (await arena.get(f"{PAIR}?lang={language}")).text(".//section[@class='a-figure a-verdict']")
    assert said in text
    assert re.search("%。 ?大", text)


@pytest.mark.parametrize(
    "address",
    [
        "/pairs/model-b-7b-chat-vs-heron-1",
        "/pairs?x=model-b-7b-chat&y=heron-1",
        "/pairs?x=heron-1&y=model-b-7b-chat",
        "/pairs?a=heron-1&b=model-b-7b-chat",
    ],
)
async def test_other_addresses_of_a_pair_lead_to_its_one(arena, address):
    page = await arena.get(address)
    assert (page.status, page.headers["location"]) == (308, PAIR)


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/pairs", 200, ""),
        ("/pairs/heron-1-vs-nobody", 404, "There is no public model called nobody."),
        ("/pairs/heron-1-vs-org/model", 404, "There is no public model called org/model."),
        ("/pairs/heron-1", 200, ""),
        ("/pairs/nonsense", 404, "There is no public model called nonsense."),
        ("/pairs/heron-1-vs-heron-1", 200, "A model cannot be compared with itself. Please choose another one."),
    ],
)
async def test_whatever_is_no_pair_says_so_and_lets_two_be_chosen(arena, address, status, said):
    page = await arena.get(address)
    assert (page.status, " ".join(page.texts(".//p[@role='alert']"))) == (status, said)
    assert {"heron-1", "model-b-7b-chat"} < set(page.texts(".//select[@name='y']/option"))


@pytest.mark.parametrize(("language", "said"), [("en", "Choose a model"), ("zh", "选择模型"), ("zh-TW", "選擇模型")])
async def test_a_box_without_a_model_asks_for_one(arena, language, said):
    page = await arena.get(f"/pairs?lang={language}")
    assert page.texts(".//select/option[@value='']") == [said, said]


@pytest.mark.parametrize(("computing", "said"), [(False, "No battles connect these two"), (True, "being computed")])
async def test_a_pair_that_nothing_connects_or_that_is_being_computed_says_so(arena, computing, said):
    arena.fake.board_data.chances, arena.fake.board_data.computing = [], computing
    page = await arena.get(PAIR)
    assert page.status == 200
    assert said in page.text(".//div[@class='a-page-head']/p")
    assert page.tree.find(".//svg[@class='a-split']") is None


async def test_a_pair_that_the_votes_do_not_tell_apart_is_not_called_better(arena):
    update = {"claim_low": 0.4, "more": 1200, "better": 0.8}
    arena.fake.board_data.chances = [arena.fake.board_data.chances[0].model_copy(update=update)]
    page = await arena.get(PAIR)
    said = page.text(".//div[@class='a-page-head']/p")
    assert said.startswith("Too close to call: ")
    assert "anything from 40% to 72%" in said
    assert "About 1,200 more votes between them would settle it." in page.text(
        ".//section[@class='a-figure a-verdict']"
    )


async def test_before_three_hundred_votes_of_twenty_voters_there_is_no_verdict_whatever_the_interval(arena):
    chance = arena.fake.board_data.chances[0].model_copy(update={"claim_low": None, "claim_high": None, "more": 120})
    arena.fake.board_data.chances = [chance]
    said = (await arena.get("/pairs/heron-1-vs-model-b-7b-chat")).text(".//div[@class='a-page-head']/p")
    assert said.startswith(
        "Too few votes for a verdict: from the votes so far, heron-1 is expected to win 62% of votes (95 % interval 55%"
    )
    assert "needs 300 votes on the board, and 20 voters of each model" in said
    assert (LEAST_VOTES, LEAST_VOTERS) == (claims.MIN_VOTES, MIN_CLUSTERS)


async def test_battles_that_their_voters_let_everybody_find_are_linked_by_the_beginning_of_their_question(arena):
    assert (await arena.get(PAIR)).tree.find(".//section[@aria-labelledby='pair.examples']") is None
    questions = {"AbC-_9": "Why is <b>the sky</b> blue?", "second": "你好"}
    arena.fake.board_data.examples = [ListedBattleView(token=token, question=text) for token, text in questions.items()]
    page = await arena.get(PAIR)
    links = page.tree.findall(".//section[@aria-labelledby='pair.examples']//a")
    assert {link.attrib["href"].removeprefix("/shared?b="): link.text for link in links} == questions
    assert {link.attrib["rel"] for link in links} == {"nofollow"}


async def test_links_to_a_battle_of_two_open_a_chat_with_both_by_name(arena):
    page = await arena.get("/?vs=heron-1,model-b-7b-chat")
    assert (page.status, page.headers["location"]) == (307, "/side-by-side?model=heron-1&model=model-b-7b-chat")


async def test_model_and_board_lead_to_pairs(arena):
    assert f'href="{PAIR}"' in (await arena.get("/model?name=heron-1")).html
    assert 'href="/pairs"' in (await arena.get("/leaderboard")).html


async def test_the_map_of_the_site_names_the_operators_pages_and_pairs_with_enough_battles(fake: FakeArena):
    whole = board(4)
    pairs = [pair.model_copy(update={"battles": 29 + (n > 0)}) for n, pair in enumerate(whole.pairs)]
    fake.board = whole.model_copy(update={"pairs": pairs})
    fake.site = SiteView(pages=[SitePage.IMPRINT])
    arena = reader(fake, create_app("https://arena.example", fresh=0))
    page = await arena.get("/sitemap.xml")
    found = [entry.text or "" for entry in page.tree.iter("loc")]
    assert sum("/pairs/" in entry for entry in found) == len(pairs) - 1
    assert f"https://arena.example{PAIR}" not in found
    assert "https://arena.example/model?name=heron-1" in found
    assert "https://arena.example/imprint" in found
    assert "https://arena.example/terms" not in found
    assert "Sitemap: https://arena.example/sitemap.xml" in (await arena.get("/robots.txt")).html


async def test_a_pair_is_offered_for_a_chat_only_where_both_can_be_called(arena):
    actions = ".//p[@class='a-actions']"
    assert (await arena.get(PAIR)).text(actions).startswith("Try this pair")
    arena.fake.board_data.facts = {"model-b-7b-chat": {"state": EndpointState.IMPORTED}}
    said = (await arena.get(PAIR)).text(actions)
    assert "model-b-7b-chat cannot be called here" in said
    assert "Try this pair" not in said


async def test_what_is_unknown_of_an_imported_model_is_not_called_no(arena):
    facts = ".//dl[@class='a-facts-list a-model-facts']/div/dt"
    known = set((await arena.get("/model?name=heron-1")).texts(facts))
    arena.fake.board_data.facts = {"heron-1": {"state": EndpointState.IMPORTED}}
    assert known - set((await arena.get("/model?name=heron-1")).texts(facts)) == {"Joined", "Languages", "Reads images"}


CHEAP, DEAR = {"price_in": 0.1, "price_out": 0.5}, {"price_in": 1.0, "price_out": 5.0}


@pytest.mark.parametrize(
    ("prices", "claim", "said"),
    [
        ((CHEAP, DEAR), (0.52, 0.72), "heron-1 is not worse than model-b-7b-chat by more than 20 points"),
        ((CHEAP, DEAR), (0.48, 0.72), "heron-1 is not worse than model-b-7b-chat by more than 20 points"),
        ((CHEAP, DEAR), (0.47, 0.72), "Not yet: whether heron-1 is not worse than model-b-7b-chat"),
        ((DEAR, CHEAP), (0.52, 0.72), "model-b-7b-chat is worse than heron-1 (95 %, at every look)."),
        ((DEAR, CHEAP), (0.3, 0.52), "model-b-7b-chat is not worse than heron-1 by more than 20 points"),
        ((CHEAP, DEAR), (None, None), "Not yet: whether heron-1"),
    ],
)
async def test_the_cheaper_one_has_a_verdict_by_the_bounds_of_all_looks(arena, prices, claim, said):
    data = arena.fake.board_data
    update = dict(zip(("claim_low", "claim_high"), claim, strict=True))
    data.chances = [data.chances[0].model_copy(update=update)]
    data.facts = dict(zip(("heron-1", "model-b-7b-chat"), prices, strict=True))
    section = (await arena.get(PAIR)).text(".//section[@aria-labelledby='pair.cheaper']")
    assert said in section
    assert "Its prices are 90% lower: $0.20 against $2.00 for a million tokens" in section


@pytest.mark.parametrize(
    ("prices", "chance", "more", "within", "said"),
    [
        ((CHEAP, DEAR), 0.52, 900, (340, None), "About 340 more votes between them would tell."),
        ((CHEAP, DEAR), 0.49, 1200, (340, 30), "About 340 more votes between them would tell."),
        ((CHEAP, DEAR), 0.45, 1, (None, 30), "About 1 more vote between them would tell."),
        ((DEAR, CHEAP), 0.52, 900, (340, 5000), "About 900 more votes between them would tell."),
        ((DEAR, CHEAP), 0.48, 900, (340, 5000), "About 5,000 more votes between them would tell."),
        ((CHEAP, DEAR), 0.45, None, (None, None), ""),
    ],
)
async def test_where_there_is_no_verdict_yet_the_page_says_how_many_votes_would_give_one(
    arena, prices, chance, more, within, said
):
    data = arena.fake.board_data
    update = {"chance": chance, "claim_low": 0.3, "claim_high": 0.7, "more": more, "more_within": within}
    data.chances = [data.chances[0].model_copy(update=update)]
    data.facts = dict(zip(("heron-1", "model-b-7b-chat"), prices, strict=True))
    section = (await arena.get(PAIR)).text(".//section[@aria-labelledby='pair.cheaper']")
    assert "Not yet: " in section
    assert said in section
    assert ("would tell" in section) == bool(said)


@pytest.mark.parametrize(("cheap", "said"), [(0.005, "99.7% lower: $0.0050"), (0.0, "100% lower: $0.00")])
async def test_a_saving_of_nearly_all_is_not_all_and_a_small_price_not_nothing(arena, cheap, said):
    free = {"price_in": cheap, "price_out": cheap}
    arena.fake.board_data.facts = {"heron-1": free, "model-b-7b-chat": {"price_in": 2.0, "price_out": 2.0}}
    assert said in (await arena.get(PAIR)).text(".//section[@aria-labelledby='pair.cheaper']")


async def test_a_share_of_nearly_all_votes_is_not_all(arena):
    data = arena.fake.board_data
    data.chances = [data.chances[0].model_copy(update={"chance": 0.9975, "better": 0.99997})]
    section = (await arena.get(PAIR)).text(".//section[@class='a-figure a-verdict']")
    assert section.split()[0] == "99.7%"
    assert "<1%" in section
    assert "heron-1 99.99%" in section
    assert "model-b-7b-chat <0.1%" in section


@pytest.mark.parametrize("prices", [({}, DEAR), (CHEAP, CHEAP), ({}, {})])
async def test_without_two_different_prices_there_is_no_verdict_on_the_cheaper_one(arena, prices):
    arena.fake.board_data.facts = dict(zip(("heron-1", "model-b-7b-chat"), prices, strict=True))
    assert (await arena.get(PAIR)).tree.find(".//section[@aria-labelledby='pair.cheaper']") is None


@pytest.mark.parametrize(
    ("update", "said"),
    [
        (
            {},
            "model-b-7b-chat, in points: +85 (+14 to +164; bounds that hold however often one looks, 95 %).",
        ),
        ({"claim_low": None, "claim_high": None}, "+85 (95 % interval of this look: "),
        ({"claim_low": None, "claim_high": None, "low": None, "high": None}, "there is no interval yet."),
        ({"chance": 0.5, "claim_low": 0.4, "claim_high": 1.0}, ": 0 (−70 to +∞;"),
    ],
)
async def test_two_hosts_of_one_model_have_their_difference_of_scores_and_link_to_each_other(arena, update, said):
    data = arena.fake.board_data
    section = ".//section[@aria-labelledby='pair.hosts']"
    assert (await arena.get(PAIR)).tree.find(section) is None
    data.same_weights = {"heron-1": "model-b-7b-chat", "model-b-7b-chat": "heron-1"}
    data.chances = [data.chances[0].model_copy(update=update)]
    page = await arena.get(PAIR)
    text = page.text(section)
    assert "heron-1 and model-b-7b-chat serve the same weights" in text
    assert said in text
    assert page.tree.find(".//*[@id='pair.facts']") is not None
    for name, other in data.same_weights.items():
        model = await arena.get(f"/model?name={name}")
        row = next(row for row in model.tree.iter("div") if row.findtext("dt") == "Same weights")
        link = row.find("dd/a")
        assert (link.text, link.attrib["href"]) == (other, PAIR)


async def test_two_hosts_that_no_votes_connect_say_only_that_the_weights_are_the_same(arena):
    data = arena.fake.board_data
    data.same_weights, data.chances = {"heron-1": "model-b-7b-chat"}, []
    text = (await arena.get(PAIR)).text(".//section[@aria-labelledby='pair.hosts']")
    assert "serve the same weights" in text
    assert "Difference in score" not in text
