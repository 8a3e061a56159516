"""Counting the style of an answer."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import STYLE_FEATURES, BadComparisons, Markup, markup_of, share_differences, style_features
from tests.effort import is_affordable

ANSWER = """# Title

Some **bold** and __also bold__ text, 2 ** 3 ** 4 and snake__case.

## Steps ##
1. first
2) second
   - nested **with bold**
* star
+ plus
-not an item
#not a header

```python
# a comment
- x
**y**
```
~~~
# tilde
```
- still code
~~~

The end `**code**`.
"""


def test_headers_items_and_bold_spans_are_counted_outside_code():
    assert markup_of(ANSWER) == Markup(length=len(ANSWER.strip()), headers=2, lists=5, bold=3)


@pytest.mark.parametrize(
    ("text", "headers", "lists", "bold"),
    [
        ("", 0, 0, 0),
        ("###### six", 1, 0, 0),
        ("####### seven", 0, 0, 0),
        ("#", 1, 0, 0),
        ("    # too deep", 0, 0, 0),
        ("-", 0, 0, 0),
        ("**a** and **b**", 0, 0, 2),
        ("** a **", 0, 0, 0),
        ("***both***", 0, 0, 1),
        ("**一二三** # 不是标题", 0, 0, 1),
        ("```\n# never closed", 0, 0, 0),
        ("````\n```\n# inside\n````\n# outside", 1, 0, 0),
        ("``` not a `fence`\n# header", 1, 0, 0),
        ("1999. a year long ago", 0, 1, 0),
        ("12345678901. too long a number", 0, 0, 0),
    ],
)
def test_headers_lists_and_bold_words_are_counted_as_markdown_shows_them(text, headers, lists, bold):
    assert markup_of(text) == Markup(len(text.strip()), headers, lists, bold)


@given(st.text(alphabet="#*-_`~ 1.\nab", max_size=200))
def test_any_text_has_a_style_and_fenced_text_adds_length_alone(text):
    plain, fenced = markup_of(text), markup_of(f"~~~~~\n{text.replace('~', '-')}\n~~~~~")
    assert min(plain.headers, plain.lists, plain.bold) >= 0
    assert (fenced.headers, fenced.lists, fenced.bold) == (0, 0, 0)
    assert fenced.length == len(text) + 12


@pytest.mark.parametrize("piece", ["**", "**a", "`", "```\n", "* ", "__ _", "# ", "*a**", "~~~ `\n", " ", "1."])
def test_hostile_text_is_read_in_linear_time(piece):
    assert is_affordable(partial(markup_of, piece * 100_000))


def test_features_are_differences_over_sums():
    rows = style_features([Markup(300, 2, 0, 0), Markup(0, 0, 0, 1)], [Markup(100, 0, 0, 0), Markup(5, 0, 4, 1)])
    assert rows.tolist() == [[0.5, 1.0, 0.0, 0.0], [-1.0, 0.0, -1.0, 0.0]]
    assert STYLE_FEATURES == ("length", "headers", "lists", "bold")
    assert style_features([], []).shape == (0, 4)


def test_sides_of_different_length_and_negative_or_endless_measures_are_refused():
    with pytest.raises(BadComparisons):
        style_features([Markup(1, 1, 1, 1)], [])
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(BadComparisons):
            share_differences(np.array([bad]), np.array([2.0]))
