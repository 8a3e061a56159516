import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.domain.blinding.units import prefix_length, units_of

MIXED = st.text(st.sampled_from("ab é中文かカ한ᄒ々ｶ𠀀😀"), max_size=40)


@pytest.mark.parametrize(
    ("text", "units"),
    [("", 0), ("hello", 5), ("né😀", 3), ("中文", 4), ("かナ", 4), ("한국", 4), ("𠀀", 2), ("a中，", 4)],
)
def test_han_kana_and_hangul_count_twice_and_all_else_once(text, units):
    assert units_of(text) == units


@given(MIXED, st.integers(0, 60))
@example("中ab", 3)
@example("中文", 3)
def test_as_many_characters_fit_as_their_units_allow_and_not_one_more(text, units):
    count = prefix_length(text, units)
    assert units_of(text[:count]) <= units
    assert count == len(text) or units_of(text[: count + 1]) > units
