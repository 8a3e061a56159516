from hypothesis import given
from hypothesis import strategies as st

from arena.domain.text import split_high_surrogate, well_formed


def test_a_split_emoji_is_joined_and_a_lone_half_is_replaced():
    assert well_formed("a\ud83d\ude00b\ud83dc") == "a😀b\ufffdc"


def test_a_half_at_the_end_waits_for_its_other_half():
    assert split_high_surrogate("hello \ud83d") == ("hello ", "\ud83d")
    assert split_high_surrogate("\ud83d\ude00") == ("😀", "")


@given(st.text(st.characters(codec=None), max_size=50))
def test_what_comes_out_can_always_be_stored(text):
    assert "\0" not in well_formed(text)
    well_formed(text).encode()


@given(st.text(max_size=50).filter(lambda text: "\0" not in text))
def test_whole_text_stays_as_it_is(text):
    assert well_formed(text) == text
