"""Bounds: what a text may cost, whatever it repeats."""

from __future__ import annotations

import random
import time

import pytest

from arena.domain.answers.blocks import BlockScan, blocks
from arena.domain.answers.bounds import MAX_BLOCKS, MAX_CHARACTERS, clean, has_few_cells, is_bounded, is_shallow

PIECES = (
    *(
        "*",
        "**",
        "_",
        "__",
        "`",
        "```\n",
        "~~~",
        "$",
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\begin{align}",
        "\\end{align}",
    ),
    *(
        "<",
        "<b>",
        "</b>",
        "<td>",
        "<!--",
        "-->",
        "[",
        "](",
        "![",
        "]",
        "|",
        "\n|-|-|\n",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "> ",
    ),
    *("    ", "#", "# ", "==", "~~", "http://a.b", "www.", "&#57346;0&#57347;", "%EE%80%82", "中文", "“", "عربي", "😀"),
    *(
        "\u202e",
        "\ud83d",
        "\ue0020\ue003",
        "{",
        "}",
        "\\frac",
        "x",
        "a b",
        " ",
        "\t",
        "\r",
        "\u2028",
        ":",
        "[^1]",
        "]: ",
    ),
)
SECONDS = 2.0
"""Processor time that no text of the greatest length takes; those of the fuzz take a sixth of it at most."""


def seconds(text: str) -> float:
    start = time.process_time()
    blocks(text)
    return time.process_time() - start


@pytest.mark.heavy
def test_no_repetition_of_any_signs_takes_long() -> None:
    draw = random.Random(20_26)
    slow = []
    for _ in range(600):
        unit, head, tail = ("".join(draw.choices(PIECES, k=draw.randint(1, most))) for most in (5, 3, 4))
        text = head + unit * (MAX_CHARACTERS // len(unit)) + tail
        if (taken := seconds(text)) > SECONDS:
            slow.append((round(taken, 1), head, unit, tail))
    assert slow == []


@pytest.mark.heavy
@pytest.mark.parametrize("unit", PIECES)
def test_no_repetition_of_one_sign_takes_long_between_lines_of_others(unit: str) -> None:
    for head in ("", "1. a\n", "| a |\n", "> ", "x"):
        for tail in ("x", "|\n", "-\n", "\n\n- y"):
            assert seconds(head + unit * (MAX_CHARACTERS // len(unit)) + tail) < SECONDS, (head, tail)


@pytest.mark.parametrize("text", [" " * 3_000_000, "a" * 1_000_000, "\n" * 1_000_000, "a\n\n" * 300_000], ids=repr)
def test_millions_of_characters_are_read_up_to_the_bound(text: str) -> None:
    scan = BlockScan()
    scan.grow(text)
    assert scan.start in {0, MAX_CHARACTERS, 3 * MAX_BLOCKS}
    assert all(block.end <= MAX_CHARACTERS for block in scan.closed)


def test_quotations_and_lists_count_as_nesting() -> None:
    assert is_shallow("> " * 16 + "x")
    assert not is_shallow("> " * 17 + "x")
    assert not is_shallow("- " * 17 + "x")
    assert not is_shallow("a\n" + " " * 40 + "- x")
    assert is_shallow(" " * 400 + "x")


def test_cells_count_the_rows_that_a_renderer_would_fill() -> None:
    assert has_few_cells("|a|b|\n|-|-|\n" + "|\n" * 2_000)
    assert not has_few_cells("|a" * 100 + "\n" + "|-" * 100 + "|\n" + "|\n" * 100)


def test_the_output_of_a_renderer_is_bounded_in_depth_and_size() -> None:
    assert is_bounded("<p>a<br></p>" * 50, "a" * 50)
    assert not is_bounded("<em>" * 65 + "</em>" * 65, "a" * 500)
    assert not is_bounded("a" * 2_000, "a")


def test_characters_that_turn_or_hide_text_are_taken_out_and_newlines_are_plain() -> None:
    assert clean("a\u202eb\u2066c\x07d\ue000e\0f\ufeffg") == "abcdefg"
    assert clean("a\r\nb\rc\u2028d\u0085e") == "a\nb\nc\nd\ne"
    assert clean("\ud800a\udc00") == "\ufffda\ufffd"
