"""A battle of web pages asks both models the same, with one instruction; a battle of texts is as it always was."""

from __future__ import annotations

from base64 import b64encode

import pytest

from arena.domain.terms import BattleKind, NotCounted, Outcome, Voter
from arena.usecases.battles import battles
from arena.usecases.votes import votes
from arena_providers.page_request import INSTRUCTION, with_instruction
from arena_providers.terms import Role
from tests.usecases.battles.test_turns import BLUE, RED, follow
from tests.usecases.votes.test_votes import vote

PAGE = "```html\n<!DOCTYPE html><html><body>{}</body></html>\n```"


async def play(runtime, voter, prompt="a clock", kind=BattleKind.WEB_PAGE):
    battle = await battles.open_battle(runtime, voter, prompt, kind=kind)
    await follow(runtime, voter, battle.id)
    return battle


async def reason(runtime, voter, **how):
    battle = await play(runtime, voter, **how)
    return (await vote(runtime, voter, battle.id)).reason


@pytest.fixture
def pages(part):
    for name in (RED, BLUE):
        part(name, PAGE.format("12:00"))


@pytest.mark.both_databases
async def test_both_models_get_every_prompt_with_the_one_instruction(runtime, voter, scripted, pages):
    battle = await play(runtime, voter)
    await battles.ask_next(runtime, voter, battle.id, "make it dark")
    await follow(runtime, voter, battle.id)
    for wire_model in {model for model, _ in scripted.asked}:
        _, messages = [request for request in scripted.asked if request[0] == wire_model][-1]
        prompts = [message.content for message in messages if message.role is Role.USER]
        assert prompts == [with_instruction("a clock"), with_instruction("make it dark")]


async def test_a_battle_of_texts_is_asked_and_shown_as_before(runtime, voter, scripted):
    battle = await play(runtime, voter, kind=BattleKind.TEXT)
    assert [[message.content for message in messages] for _, messages in scripted.asked] == [["a clock"]] * 2
    assert "kind" not in battle.model_dump(mode="json")
    assert not any(INSTRUCTION in message.content for _, messages in scripted.asked for message in messages)


async def test_its_kind_is_kept_and_its_prompt_is_shown_without_the_instruction(runtime, voter, pages):
    view = await battles.look(runtime, voter, (await play(runtime, voter)).id)
    assert view.model_dump(mode="json")["kind"] == "web_page"
    assert view.turns[0].prompt == "a clock"


async def test_a_vote_on_pages_is_for_their_board_alone(runtime, voter, pages):
    assert await reason(runtime, voter) == NotCounted.WEB_PAGE


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", BattleKind)
async def test_other_people_are_those_who_voted_on_answers_of_the_same_kind(runtime, pages, kind):
    people = [Voter(f"voter {number}", "127.0.0.1") for number in range(4)]
    for other, known in zip(people, [*BattleKind, kind, kind], strict=True):
        battle = await play(runtime, other, f"a clock for {other.key}", kind=known)
        await vote(runtime, other, battle.id, Outcome.TIE)
    crowd = await votes.crowd(runtime.database, people[-1], battle.id)
    assert (crowd.tie, crowd.a + crowd.b + crowd.both_bad) == (2, 0)


@pytest.mark.both_databases
async def test_one_prompt_may_be_asked_as_text_and_as_page_and_once_each(runtime, voter, pages):
    reasons = [await reason(runtime, voter, kind=kind) for kind in (*BattleKind, *BattleKind)]
    assert reasons == [None, NotCounted.WEB_PAGE, NotCounted.REPEATED, NotCounted.REPEATED]


@pytest.mark.parametrize(
    "body",
    [
        "I am red-7b",
        "I am <b>red</b>-7b",
        "I am &#114;ed-7b",
        "<!-- I am red-7b -->",
        "<meta name=generator content='I am red-7b'>",
        "<script>c.fillText('I am red' + '-7b', 0, 0)</script>",
        f"<script>atob('{b64encode(b'I am red-7b').decode()}')</script>",
    ],
)
async def test_a_page_that_names_its_maker_in_its_source_is_not_counted(runtime, voter, part, body):
    part(RED, PAGE.format(body))
    part(BLUE, PAGE.format("12:00"))
    assert await reason(runtime, voter) == NotCounted.IDENTITY_TOLD
