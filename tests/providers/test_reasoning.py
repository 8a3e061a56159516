"""Reasoning between tags at the beginning of an answer is removed, however it is split."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_providers.marks.visible_text import VisibleText
from arena_providers.reasoning import THOUGHT_LIMIT, Thoughts
from tests.effort import is_affordable


def shown(*pieces: str) -> str:
    visible = VisibleText(Thoughts())
    return "".join([*map(visible.take, pieces), visible.rest()])


CASES = [
    ("<think>hm</think>42", "42"),
    ("\n <think>\nhm\n</think>\n\n42 ", "42 "),
    ("<think></think><think>more</think> 42", "42"),
    ("<thinking>a</think></thinking>42", "42"),
    ("◁think▷嗯◁/think▷好", "好"),
    ("[THINK]hm[/THINK]42", "42"),
    ("<seed:think>hm</seed:think>42", "42"),
    ("<think>never closed", ""),
    ("<think>hm</think>  ", ""),
    ("<thin", "<thin"),
    ("  <", "  <"),
    ("", ""),
    (" \n", " \n"),
    ("  indented", "  indented"),
    ("<thorn> is a letter", "<thorn> is a letter"),
    ("The tag <think>x</think> is text here", "The tag <think>x</think> is text here"),
    ("<think>a</think>b<think>c</think>", "b<think>c</think>"),
]


@pytest.mark.parametrize(("text", "visible"), CASES)
def test_what_is_shown_does_not_depend_on_the_cuts(text, visible):
    assert shown(text) == visible
    assert shown(*text) == visible
    assert all(shown(text[:cut], text[cut:]) == visible for cut in range(len(text)))


@given(st.lists(st.text(alphabet="<think>/ [TH]x\n", max_size=12), max_size=8))
def test_any_cutting_shows_the_same(pieces):
    assert shown(*pieces) == shown("".join(pieces)) == shown(*"".join(pieces))


def test_a_plain_answer_is_shown_at_once():
    visible = VisibleText(Thoughts())
    assert visible.take("4") == "4"
    assert visible.take("<think>2") == "<think>2"


@pytest.mark.parametrize("piece", [" ", "x", "<"])
def test_endless_reasoning_costs_neither_memory_nor_time(piece):
    def endless():
        visible = VisibleText(Thoughts())
        assert not visible.take("<think>")
        for _ in range(50_000):
            assert not visible.take(piece)
        assert len(visible._buffer) < 20

    assert is_affordable(endless)


@pytest.mark.parametrize("cut", [*range(1, 12), 100])
def test_what_is_thought_is_kept_whatever_the_cuts(cut):
    thoughts = Thoughts()
    visible, text = VisibleText(thoughts), "<think>first, <b>this</b></think> <think>then</think>42"
    shown = "".join(visible.take(text[at : at + cut]) for at in range(0, len(text), cut)) + visible.rest()
    assert (shown, str(thoughts)) == ("42", "first, <b>this</b>then")


def test_thoughts_are_kept_up_to_a_limit():
    thoughts = Thoughts()
    for _ in range(3):
        thoughts.add("x" * (THOUGHT_LIMIT // 2 + 1))
    assert len(str(thoughts)) == THOUGHT_LIMIT
