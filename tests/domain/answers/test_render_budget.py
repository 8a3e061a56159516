"""Bounds of a whole answer: what is spent on its formulae, coloured code and blocks, in the order of its text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.answers import blocks as blocks_module
from arena.domain.answers import code, formulae
from arena.domain.answers.blocks import BlockScan, answer_html, blocks
from arena.domain.answers.bounds import MAX_BLOCKS, MAX_CHARACTERS, MAX_CODE, MAX_COLOURED, MAX_FORMULAE, MIN_COLOURED
from arena.domain.answers.markdown import block_html
from arena.domain.answers.render_budget import RenderBudget

from .texts import DENSE
from .trees import count, text

UNITS = (
    *(
        "$$x$$\n\n",
        "$x$ ",
        "- $x$\n",
        "\\(x\\)\n\n",
        "\\[x\\]\n# a\n",
        "| $x$ |\n|---|\n\n",
        "> $x$\n\n",
        "**$x$**\n\n",
    ),
    *("```java\na a\n```\n", "- ```c\n  x\n  ```\n", "> ```py\n> 1\n> ```\n\n", "```html\n" + "<a>\n" * 300 + "```\n"),
    *("```c\n" + ("int a; " * 30 + "\n") * 15 + "```\n", "a\n\n", "# a\n", "---\n\n", "> a\n\n"),
)


def repeated(unit: str) -> str:
    return unit * (MAX_CHARACTERS // len(unit))


@pytest.mark.parametrize("separator", ["\n\n", " ", "\n# a\n", "\n\n---\n\n"])
def test_the_first_formulae_of_an_answer_are_set_and_the_others_are_their_source(separator: str) -> None:
    html = answer_html(separator.join(f"$x_{{{number}}}$" for number in range(MAX_FORMULAE + 5)))
    assert count(html, "math") == MAX_FORMULAE
    shown = text(html)
    assert f"$x_{{{MAX_FORMULAE - 1}}}$" not in shown
    assert all(f"$x_{{{number}}}$" in shown for number in range(MAX_FORMULAE, MAX_FORMULAE + 5))


def test_the_first_code_of_an_answer_has_colours_and_all_of_it_is_there() -> None:
    body = "x = 1\n" * (MAX_CODE // 6 // 2)
    parts = blocks(f"```python\n{body}```\n" * (2 * MAX_COLOURED // len(body)))
    coloured = ["a-number" in part for part in parts]
    assert coloured == sorted(coloured, reverse=True)
    assert sum(coloured) == MAX_COLOURED // len(body)
    assert all(text(part).rstrip() == f"python{body}".rstrip() for part in parts)


def test_short_pieces_of_code_have_a_least_cost() -> None:
    html = answer_html("```python\n1\n```\n" * (MAX_COLOURED // MIN_COLOURED + 5))
    assert html.count("a-number") == MAX_COLOURED // MIN_COLOURED


def test_code_that_gets_no_colours_costs_none() -> None:
    plain = "```\na\n```\n" + "```mermaid\na\n```\n" + f"```python\n{'a' * (MAX_CODE + 1)}\n```\n"
    assert "a-number" in answer_html(plain * 10 + "```python\n1\n```\n")


def test_what_follows_the_last_block_is_shown_as_written() -> None:
    parts = blocks("*a*\n\n" * MAX_BLOCKS + "**b**\n\n# c\n\nd")
    assert len(parts) == MAX_BLOCKS + 1
    assert parts[-1] == '<p class="a-source" dir="auto">**b**\n\n# c\n\nd</p>'
    assert blocks("*a*\n\n" * MAX_BLOCKS) == parts[:MAX_BLOCKS]


@pytest.mark.parametrize("unit", UNITS)
def test_the_slow_libraries_do_a_bounded_work_for_an_answer_of_the_greatest_length(monkeypatch, unit: str) -> None:
    done = {"formulae": 0, "characters": 0}
    mathml, lexer = formulae.mathml, code._lexer

    def counted(latex: str, *, display: bool) -> str | None:
        done["formulae"] += 1
        return mathml(latex, display=display)

    class Lexer:
        def __init__(self, language: str) -> None:
            self.lexer = lexer(language)

        def get_tokens(self, body: str):
            done["characters"] += max(len(body), MIN_COLOURED)
            return self.lexer.get_tokens(body)

    monkeypatch.setattr(formulae, "mathml", counted)
    monkeypatch.setattr(code, "_lexer", lambda language: Lexer(language) if lexer(language) else None)
    assert len(blocks(repeated(unit))) <= MAX_BLOCKS + 1
    assert done["formulae"] <= MAX_FORMULAE
    assert done["characters"] <= MAX_COLOURED
    assert any(done.values()) == any(sign in unit for sign in ("$", "\\", "```"))


@given(st.lists(st.sampled_from(DENSE), max_size=14), st.data())
@settings(max_examples=30, deadline=None)
def test_the_closed_blocks_of_a_prefix_are_shown_as_in_the_whole_answer(pieces: list[str], data) -> None:
    answer = "".join(pieces)
    whole = blocks(answer)
    end = data.draw(st.integers(0, len(answer)))
    scan, budget = BlockScan(), RenderBudget()
    scan.grow(answer[:end])
    first = [block_html(answer[block.start : block.end], budget) for block in scan.closed]
    assert first == whole[: len(first)]


@given(st.lists(st.sampled_from([*DENSE, "a\n\n", "\n", "```\n", "- a\n\n"]), max_size=14), st.data())
@settings(max_examples=100, deadline=None)
def test_so_it_is_with_the_bound_on_blocks(pieces: list[str], data) -> None:
    answer = "".join(pieces)
    end = data.draw(st.integers(0, len(answer)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks_module, "MAX_BLOCKS", 3)
        whole, prefix, pieced = BlockScan(), BlockScan(), BlockScan()
        whole.grow(answer, is_whole=True)
        prefix.grow(answer[:end])
        pieced.grow(answer[:end])
        pieced.grow(answer, is_whole=True)
    assert prefix.closed == whole.closed[: len(prefix.closed)]
    assert (pieced.closed, pieced.start) == (whole.closed, whole.start)
    assert len(whole.closed) <= 3


def test_an_open_block_spends_nothing() -> None:
    budget = RenderBudget()
    block_html("$x$ " * MAX_FORMULAE + "\n```python\n1\n```\n", budget, is_open=True)
    assert budget == RenderBudget()
