"""Whatever a model writes, and however much of it has arrived, is elements and attributes of our lists and no more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.answers import formulae
from arena.domain.answers.blocks import answer_html
from arena.domain.answers.markdown import block_html
from arena.domain.answers.render_budget import RenderBudget

from .texts import ADDRESS, FORMULAE, NESTED, PAYLOADS
from .trees import strangers, text

PIECES = st.sampled_from(
    [
        *("\n", "\n\n", "\n- ", "\n1. ", "\n> ", "\n    ", "```", "~~~\n", "`", "``", "|", "\n|--|--|\n", "---", "# "),
        *("*", "**", "_", "~~", "==", "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\begin{align}", "\\end{align}", "\\"),
        *("<", ">", "</", "<b>", "</b>", "<br>", "<td>", "</td>", "<!--", "-->", "<img src=x onerror=y>", "<script>"),
        *(
            "<math>",
            "<svg>",
            "<style>",
            "</style>",
            "<a href=x>",
            "](",
            "[",
            "]",
            "![",
            ")",
            "[^1]",
            "]: ",
            "&lt;",
            "&#60;",
        ),
        *("http://a.example/b", "www.b.example", "javascript:x", "\\text{", "\\href{", "{", "}", "&", '"', "'", "\0"),
        *(
            "\ud800",
            "\ue000",
            "\ue0020\ue003",
            "\ue0040\ue005",
            "\u202e",
            "x",
            " ",
            "\t",
            "中文",
            "“重点”",
            "مرحبا",
            "\r",
        ),
    ]
)
STEP = 7


def test_the_hostile_texts_are_all_there() -> None:
    assert len(PAYLOADS) >= 214


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.heavy)])
def test_no_prefix_of_a_hostile_answer_has_an_element_or_attribute_of_its_own(step: int) -> None:
    for payload in PAYLOADS:
        for end in range(len(payload), 0, -step):
            assert strangers(answer_html(payload[:end])) == (), payload[:end]


@pytest.mark.parametrize("nested", NESTED, ids=lambda nested: nested[:9])
def test_deep_nesting_stays_within_the_lists_and_loses_no_text(nested: str) -> None:
    html = answer_html(nested)
    assert strangers(html) == ()
    assert text(html).count("x") == nested.count("x")


@given(st.lists(PIECES, max_size=40))
@settings(max_examples=400, deadline=None)
def test_no_mixture_has_an_element_or_attribute_of_its_own(pieces: list[str]) -> None:
    assert strangers(answer_html("".join(pieces))) == ()


@given(st.text(max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_can_be_rendered(any_text: str) -> None:
    assert strangers(answer_html(any_text)) == ()


@pytest.mark.parametrize("latex", [*FORMULAE, *(f"${row}$" for row in (r"\frac{a}{b}", r"x^2", r"\sqrt[3]{x}"))])
def test_a_formula_has_elements_of_our_list_only_for_every_prefix(latex: str) -> None:
    for end in range(1, len(latex) + 1):
        rendered = formulae.mathml(latex[:end].strip("$"), display=True)
        assert rendered is None or strangers(rendered) == ()


@pytest.mark.parametrize(
    "tree",
    [
        "<math><mi href='x'>a</mi><script>b</script><mtext style='x' onclick='z'>c &lt;img&gt;</mtext></math>",
        "<math><semantics><annotation-xml encoding='text/html'><img src='x'/></annotation-xml></semantics></math>",
        "<math><mglyph src='x'/><maction actiontype='statusline#http://x'>x</maction><mspace width='900em'/></math>",
    ],
)
def test_nothing_that_the_converter_writes_is_trusted(tree: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Converter:
        def convert_with_local_state(self, *_: object, **__: object) -> str:
            return tree

    monkeypatch.setattr(formulae, "_converter", Converter)
    rendered = formulae.mathml("x", display=False)
    assert rendered is not None
    assert strangers(rendered) == ()
    assert "900em" not in rendered


def test_nothing_can_be_followed_or_fetched_and_every_address_is_text() -> None:
    html = block_html(
        f"[a]({ADDRESS}/1) ![b]({ADDRESS}/2) <{ADDRESS}/3> {ADDRESS}/4 <a href={ADDRESS}/5>", RenderBudget()
    )
    assert 'href="' not in html
    assert "src" not in html
    assert all(f"{ADDRESS}/{number}" in text(html) for number in range(1, 6))


def test_the_second_library_finds_what_is_outside_the_lists() -> None:
    for bad in (
        "<img>",
        "<p id=x>",
        "<p class=y>",
        "<a>x</a>",
        "<math><mtext><b>x</b></mtext></math>",
        "<p style=''>",
        "<!--x-->",
    ):
        assert strangers(bad) != (), bad
