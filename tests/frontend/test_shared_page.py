"""Shared and annotated answers come from the server: read without a script, under a policy without anything inline."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from arena.domain.terms import BattleKind, BattleState, Outcome, Side, TurnState

from .fake_api import NAMES, Battle, FakeArena, Turn, board
from .html_tree import Reader

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ODD = {
    "cut in code": "Look:\n\n```python\ndef f(",
    "cut in a formula": "So $$\\frac{a}{",
    "unknown language": "```klingon-77\nqapla\n```",
    "unreadable formula": "$\\notacommand{x}$",
    "hostile": "<img src=x onerror=alert(1)> <script>alert(1)</script> [x](javascript:alert(1))",
    "empty": "",
    "blank": " \n ",
    "controls": "a\x00b\u202ec",
}


def share(fake: FakeArena, answer: str, prompt: str = "Why?", kind: BattleKind = BattleKind.TEXT) -> str:
    events = [("delta", {"side": side, "text": answer}) for side in Side]
    turn = Turn(1, prompt, dict.fromkeys(Side, answer), TurnState.READY, events=events)
    battle = Battle("b1", [turn], state=BattleState.VOTED, outcome=Outcome.A, kind=kind)
    fake.battles[battle.id] = battle
    fake.shares[battle.id] = "token"
    return "/shared?b=token"


async def test_a_shared_battle_is_read_without_a_script(arena: Reader, fake: FakeArena) -> None:
    page = await arena.get(share(fake, "**Bold** and `code`\n\n| a |\n|---|\n| b |", prompt="<b>Why</b> & how?"))
    assert page.status == 200
    assert page.headers["content-security-policy"] == STRICT
    assert page.headers["cache-control"] == "no-store"
    assert page.text(".//div[@class='a-prompt']") == "<b>Why</b> & how?"
    answers = page.tree.findall(".//div[@class='a-answer']")
    assert [[one.tag for one in answer.iter() if one.tag in {"strong", "code", "td"}] for answer in answers] == [
        ["strong", "code", "td"]
    ] * 2
    assert [page.text(f".//h2[@id='name_{side}']") for side in Side] == [NAMES[side] for side in Side]
    assert page.text(".//h2[@class='a-reveal-title']") == f"The vote went to A, {NAMES[Side.A]}"


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
async def test_whatever_an_answer_has_the_page_shows_it_and_runs_nothing(
    arena: Reader, fake: FakeArena, answer: str
) -> None:
    page = await arena.get(share(fake, answer, prompt=answer or "?"))
    assert page.status == 200
    assert len(page.tree.findall(".//*[@id='pair']/section")) == 2
    assert page.tree.findall(".//*[@id='pair']//img") == page.tree.findall(".//*[@id='pair']//script") == []
    assert not re.search(r"<[^>]*\s(?:on\w+|style)=", re.sub(r'"[^"]*"', '""', page.html))


async def test_only_a_battle_of_web_pages_may_have_frames(arena: Reader, fake: FakeArena) -> None:
    page = await arena.get(share(fake, "```html\n<p>x\n```", kind=BattleKind.WEB_PAGE))
    assert page.headers["content-security-policy"] == f"{STRICT}; frame-src 'self'"
    assert page.tree.find(".//section[@id='stage']") is not None


@pytest.mark.parametrize(
    ("kind", "keys", "place"),
    [
        (BattleKind.TEXT, [("web", "")], "number 1 of 8"),
        (BattleKind.WEB_PAGE, [("web", "")], "number 2 of 8"),
        (BattleKind.WEB_PAGE, [("code", "")], "not ranked yet"),
    ],
)
async def test_a_place_is_that_of_the_board_on_which_the_vote_counts(
    arena: Reader, fake: FakeArena, kind: BattleKind, keys: list[tuple[str, str]], place: str
) -> None:
    whole = board(8)
    fake.board = fake.board_data.add(whole, *keys)
    name = {"name": NAMES[Side.A]}
    first, second = (
        [row.model_copy(update=name) if row.rank == rank else row for row in whole.rows] for rank in (1, 2)
    )
    fake.board = fake.board.model_copy(update={"rows": first})
    for key in keys:
        fake.board_data.boards[key] = whole.model_copy(update={"rows": second})
    page = await arena.get(share(fake, "Because.", kind=kind))
    assert place in page.text(".//article[@data-side='a']")


@pytest.mark.parametrize(("count", "said"), [(1, "the same question."), (2, "the same questions.")])
async def test_several_questions_are_not_called_one(arena: Reader, fake: FakeArena, count: int, said: str) -> None:
    address = share(fake, "Because.")
    turns = fake.battles["b1"].turns
    turns += [replace(turns[0], number=number) for number in range(2, count + 1)]
    assert said in (await arena.get(address)).text(".//p[@id='shared-lead']")


@pytest.mark.parametrize("address", ["/shared", "/shared?b=", "/shared?b=gone", "/shared?b=a%2Fb"])
async def test_a_link_that_was_withdrawn_or_never_existed_says_so(arena: Reader, address: str) -> None:
    page = await arena.get(address)
    assert (page.status, page.text(".//p[@id='shared-lead']")) == (404, "This link was deleted or never existed.")


async def test_the_page_of_annotators_names_no_model_and_has_nothing_inline(arena: Reader) -> None:
    page = await arena.get("/annotate")
    assert (page.status, page.headers["content-security-policy"]) == (200, STRICT)
    assert not any(name in page.html for name in NAMES.values())
    scripts = page.tree.findall(".//script")
    assert all(script.get("src") or script.get("type") == "application/json" for script in scripts)
    assert " style=" not in page.html
