"""A vote on the same prompt, answered by the same pair for the same voter, counts once."""

import pytest

from arena.domain.terms import NotCounted, Voter
from arena.domain.text import normalised
from arena.usecases.battles import battles
from tests.usecases.battles.test_turns import follow, play
from tests.usecases.votes.test_votes import vote

OTHER = Voter(key="voter-two", address="127.0.0.1")


async def reason(runtime, voter, prompt: str) -> str | None:
    battle, _ = await play(runtime, voter, prompt)
    return (await vote(runtime, voter, battle.id)).reason


async def test_the_second_vote_on_one_prompt_and_pair_is_kept_and_not_counted(runtime, voter):
    assert await reason(runtime, voter, "Why is the sky blue?") is None
    for again in (
        "Why is the sky blue?",
        "  why is the\nSKY blue? ",
        "Ｗｈｙ is the sky blue?",
        "Why is the\u200b sky blue?",
    ):
        assert await reason(runtime, voter, again) == NotCounted.REPEATED
    assert await reason(runtime, voter, "Why is the sky dark?") is None
    assert await reason(runtime, OTHER, "Why is the sky blue?") is None


async def test_battles_side_by_side_count_once(runtime, voter):
    first, second = [(await battles.open_battle(runtime, voter, "Why is the sky blue?")).id for _ in range(2)]
    for battle in (first, second):
        await follow(runtime, voter, battle)
    assert (await vote(runtime, voter, second)).reason == NotCounted.REPEATED
    assert (await vote(runtime, voter, first)).reason is None


async def test_a_battle_that_was_left_does_not_make_the_next_a_repetition(runtime, voter):
    battle, _ = await play(runtime, voter, "Why is the sky blue?")
    await battles.skip(runtime, voter, battle.id)
    assert await reason(runtime, voter, "Why is the sky blue?") is None


@pytest.mark.parametrize(
    ("one", "other"), [("A  b", "a B\n"), ("ＡＢ", "ab"), ("a\u200bb", "ab"), ("Straße", "STRASSE")]
)
def test_prompts_are_compared_without_case_width_and_spacing(one, other):
    assert normalised(one) == normalised(other)
