from hypothesis import given
from hypothesis import strategies as st

from arena.pacing import CATCH_UP_FRAMES, Pacer
from arena.terms import Side

A, B = Side.A, Side.B


def release(pacer: Pacer, frames: int) -> list[dict[Side, str]]:
    return [pacer.frame().text for _ in range(frames)]


def test_nothing_leaves_before_both_sides_have_begun():
    pacer = Pacer(10)
    pacer.feed(A, "early")
    assert pacer.frame().text == {}
    pacer.feed(B, "late")
    assert pacer.frame().text == {A: "earl", B: "late"}


def test_a_fast_side_waits_for_the_slow_one_in_every_frame():
    pacer = Pacer(5)
    pacer.feed(A, "x" * 100)
    pacer.feed(B, "yy")
    assert release(pacer, 2) == [{A: "xx", B: "yy"}, {}]
    pacer.feed(B, "y" * 9)
    assert release(pacer, 2) == [{A: "xxxxx", B: "yyyyy"}, {A: "xxxx", B: "yyyy"}]


def test_a_side_at_its_end_does_not_hold_the_other_back():
    pacer = Pacer(5)
    pacer.feed(A, "ab")
    pacer.end(A)
    pacer.feed(B, "y" * 8)
    first = pacer.frame()
    assert first.text == {A: "ab", B: "yyyyy"}
    assert first.done == (A,)
    assert pacer.frame().text == {B: "yyy"}
    assert not pacer.finished
    pacer.end(B)
    assert pacer.frame().done == (B,)
    assert pacer.finished


def test_a_long_backlog_is_caught_up_once_both_have_ended():
    pacer = Pacer(1)
    for side in Side:
        pacer.feed(side, "z" * 50_000)
        pacer.end(side)
    frames = 0
    while not pacer.finished:
        pacer.frame()
        frames += 1
    assert frames <= CATCH_UP_FRAMES * 8


events = st.lists(
    st.one_of(
        st.tuples(st.just("feed"), st.sampled_from(Side), st.text(max_size=30)),
        st.tuples(st.just("frame"), st.none(), st.none()),
    ),
    max_size=60,
)


@given(events, st.integers(1, 20))
def test_every_character_leaves_once_in_order_and_both_sides_in_step_while_both_talk(script, characters):
    pacer = Pacer(characters)
    fed = dict.fromkeys(Side, "")
    shown = dict.fromkeys(Side, "")
    for kind, side, text in script:
        if kind == "feed":
            fed[side] += text
            pacer.feed(side, text)
        else:
            released = pacer.frame().text
            assert len({len(released.get(each, "")) for each in Side}) == 1
            for each in Side:
                shown[each] += released.get(each, "")
    for side in Side:
        pacer.end(side)
    while not pacer.finished:
        for side, text in pacer.frame().text.items():
            shown[side] += text
    assert shown == fed
