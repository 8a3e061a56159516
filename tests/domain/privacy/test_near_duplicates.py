"""Texts that differ in a word or in width are one group; others are apart."""

from arena.domain.privacy.near_duplicates import groups

LONG = "Write a short story about a lighthouse keeper who finds a letter in a bottle and answers it every year. "


def test_copies_with_small_changes_are_one_group_named_by_its_first():
    texts = [LONG * 3, "为什么天空是蓝色的？", LONG * 3 + "Thanks!", (LONG * 3).upper(), "为什么天空是蓝色的?"]
    assert groups(texts) == [0, 1, 0, 0, 1]


def test_texts_with_the_same_frame_and_another_question_are_apart():
    frame = "Answer in one sentence: "
    assert groups([f"{frame}what is the capital of Mongolia?", f"{frame}why do cats purr at night?"]) == [0, 1]


def test_short_and_empty_texts_have_groups_too():
    assert groups([]) == []
    assert groups(["hi", "", "hi", "ho"]) == [0, 1, 0, 3]


def test_many_copies_take_no_longer_than_their_number():
    assert set(groups([LONG] * 1_000)) == {0}
