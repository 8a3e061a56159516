import pytest

from arena.domain.blinding.speeds import (
    COARSE_RATE,
    COARSE_SEGMENT,
    LATEST,
    MIN_MEASURED_UNITS,
    RATES,
    USUAL,
    PoolPace,
    Speed,
    TimedAnswer,
    pool_pace,
    speed_of,
)


def pool(*rates: float, first: float = 1.0) -> dict[int, Speed]:
    return {number: Speed(first, rate) for number, rate in enumerate(rates)}


def test_the_highest_rate_that_four_of_five_models_sustain_is_chosen():
    pace = pool_pace(pool(130, 130, 200, 250, 90))
    assert (pace.rate, pace.segment, pace.slow) == (120, 0, (4,))
    assert pace.sustained[180] == 0.4


def test_models_that_keep_exactly_a_rate_sustain_it_and_are_not_slow():
    pace = pool_pace(pool(*[RATES[0]] * 5))
    assert (pace.rate, pace.slow, pace.sustained[RATES[0]]) == (RATES[0], (), 1)


def test_no_pool_is_released_faster_than_at_the_highest_rate():
    assert pool_pace(pool(2_000, 3_000)).rate == max(RATES)


def test_a_pool_of_two_slow_models_gets_the_coarse_clock_and_knows_the_slower_one():
    pace = pool_pace(pool(30, 20))
    assert (pace.rate, pace.segment, pace.slow) == (COARSE_RATE, COARSE_SEGMENT, (1,))


def test_a_pool_of_which_nothing_is_known_gets_the_usual_clock():
    assert pool_pace({}) == pool_pace({}, by_hand=USUAL) == PoolPace(USUAL)


def test_the_start_is_when_nine_of_ten_have_begun_and_at_most_so_late():
    speeds = {number: Speed(number / 10, 500) for number in range(1, 11)}
    assert pool_pace(speeds).start == pytest.approx(0.9)
    assert pool_pace(pool(500, 500, first=40)).start == LATEST


def test_who_begins_after_the_start_is_of_the_slow_class():
    speeds = pool(500, 500, 500, 500, 500) | {7: Speed(9.0, 500)}
    assert pool_pace(speeds).slow == (7,)


def test_a_rate_set_by_hand_stays_and_the_shares_say_how_many_sustain_it():
    pace = pool_pace(pool(30, 20), by_hand=400)
    assert (pace.rate, pace.segment, pace.slow) == (400, 0, (0, 1))
    assert (set(pace.sustained), set(pace.sustained.values())) == ({*RATES, 400}, {0.0})


def test_a_speed_is_what_nine_of_ten_answers_keep():
    answers = [TimedAnswer(300, 100 * number, 100 * number + 1000) for number in range(1, 21)]
    assert speed_of(answers) == Speed(1.8, 300)
    slow = [TimedAnswer(300, 500, 500 + 1000 * number) for number in range(1, 21)]
    assert speed_of(slow) == pytest.approx((0.5, 300 / 18))


def test_short_answers_and_few_ones_show_no_speed():
    assert speed_of([TimedAnswer(3, 100, 200)] * 50) is None
    assert speed_of([TimedAnswer(300, 100, 1100)] * 19) is None


@pytest.mark.parametrize(("units", "is_measured"), [(MIN_MEASURED_UNITS, True), (MIN_MEASURED_UNITS - 1, False)])
def test_answers_are_measured_from_a_length_on(units, is_measured):
    assert (speed_of([TimedAnswer(units, 100, 1100)] * 20) is not None) == is_measured


def test_an_answer_that_comes_at_once_has_a_speed():
    assert speed_of([TimedAnswer(300, 100, 100)] * 20) == Speed(0.1, 3_000)
