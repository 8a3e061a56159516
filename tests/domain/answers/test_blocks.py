"""The blocks of a growing answer: those that are closed never change."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.domain.answers.blocks import Block, BlockScan
from arena.domain.answers.bounds import MAX_CHARACTERS

from .texts import PAYLOADS

LINES = st.sampled_from(
    [
        *(
            "",
            " ",
            "text",
            "more text",
            "- a",
            "* b",
            "1. a",
            "2. b",
            "2",
            "   c",
            "    code",
            "\ttab",
            "# head",
            "#none",
        ),
        *("---", "***", "===", "> q", ">", "| a | b |", "|---|---|", "```", "```py", "   ```", "~~~~", "````", "> ```"),
        *(
            "- ```",
            "<div>",
            "<!--",
            "-->",
            "</div>",
            "$$",
            "\\[",
            "\\]",
            "[r]: u",
            "[^1]: n",
            "- [ ] t",
            "\ufeff",
            "\0",
        ),
    ]
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\u2028", ""])


def closed(text: str, *, is_whole: bool = False) -> list[Block]:
    scan = BlockScan()
    scan.grow(text, is_whole=is_whole)
    return scan.closed


@given(st.lists(st.tuples(LINES, ENDS), max_size=25), st.data())
@settings(max_examples=600, deadline=None)
@example([("1. a", "\n"), ("", "\n"), ("2", ""), (". b", "\n"), ("x", "")], None)
def test_the_closed_blocks_of_a_prefix_are_the_first_blocks_of_the_text(lines, data) -> None:
    text = "".join(line + end for line, end in lines)
    whole = closed(text, is_whole=True)
    ends = range(len(text) + 1) if data is None else [data.draw(st.integers(0, len(text))) for _ in range(3)]
    for end in ends:
        first = closed(text[:end])
        assert first == whole[: len(first)], text[:end]
        assert all(block.closed_at <= end for block in first)
        assert end == len(text) or len(first) == sum(block.closed_at <= end for block in whole)


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.heavy)])
def test_so_it_is_for_every_prefix_of_hostile_answers(step: int) -> None:
    for text in PAYLOADS:
        whole = closed(text, is_whole=True)
        for end in range(0, len(text), step):
            first = closed(text[:end])
            assert first == whole[: len(first)], text[:end]


@given(st.lists(st.tuples(LINES, ENDS), max_size=25), st.lists(st.integers(1, 9), min_size=1, max_size=30))
@settings(max_examples=300, deadline=None)
def test_an_answer_read_in_pieces_has_the_blocks_of_one_read_at_once(lines, sizes) -> None:
    text = "".join(line + end for line, end in lines)
    scan, end = BlockScan(), 0
    for size in sizes:
        end += size
        scan.grow(text[:end])
    scan.grow(text, is_whole=True)
    assert scan.closed == closed(text, is_whole=True)


@given(st.lists(st.tuples(LINES, ENDS), max_size=25))
@settings(max_examples=300, deadline=None)
def test_blocks_lie_one_behind_the_other_and_have_all_the_text(lines) -> None:
    text = "".join(line + end for line, end in lines)
    whole = closed(text, is_whole=True)
    assert [block.end for block in whole[:-1]] == [block.start for block in whole[1:]]
    assert not whole or (whole[0].start, whole[-1].end) == (0, len(text))


def test_a_number_after_a_list_may_yet_be_its_next_item() -> None:
    assert closed("1. a\n\n2") == []
    assert closed("1. a\n\n2. b\n") == []
    assert len(closed("1. a\n\n2\n")) == 1


@pytest.mark.parametrize("before", ["a\n\n", "- a\n\n", "# a\n\n", "> a\n \n", "```\na\n```\n", "```\na\n```\n  "])
def test_a_block_is_closed_as_soon_as_it_is_certain_that_another_one_begins(before: str) -> None:
    assert closed(before) == []
    (block,) = closed(f"{before}\0b")
    assert block.closed_at == len(before) + 2
    assert closed(f"{before}\0b\nc\n") == [block]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("a\n\nb\n", ["a\n\n", "b\n"]),
        ("# a\nb\n# c\n", ["# a\nb\n", "# c\n"]),
        ("a\n```\nb\n\nc\n```\nd", ["a\n", "```\nb\n\nc\n```\n", "d"]),
        ("- a\n\n  b\n\n- c\n\nd", ["- a\n\n  b\n\n- c\n\n", "d"]),
        ("- a\n  ```\n  b\n\nc\n  ```\n- d", ["- a\n  ```\n  b\n\nc\n  ```\n- d"]),
        ("a:\n1. b\n\n2. c\n\n---\n", ["a:\n1. b\n\n2. c\n\n", "---\n"]),
    ],
)
def test_where_blocks_begin(text: str, sources: list[str]) -> None:
    assert [text[block.start : block.end] for block in closed(text, is_whole=True)] == sources


def test_the_bound_cuts_an_answer_once() -> None:
    text = "word " * (MAX_CHARACTERS // 5 + 50)
    assert closed(text[: MAX_CHARACTERS - 1]) == []
    (block,) = closed(text)
    assert (block.start, block.end) == (0, MAX_CHARACTERS)
    assert closed(text, is_whole=True) == [block]
