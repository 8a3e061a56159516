"""Reasoning that an endpoint closes but never opens: what a probe knows of it, and what answers alone may do."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from sqlalchemy import update

from arena.adapters.store.tables.conversations import ReplyRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.schemas.battles import DeltaEvent, TurnReadyEvent
from arena.domain.terms import BattleState
from arena_providers.registry import build_providers
from arena_providers.transport.http_client import HttpClient
from tests.usecases.battles.test_turns import BLUE, RED, names, play, row_of
from tests.usecases.endpoints.probes.vendor import DIALECT_BY_NAME, Vendor, good_stream

REASONING = ("Okay, the user ", "asks for a sum. ", "17 + 25 is 42.")
CLOSED = ("\n</thi", "nk>\n\n", "It is ", "42.")


@asynccontextmanager
async def served(runtime, *, unopened: bool = False, **writes):
    """The red model behind a real socket."""
    vendor = Vendor(**writes)
    async with HttpClient(connect=5) as client, vendor.listening():
        runtime.providers = {**runtime.providers, **build_providers(client)}
        values = {"dialect": "openai_chat", "url": vendor.url, "private": True, "unopened": unopened}
        await runtime.database.write(
            lambda session: session.execute(update(EndpointRow).where(EndpointRow.name == RED).values(values))
        )
        yield vendor


async def is_known(runtime) -> bool:
    return await runtime.database.read(
        lambda session: session.query(EndpointRow.unopened).filter(EndpointRow.name == RED).scalar()
    )


async def replies(runtime, battle) -> dict[str, ReplyRow]:
    row, who = await row_of(runtime, battle.id), await names(runtime, battle.id)
    return {who[reply.side]: reply for reply in row.turns[0].replies}


def texts(events) -> str:
    return "".join(event.text for event in events if isinstance(event, DeltaEvent))


async def test_a_lone_closing_tag_on_the_screen_takes_nothing_and_changes_nothing_for_others(runtime, voter, part):
    part(BLUE, "blue " * 40)
    async with served(runtime) as vendor:
        vendor.faulty = lambda _: good_stream("openai_chat", *REASONING, *CLOSED, pause=0.2)
        for _ in range(4):
            battle, events = await play(runtime, voter)
            assert isinstance(events[-1], TurnReadyEvent)
            assert battle.state is not BattleState.VOID
            reply = (await replies(runtime, battle))[RED]
            assert (reply.text, reply.error) == ("".join(REASONING) + "\n\n\nIt is 42.", None)
            assert reply.text in battle.turns[0].answers.values()
            assert "think" not in texts(events)
        assert not await is_known(runtime)


async def test_what_a_probe_knows_holds_text_back(runtime, voter, part):
    part(BLUE, "blue")
    async with served(runtime, unopened=True) as vendor:
        vendor.faulty = lambda _: good_stream("openai_chat", *REASONING, *CLOSED, pause=0.2)
        battle, events = await play(runtime, voter)
        assert isinstance(events[-1], TurnReadyEvent)
        assert "Okay" not in texts(events)
        assert sorted(battle.turns[0].answers.values()) == ["It is 42.", "blue"]
        assert await is_known(runtime)


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("unopened", [False, True])
async def test_the_operator_is_told_to_probe_an_endpoint_whose_unopened_reasoning_no_probe_knows(
    runtime, voter, part, caplog, unopened, breaks
):
    part(BLUE, "blue")
    async with served(runtime, unopened=unopened) as vendor:
        chunks = good_stream("openai_chat", *REASONING, *CLOSED)
        vendor.faulty = lambda _: chunks[:-2] if breaks else chunks
        await play(runtime, voter)
    assert ("closed reasoning that it had not opened" in caplog.text) is not unopened


async def test_reasoning_that_was_not_shown_yet_is_discarded(runtime, voter, part):
    part(BLUE, "blue", pause=0.5)
    async with served(runtime, text=(*REASONING, *CLOSED)):
        battle, events = await play(runtime, voter)
        assert isinstance(events[-1], TurnReadyEvent)
        assert "Okay" not in texts(events)
        assert sorted(battle.turns[0].answers.values()) == ["It is 42.", "blue"]
        assert (await replies(runtime, battle))[RED].reasoning is None
        assert not await is_known(runtime)


@pytest.mark.parametrize("text", [("It is ", "42."), ("<think>hm</think>", "It is 42.")])
async def test_answers_to_voters_do_not_change_what_a_probe_knows(runtime, voter, part, text):
    part(BLUE, "blue")
    async with served(runtime, unopened=True, text=text):
        for number in range(4):
            battle, events = await play(runtime, replace(voter, key=f"voter {number}"))
            assert isinstance(events[-1], TurnReadyEvent)
            assert sorted(battle.turns[0].answers.values()) == ["It is 42.", "blue"]
        assert await is_known(runtime)


@pytest.mark.parametrize("unopened", [True, False])
async def test_an_answer_that_was_cut_at_its_greatest_length_is_shown(runtime, voter, part, unopened):
    part(BLUE, "blue")
    async with served(runtime, unopened=unopened) as vendor:
        vendor.faulty = lambda _: [
            *good_stream("openai_chat", "It is ", "42 ")[:-1],
            DIALECT_BY_NAME["openai_chat"].ended("length"),
        ]
        battle, events = await play(runtime, voter)
        assert isinstance(events[-1], TurnReadyEvent)
        assert sorted(battle.turns[0].answers.values()) == ["It is 42 ", "blue"]
        assert await is_known(runtime) is unopened


async def test_what_is_kept_of_reasoning_is_all_of_it(runtime, voter, part):
    runtime.reasoning = True
    part(BLUE, "blue", pause=0.5)
    async with served(runtime, text=(*REASONING, *CLOSED)):
        battle, _ = await play(runtime, voter)
        assert (await replies(runtime, battle))[RED].reasoning.strip() == "".join(REASONING)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (("It is 42.<|im", "_end|>"), "It is 42."),
        (("<mm:thi", "nk>", "hidden", "</mm:think>", "42"), "42"),
        (("<|channel>thought\n", "hidden", "<channel|>42"), "42"),
        (("Look.\n", "<tool_call>", "{}", "</tool_call>"), "Look.\n"),
        (("42.<|im_end|>\n<|im_", "start|>user\nMore?"), "42.\n"),
    ],
)
async def test_marks_are_neither_shown_nor_stored_nor_asked_again(runtime, voter, part, text, answer):
    part(BLUE, "blue")
    async with served(runtime, text=text):
        battle, events = await play(runtime, voter)
        assert isinstance(events[-1], TurnReadyEvent)
        assert (await replies(runtime, battle))[RED].text == answer
        shown = texts(events)
        assert not any(mark in shown for mark in ("<|", "think>", "tool_call", "channel"))
