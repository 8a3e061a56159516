"""What answers look like: the elements of hard answers, emphasis next to Chinese, code, formulae, frames of HTML."""

from __future__ import annotations

import json
import re

import pytest

from arena.domain.answers.blocks import answer_html, blocks
from arena.domain.answers.bounds import MAX_CHARACTERS, MAX_CODE, MAX_FORMULAE

from .texts import FRONTEND
from .trees import count, text

HARD = json.loads((FRONTEND / "hard_answers.json").read_text(encoding="utf-8"))
EMPHASIS = json.loads((FRONTEND / "emphasis.json").read_text(encoding="utf-8"))
DIFFERENT = {("1. First\n\n   ```python", "ol"), ("Text\n<hr>\nmore and <!-- not", "p")}
"""Where the elements are others than in the browser: code in a list does not end the list, a rule ends a paragraph."""


@pytest.mark.parametrize("row", HARD, ids=range(len(HARD)))
def test_hard_answers_have_their_elements(row: list) -> None:
    source, elements, _ = row
    html = answer_html(source)
    for name, number in elements.items():
        element = "math" if name == ".katex" else name
        is_known = any(source.startswith(start) and name == other for start, other in DIFFERENT)
        if element.isalnum() and not is_known:
            assert count(html, element) == number, (name, html)


@pytest.mark.parametrize("row", EMPHASIS, ids=range(len(EMPHASIS)))
def test_emphasis_next_to_chinese_is_seen(row: list) -> None:
    source, strong, emphasised = row
    html = answer_html(source)
    for name, expected in (("strong", strong), ("em", emphasised)):
        found = [re.sub("[$`]|<.*?>|x", "", inside) for inside in re.findall(f"<{name}>(.*?)</{name}>", html)]
        assert found == [re.sub("[$`x]", "", inside) for inside in expected], html


@pytest.mark.parametrize(
    "source", ["<table><tr><td>a</td></tr></table>", "<h1>a</h1>", '<p align="center">a</p>', "<div>\na\n</div>"]
)
def test_html_of_a_model_reads_as_its_text(source: str) -> None:
    assert text(answer_html(source)).split() == ["a"]


@pytest.mark.parametrize(
    "source",
    [
        "<table><tr><td>a b</td><th>c</th></tr><tr><td>d</td></tr></table>",
        "<table>\n<tr><td>a b</td> <td>c</td></tr>\n<tr><td>d</td></tr>\n</table>",
        "<table><thead><tr><th>a b</th><th>c</th></tr></thead><tbody><tr><td>d</td></tr></tbody></table>",
        "<table>\n <thead>\n  <tr>\n   <th>a b</th>\n  <th>c</th>\n </tr>\n</thead>\n<tr>\n <td>d</td>\n</tr></table>",
    ],
)
def test_cells_and_rows_of_a_table_of_html_stay_apart(source: str) -> None:
    lines = text(answer_html(source).replace("\n", " ").replace("<br>", "\n")).strip().splitlines()
    assert [line.strip() for line in lines] == ["a b | c", "d"]


@pytest.mark.parametrize(
    "source",
    [
        "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>d",
        "<ul>\n  <li>a\n    <ol>\n      <li>b</li>\n    </ol>\n  </li>\n  <li class=x>c</li>\n</ul>\nd",
    ],
)
def test_entries_of_a_list_of_html_stay_apart(source: str) -> None:
    lines = text(answer_html(source).replace("\n", " ").replace("<br>", "\n")).strip().splitlines()
    assert [line.strip() for line in lines] == ["• a", "• b", "• c", "d"]
    assert not answer_html(source).startswith("<p><br>")


@pytest.mark.parametrize(
    "source",
    [
        "Vec<T>",
        "if a < b and b > c",
        "<your-name>",
        "<think>x</think>",
        "x <- y",
        "<img src=x>",
        "a <script>b</script>",
    ],
)
def test_what_is_no_frame_of_text_is_shown_as_written(source: str) -> None:
    assert text(answer_html(source)).strip() == source


@pytest.mark.parametrize("language", ["python", "mermaid", "no-such-language", "c++"])
def test_code_has_the_name_of_its_language_and_all_its_text(language: str) -> None:
    html = answer_html(f"```{language} title=x\nint a = 1; // <b>\n```")
    assert f'<span class="a-language">{language}</span>' in html
    assert "int a = 1; // <b>" in text(html)
    assert ('<span class="a-number">' in html) == (language in {"python", "c++"})


def test_code_loses_nothing_to_marks_and_formulae() -> None:
    code = "a = `<b>$x$\\(y\\) [^1] ![p](u) http://a.example/b ]: \ue000"
    for source in (f"```\n{code}\n```", f"- item\n  ```\n  {code}\n  ```", f"    {code}", f"``{code}``"):
        assert code.removesuffix("\ue000") in text(answer_html(source)), source


def test_code_that_a_list_item_forgets_to_indent_stays_in_it() -> None:
    html = answer_html("1. One\n   ```py\nx = 1\n\n  y = 2\n   ```\n2. Two")
    assert (count(html, "ol"), count(html, "li"), count(html, "pre")) == (1, 2, 1)


def test_long_code_has_no_colours_and_all_its_text() -> None:
    body = "x = 1\n" * (MAX_CODE // 6 + 1)
    html = answer_html(f"```python\n{body}```")
    assert "a-number" not in html
    assert text(html).count("x = 1") == body.count("x = 1")


@pytest.mark.parametrize(
    "source",
    [
        "$x^2$",
        "\\(x^2\\)",
        "\\[x^2\\]",
        "$$x^2$$",
        "$$\nx^2\n$$",
        "> $$\n> x^2\n> $$",
        "- a\n\n  \\[\n  x^2\n  \\]",
        "| a |\n|---|\n| $x^2$ |",
        "**$x^2$**",
    ],
)
def test_formulae_are_mathml_wherever_they_stand(source: str) -> None:
    assert count(answer_html(source), "msup") == 1


@pytest.mark.parametrize(
    "source", ["It costs $5 and $10.", "$HOME and $PATH", "a $ b $ c", "`$x$`", "\\$x\\$", "\\\\(x\\\\)"]
)
def test_money_and_code_are_no_formulae(source: str) -> None:
    assert count(answer_html(source), "math") == 0


@pytest.mark.parametrize("latex", ["\\unknown{x}", "\\frac{", "{" * 21 + "}" * 21, "x" * 501, "\\href{http://a}{b}"])
def test_a_formula_that_cannot_be_shown_is_its_source(latex: str) -> None:
    html = answer_html(f"before ${latex}$ after")
    assert count(html, "math") == 0
    assert latex in text(html)


def test_formulae_beyond_the_bound_are_their_source() -> None:
    html = answer_html("$x$ " * (MAX_FORMULAE + 5))
    assert count(html, "math") == MAX_FORMULAE
    assert text(html).count("$x$") == 5


def test_a_definition_shows_as_text_and_acts_nowhere() -> None:
    parts = blocks("[r]: http://a.example/b\n\n[x][r] and [r]")
    assert ["http://a.example/b" in text(part) for part in parts] == [True, False]


@pytest.mark.parametrize("source", ["[word](javascript:alert(1))", "[word](data:text/html,x)", "[word]()"])
def test_a_link_without_an_address_to_show_is_its_words_alone(source: str) -> None:
    assert answer_html(source) == '<p dir="auto">word</p>\n'


def test_text_beyond_the_bound_is_shown_as_written() -> None:
    parts = blocks("**a** " * (MAX_CHARACTERS // 6) + "**the end**")
    assert "<strong>a</strong>" in parts[0]
    assert parts[-1] == '<p class="a-source" dir="auto">**the end**</p>'


@pytest.mark.parametrize("source", ["|" + "a|" * 200 + "\n|" + "-|" * 200 + "\n" + "|\n" * 5_000, "> " * 17 + "x"])
def test_a_block_beyond_the_bounds_is_shown_as_written(source: str) -> None:
    (part,) = blocks(source)
    assert part.startswith('<p class="a-source"')
    assert text(part).strip() == source.strip()


def test_right_to_left_text_turns_its_own_block() -> None:
    html = answer_html("مرحبا\n\n- واحد\n\n| أ |\n|---|\n| ب |")
    for name in ("p", "ul", "li", "th", "td"):
        assert f'<{name} dir="auto">' in html
