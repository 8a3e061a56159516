import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.calls.stream import ANSWER_LIMIT
from arena.domain.blinding.pacing import LOOK_TIME, SHOW_TIME, Pace, Pacer
from arena.domain.blinding.units import units_of
from arena.domain.terms import Side
from arena_providers.deadlines import TimeLimits

A, B = Side.A, Side.B
LIMIT = 210.0


def pacer_of(units: int, *, start: float = 0, segment: float = 0, limit: float = LIMIT) -> Pacer:
    return Pacer(Pace(0.1, 10 * units, start, segment), limit)


def release(pacer: Pacer, frames: int) -> list[dict[Side, str]]:
    return [pacer.frame(1).text for _ in range(frames)]


def first_words(pacer: Pacer, begun: float) -> float:
    """Time of the first words if both answers begin at this moment with much text."""
    for tick in range(1000):
        if tick == round(10 * begun):
            for side in Side:
                pacer.feed(side, "x" * 100)
        if pacer.frame(tick / 10).text:
            return tick / 10
    raise AssertionError


def shown_after(pacer: Pacer, length: int) -> float:
    """Time at which two complete answers of this length have been shown."""
    for side in Side:
        pacer.feed(side, "z" * length)
        pacer.end(side)
    tick = 0
    while not pacer.finished:
        pacer.frame(tick * pacer.pace.interval)
        tick += 1
    return tick * pacer.pace.interval


def test_nothing_leaves_before_both_sides_have_begun():
    pacer = pacer_of(10)
    pacer.feed(A, "early")
    assert pacer.frame(0).text == {}
    pacer.feed(B, "late")
    assert pacer.frame(1).text == {A: "earl", B: "late"}


@pytest.mark.parametrize(("begun", "shown"), [(0, 1.8), (1.7, 1.8), (1.9, 3.8), (3.7, 3.8), (4.0, 5.8)])
def test_the_first_words_come_at_the_start_or_at_a_later_beat_of_the_clock(begun, shown):
    assert first_words(pacer_of(5, start=1.8, segment=2), begun) == shown


def test_a_fast_side_waits_for_the_slow_one_in_every_frame():
    pacer = pacer_of(5)
    pacer.feed(A, "x" * 100)
    pacer.feed(B, "yy")
    assert release(pacer, 2) == [{A: "xx", B: "yy"}, {}]
    pacer.feed(B, "y" * 9)
    assert release(pacer, 2) == [{A: "xxxxx", B: "yyyyy"}, {A: "xxxx", B: "yyyy"}]


def test_a_segment_flows_to_its_end_and_a_side_that_lacks_the_next_stops_both_for_a_whole_beat():
    pacer = pacer_of(5, segment=0.4)
    pacer.feed(A, "x" * 100)
    pacer.feed(B, "y" * 39)
    five = {A: "xxxxx", B: "yyyyy"}
    assert release(pacer, 5) == [five] * 4 + [{}]
    pacer.feed(B, "y")
    assert release(pacer, 4) == [{}, {}, {}, five]


def test_a_side_at_its_end_does_not_hold_the_other_back():
    pacer = pacer_of(5)
    pacer.feed(A, "ab")
    pacer.end(A)
    pacer.feed(B, "y" * 8)
    first = pacer.frame(1)
    assert first.text == {A: "ab", B: "yyyyy"}
    assert first.done == (A,)
    assert pacer.frame(1).text == {B: "yyy"}
    assert not pacer.finished
    pacer.end(B)
    assert pacer.frame(1).done == (B,)
    assert pacer.finished


def test_text_that_was_not_released_can_be_retracted():
    pacer = pacer_of(5)
    pacer.feed(A, "Okay, the user")
    assert release(pacer, 1) == [{}]
    assert pacer.retract(A)
    pacer.feed(A, "It is 42")
    pacer.feed(B, "y" * 9)
    assert release(pacer, 2) == [{A: "It is", B: "yyyyy"}, {A: " 42", B: "yyy"}]


def test_text_that_was_released_cannot_be_retracted():
    pacer = pacer_of(5)
    for side in Side:
        pacer.feed(side, "Okay, the user")
    release(pacer, 1)
    assert not pacer.retract(A)


def test_the_end_of_a_side_is_not_shown_in_a_pause():
    pacer = pacer_of(5, segment=0.2)
    for side in Side:
        pacer.feed(side, "z" * 10)
    release(pacer, 3)
    pacer.end(A)
    assert pacer.frame(1).done == ()
    pacer.end(B)
    assert pacer.frame(1).done == (A, B)


@pytest.mark.parametrize("ended", [(), (A,), (A, B)])
@pytest.mark.parametrize("waiting", [40, 4000])
def test_the_rate_is_the_same_however_much_waits_and_whoever_has_ended(waiting, ended):
    pacer = pacer_of(6)
    for side in Side:
        pacer.feed(side, "z" * waiting)
    for side in ended:
        pacer.end(side)
    assert [{side: len(text) for side, text in texts.items()} for texts in release(pacer, 5)] == [{A: 6, B: 6}] * 5


def test_a_frame_releases_the_same_units_of_any_language_and_owes_half_a_character_to_the_next():
    pacer = pacer_of(5)
    pacer.feed(A, "中文字符一二三四")
    pacer.feed(B, "abcdefghijklmnop")
    assert release(pacer, 3) == [{A: "中文", B: "abcde"}, {A: "字符一", B: "fghij"}, {A: "二三", B: "klmno"}]


def test_the_half_of_a_character_that_is_owed_does_not_let_the_other_side_run_ahead():
    pacer = pacer_of(3)
    pacer.feed(A, "中文")
    pacer.feed(B, "abcdefgh")
    assert release(pacer, 3) == [{A: "中", B: "abc"}, {A: "文", B: "d"}, {}]


ODD = {
    "one character a second": [(second, "x") for second in range(60)],
    "100 KB at once": [(0, "x" * 100_000)],
    "nothing and then all": [(59, "x" * 600)],
}


@pytest.mark.parametrize("segment", [0, 4])
@pytest.mark.parametrize("arrivals", ODD.values(), ids=ODD)
def test_beside_a_model_that_writes_oddly_both_sides_have_the_same_frames(arrivals, segment):
    pacer = Pacer(Pace(start=1.8, segment=segment), LIMIT)
    left, whole = list(arrivals), sum(len(text) for _, text in arrivals)
    pacer.feed(B, "y" * whole)
    pacer.end(B)
    lengths = dict.fromkeys(Side, 0)
    for tick in range(int(10 * LIMIT) + 2):
        while left and left[0][0] <= tick / 10:
            pacer.feed(A, left.pop(0)[1])
            if not left:
                pacer.end(A)
        text = {side: len(released) for side, released in pacer.frame(tick / 10).text.items()}
        assert text.get(A, 0) == text.get(B, 0)
        is_rest = arrivals[-1][0] < LOOK_TIME <= tick / 10  # of answers that were complete early
        assert is_rest or tick >= 10 * LIMIT or max(text.values(), default=0) <= pacer.pace.quantum
        lengths = {side: lengths[side] + text.get(side, 0) for side in Side}
    assert pacer.finished
    assert lengths == {A: whole, B: whole}


@pytest.mark.parametrize("pace", [Pace(), Pace(1, 1), Pace(5, 1, 30), Pace(segment=4), Pace(1, 1, 30, 30)])
@pytest.mark.parametrize("total", [1.0, 180.0])
def test_whatever_is_set_all_is_shown_before_the_turn_is_overdue(pace, total):
    limit = total + SHOW_TIME / 2
    assert shown_after(Pacer(pace, limit), ANSWER_LIMIT) <= limit + 3 * pace.interval < total + SHOW_TIME


def test_the_longest_answer_is_shown_at_the_usual_pace():
    pace = Pace()
    assert shown_after(Pacer(pace, 1e9), ANSWER_LIMIT) < TimeLimits().total + SHOW_TIME / 2


def test_long_answers_that_are_complete_are_shown_within_half_a_minute_at_one_rate():
    pacer = Pacer(Pace(), 1e9)
    lengths = {A: 20_000, B: 9_000}
    shown, frames = dict.fromkeys(Side, 0), list[dict[Side, int]]()
    for tick in range(300):  # of a tenth of a second
        if tick < 30:
            for side in Side:
                pacer.feed(side, "z" * (lengths[side] // 30))
        if tick == 30:
            for side in Side:
                pacer.feed(side, "z" * (lengths[side] % 30))
                pacer.end(side)
        frames.append({side: len(text) for side, text in pacer.frame(tick / 10).text.items()})
        shown = {side: shown[side] + frames[-1].get(side, 0) for side in Side}
    assert pacer.finished
    assert shown == lengths
    together = [frame for frame in frames if len(frame) == len(Side)]
    assert all(frame[A] == frame[B] for frame in together[:-1])
    assert {frame[A] for frame in together[:-1]} == {24, 95}


@pytest.mark.parametrize("ended", [0.0, 4.0, 5.9, 6.1, 12.0])
def test_from_when_on_answers_leave_faster_tells_only_whether_they_were_complete_early(ended):
    pacer = Pacer(Pace(), 1e9)
    for side in Side:
        pacer.feed(side, "z" * 30_000)
    first = None
    for tick in range(300):
        if tick == round(10 * ended):
            for side in Side:
                pacer.end(side)
        if first is None and len(pacer.frame(tick / 10).text.get(A, "")) > pacer.pace.quantum:
            first = tick / 10
    assert first == (LOOK_TIME if ended < LOOK_TIME else None)


def test_one_answer_that_is_not_complete_keeps_both_at_the_rate():
    pacer = Pacer(Pace(), 1e9)
    for side in Side:
        pacer.feed(side, "z" * 60_000)
    pacer.end(A)
    frames = [pacer.frame(tick / 10).text for tick in range(20, 600)]
    assert {len(text) for frame in frames for text in frame.values()} == {pacer.pace.quantum}


def test_models_whose_names_are_known_are_shown_at_once_and_quickly():
    pace = Pace(segment=4).named
    assert (pace.start, pace.interval, pace.frames) == (0, Pace().interval, 1)
    assert pace.quantum > 10 * Pace().quantum


events = st.lists(
    st.one_of(
        st.tuples(st.just("feed"), st.sampled_from(Side), st.text(st.sampled_from("ab 中文한é"), max_size=30)),
        st.tuples(st.just("frame"), st.none(), st.none()),
    ),
    max_size=60,
)


@given(events, st.integers(1, 20), st.sampled_from([0, 1.8]), st.sampled_from([0, 0.5]))
def test_every_character_leaves_once_in_order_and_both_sides_in_step_while_both_talk(script, units, start, segment):
    pacer = pacer_of(units, start=start, segment=segment)
    fed = dict.fromkeys(Side, "")
    texts = dict.fromkeys(Side, "")
    for tick, (kind, side, text) in enumerate(script):
        if kind == "feed":
            fed[side] += text
            pacer.feed(side, text)
        else:
            for each, released in pacer.frame(tick / 10).text.items():
                texts[each] += released
            assert abs(units_of(texts[A]) - units_of(texts[B])) <= 1
    for side in Side:
        pacer.end(side)
    now = 10.0
    while not pacer.finished:
        for side, text in pacer.frame(now).text.items():
            texts[side] += text
        now += 0.1
    assert texts == fed


def test_from_the_limit_on_all_that_is_there_leaves_at_once():
    pacer = pacer_of(5, limit=9)
    for side in Side:
        pacer.feed(side, "x" * 100)
    assert len(pacer.frame(8.9).text[A]) < 100
    assert len(pacer.frame(9).text[A]) > 90


@pytest.mark.parametrize("rate", [1, 10])
def test_a_frame_has_one_unit_where_the_rate_is_one_unit_per_frame_or_less(rate):
    pacer = Pacer(Pace(0.1, rate, 0.0), LIMIT)
    for side in Side:
        pacer.feed(side, "abc")
    assert pacer.frame(1).text == {A: "a", B: "a"}


def test_without_segments_one_unit_is_enough_for_a_frame():
    pacer = pacer_of(5)
    for side in Side:
        pacer.feed(side, "a")
    assert pacer.frame(1).text


@pytest.mark.parametrize(("length", "flows"), [(60, True), (6, False)])
def test_a_segment_of_two_frames_begins_once_both_of_them_are_there(length, flows):
    pacer = pacer_of(10, segment=0.2)
    for side in Side:
        pacer.feed(side, "x" * length)
    assert bool(pacer.frame(1).text) is flows
