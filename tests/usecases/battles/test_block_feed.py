"""Readers of HTML follow a feed by blocks, which are those of the whole answer whenever they come and go."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.answers import code, formulae, markdown
from arena.domain.answers.blocks import BlockScan, blocks
from arena.domain.answers.bounds import MAX_BLOCKS
from arena.domain.answers.render_budget import RenderBudget
from arena.domain.schemas.battles import BlocksEvent, SideDoneEvent, TurnReadyEvent
from arena.domain.terms import Side
from arena.usecases.battles import block_feed
from arena.usecases.battles.block_feed import BlockFeed
from arena.usecases.battles.feed import Cursor, Feed
from tests.domain.answers.texts import DENSE

TEXT = (
    "# Head\n\nSome **bold** text, $x^2$ and `code`.\n\n1. one\n\n2. two\n\n```python\nprint(1)\n\nprint(2)\n```\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end of it, "
) + "and more words " * 60


class Reader:
    """A page: inserts what the events have, and reconnects by the id of the last one."""

    def __init__(self) -> None:
        self.blocks: dict[Side, list[str]] = {side: [] for side in Side}
        self.open: dict[Side, str] = dict.fromkeys(Side, "")
        self.last = ""
        self.bytes = 0
        self.ended = False

    def take(self, cursor: Cursor, event) -> None:
        self.last, self.bytes = str(cursor), self.bytes + len(event.model_dump_json())
        self.ended = isinstance(event, TurnReadyEvent)
        if isinstance(event, BlocksEvent):
            assert event.first <= len(self.blocks[event.side])
            self.blocks[event.side][event.first :] = event.html
            self.open[event.side] = event.open

    def html(self, side: Side) -> str:
        return "".join([*self.blocks[side], self.open[side]])


async def read(feed: Feed, reader: Reader, most: int | None = None) -> None:
    """Follow a feed for `most` lists of events."""
    lists = 0
    async for steps in feed.follow(feed.resume(reader.last), as_html=True):
        for cursor, event in steps:
            reader.take(cursor, event)
        lists += 1
        if lists == most:
            return


async def write(feed: Feed, texts: dict[Side, str], size: int) -> None:
    for start in range(0, max(map(len, texts.values())), size):
        pieces = {side: text[start : start + size] for side, text in texts.items() if start < len(text)}
        feed.show(pieces, tuple(side for side, text in texts.items() if start < len(text) <= start + size))
        await asyncio.sleep(0)
    feed.finish(TurnReadyEvent(number=1))


async def test_a_reader_has_the_blocks_of_the_whole_answers() -> None:
    feed, reader = Feed(1, 0), Reader()
    await asyncio.gather(read(feed, reader), write(feed, {Side.A: TEXT, Side.B: TEXT[:90]}, 7))
    assert (reader.blocks[Side.A], reader.open[Side.A]) == (blocks(TEXT), "")
    assert (reader.blocks[Side.B], reader.open[Side.B]) == (blocks(TEXT[:90]), "")
    assert reader.ended


@given(st.integers(1, 40), st.lists(st.integers(1, 4), max_size=8))
@settings(max_examples=25, deadline=None)
def test_a_reader_who_reconnects_lacks_no_block_and_has_none_twice(size: int, visits: list[int]) -> None:
    async def visit() -> Reader:
        feed, reader = Feed(1, 0), Reader()

        async def come_and_go() -> None:
            for most in visits:
                if not reader.ended:
                    await read(feed, reader, most)
            if not reader.ended:
                await read(feed, reader)

        await asyncio.gather(come_and_go(), write(feed, {Side.A: TEXT, Side.B: TEXT}, size))
        return reader

    reader = asyncio.run(visit())
    for side in Side:
        assert reader.html(side) == "".join(blocks(TEXT))


@given(st.lists(st.sampled_from(DENSE), max_size=10), st.integers(40, 900))
@settings(max_examples=15, deadline=None)
def test_a_stream_spends_the_bounds_of_an_answer_as_its_whole_text_does(pieces: list[str], size: int) -> None:
    async def follow() -> Reader:
        feed, reader = Feed(1, 0), Reader()
        await asyncio.gather(read(feed, reader), write(feed, {Side.A: text, Side.B: text[:400]}, size))
        return reader

    text = "".join(pieces)
    reader = asyncio.run(follow())
    assert reader.html(Side.A) == "".join(blocks(text))
    assert reader.html(Side.B) == "".join(blocks(text[:400]))


async def test_blocks_are_made_once_for_all_readers_and_only_for_readers_of_html(monkeypatch) -> None:
    made: list[str] = []

    def counted(source: str, budget: RenderBudget, *, is_open: bool = False) -> str:
        made.append(source)
        return markdown.block_html(source, budget, is_open=is_open)

    monkeypatch.setattr(block_feed, "block_html", counted)
    feed = Feed(1, 0)
    await write(feed, {Side.A: TEXT, Side.B: TEXT}, 11)
    async for _ in feed.follow(feed.start):
        pass
    assert made == []
    for _ in range(5):
        await read(feed, Reader())
    assert sorted(made) == sorted(2 * [TEXT[block.start : block.end] for block in scan(TEXT)])


def scan(text: str):
    whole = BlockScan()
    whole.grow(text, is_whole=True)
    return whole.closed


@pytest.mark.parametrize("size", [1, 24])
@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("word and " * 2_000, 5),
        *(("word and " * words, 5) for words in (80, 100, 120, 150, 200, 300)),
        (("word and " * 60 + "\n\n") * 20, 3),
        ("Words with **stress** and `code`, as many as in any answer of a model.\n\n- one\n- two\n\n" * 20, 5),
    ],
    ids=["long", *(f"{words} words" for words in (80, 100, 120, 150, 200, 300)), "paragraphs", "short blocks"],
)
async def test_bytes_and_work_stay_within_five_times_a_text(monkeypatch, text, most, size) -> None:
    characters = 0

    def counted(source: str, budget: RenderBudget, *, is_open: bool = False) -> str:
        nonlocal characters
        characters += len(source)
        return markdown.block_html(source, budget, is_open=is_open)

    monkeypatch.setattr(block_feed, "block_html", counted)
    feed, reader = Feed(1, 0), Reader()
    await asyncio.gather(read(feed, reader), write(feed, {Side.A: text, Side.B: ""}, size))
    assert reader.html(Side.A) == "".join(blocks(text))
    assert characters <= most * len(text)
    assert reader.bytes <= most * len(text)


async def test_formulae_and_colours_are_made_once_when_their_block_is_closed(monkeypatch) -> None:
    made: list[str] = []

    def count(work):
        def counted(*values, **named):
            made.append(values[0])
            return work(*values, **named)

        return counted

    monkeypatch.setattr(code, "highlighted", count(code.highlighted))
    monkeypatch.setattr(formulae, "mathml", count(formulae.mathml))
    prose, lines = "a word and " * 50, "print(1)  # one\n" * 50
    text = f"Where $x^2$ is {prose}\n\n```python\n{lines}```\n"
    feed = BlockFeed()
    for end in range(1, len(text) + 1, 9):
        await feed.catch_up(lambda end=end: ({Side.A: text[:end]}, set()))
    assert made == ["x^2"]
    await feed.catch_up(lambda: ({Side.A: text}, {Side.A}))
    assert made == ["x^2", lines]
    assert feed.event(Side.A, 0)[1].html == blocks(text)


async def test_a_reader_sees_the_beginning_at_once_and_no_more_than_is_shown() -> None:
    feed, reader = Feed(1, 0), Reader()
    feed.show({Side.A: "Hel"})
    await read(feed, reader, 1)
    assert reader.html(Side.A) == '<p dir="auto">Hel</p>\n'
    assert reader.html(Side.B) == ""


async def test_an_answer_that_is_stopped_has_all_its_text() -> None:
    feed, reader = Feed(1, 0), Reader()

    async def stop() -> None:
        feed.show({Side.A: "Hel"})
        await asyncio.sleep(0.01)
        feed.show({Side.A: "lo **you"})
        feed.finish(TurnReadyEvent(number=1))

    await asyncio.gather(read(feed, reader), stop())
    assert reader.html(Side.A) == '<p dir="auto">Hello **you</p>\n'


async def test_text_that_comes_while_a_thread_reads_the_former_is_not_lost(monkeypatch) -> None:
    in_thread = block_feed._in_thread
    feed, reader = Feed(1, 0), Reader()
    feed.show({Side.A: "word " * 4_000, Side.B: ""})
    await read(feed, reader, 1)

    async def ending(work) -> None:
        await in_thread(work)
        if feed.end is None:
            feed.show({Side.A: "the end"}, tuple(Side))
            feed.finish(TurnReadyEvent(number=1))

    monkeypatch.setattr(block_feed, "_in_thread", ending)
    feed.show({Side.A: "word " * 1_000})
    await read(feed, reader)
    assert reader.html(Side.A) == "".join(blocks("word " * 5_000 + "the end"))


async def test_a_side_is_done_only_after_its_last_block() -> None:
    feed = Feed(1, 0)
    await write(feed, {Side.A: "one\n\ntwo", Side.B: "x"}, 3)
    events = [event async for steps in feed.follow(feed.start, as_html=True) for _, event in steps]
    kinds = [(type(event), getattr(event, "side", None)) for event in events]
    assert kinds.index((SideDoneEvent, Side.A)) > kinds.index((BlocksEvent, Side.A))


@pytest.mark.parametrize(
    "text",
    ["", " \n\n", "x" * 70_000, "\ud800", "`" * 300, "*a*\n\n" * (MAX_BLOCKS + 3), "a\n\n" * MAX_BLOCKS + "\ufeff"],
)
async def test_odd_answers_end_too(text: str) -> None:
    feed, reader = Feed(1, 0), Reader()
    feed.show({Side.A: text}, tuple(Side))
    feed.finish(TurnReadyEvent(number=1))
    await read(feed, reader)
    assert reader.html(Side.A) == "".join(blocks(text))


async def test_a_reader_who_leaves_while_a_block_is_made_spoils_nothing_for_the_next(monkeypatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(source: str, budget: RenderBudget, *, is_open: bool = False) -> str:
        begun.set()
        go_on.wait(30)
        return markdown.block_html(source, budget, is_open=is_open)

    monkeypatch.setattr(block_feed, "block_html", slow)
    feed, reader = Feed(1, 0), Reader()
    feed.show({Side.A: TEXT, Side.B: ""}, tuple(Side))
    feed.finish(TurnReadyEvent(number=1))
    leaving = asyncio.create_task(read(feed, Reader()))
    await asyncio.to_thread(begun.wait, 30)
    leaving.cancel()
    staying = asyncio.create_task(read(feed, reader))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(leaving, staying, return_exceptions=True)
    assert reader.blocks[Side.A] == blocks(TEXT)
