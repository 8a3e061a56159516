import pytest

from arena.usecases.votes.assessment import LONGEST_READING, reading_seconds


@pytest.mark.parametrize(
    ("answers", "needed"),
    [
        (["x" * 40, "x" * 80], 1.0),
        (["x" * 80, "x" * 40], 1.0),
        (["山" * 20, "x" * 400], 1.0),
        (["山" * 20 + "x" * 40, "x" * 400], 2.0),
        (["x" * 4_000, "x" * 5_000], LONGEST_READING),
        (["", "x" * 80], 0.0),
        (["x" * 400], LONGEST_READING),
    ],
)
def test_the_shorter_answer_is_what_must_be_read_and_han_takes_twice_as_long(answers, needed):
    assert reading_seconds(answers, 40) == needed


def test_a_faster_reader_needs_less():
    assert reading_seconds(["x" * 80], 80) == 1.0
