"""What a person asked in the weeks of an earlier release is not released again, in whatever turn it stands."""

from datetime import date

import pytest

from arena.domain.privacy.crowds import traits_of
from arena.domain.terms import Outcome
from arena.usecases.releases.conversations import Conversation, Turn
from arena.usecases.releases.selection import select

ASKED = "Please write the weekly bulletin of the choir in Oldenbrook, with dates and songs"


def conversation(person: str, *prompts: str) -> Conversation:
    traits = traits_of(date(2026, 3, 1), "en", "knowledge", 0)
    turns = tuple(Turn(prompt, "one answer", "another answer") for prompt in prompts)
    return Conversation(f"battle of {person}", person, "gull", "heron", Outcome.A, traits, turns)


def selected(own: Conversation, asked: dict[str, list[str]]) -> tuple[set[str], dict[str, int]]:
    """The people of a selection from a conversation and those of a crowd, and what was removed."""
    crowd = [conversation(f"person {number}", f"What is the number {number * 7919}?") for number in range(6)]
    selection = select([*crowd, own], lambda *_: True, asked)
    return {chosen.person for chosen, _ in selection.conversations}, selection.removed


@pytest.mark.parametrize(
    "prompts",
    [
        (ASKED,),
        ("Hello, can you help me?", ASKED),
        ("Hello, can you help me?", ASKED.upper() + "!"),
        ("Hello, can you help me?", ASKED.replace("songs", "song"), "Make it shorter, please."),
    ],
)
def test_a_prompt_nearly_the_same_as_one_of_this_person_before_takes_the_conversation_out(prompts):
    people, removed = selected(conversation("Ada", *prompts), {"Ada": ["A different question", ASKED]})
    assert "Ada" not in people
    assert (removed["asked_before"], len(people)) == (1, 6)


def test_the_same_prompt_of_another_person_joins_nobody_and_stays():
    people, removed = selected(conversation("Ada", ASKED), {"person 1": [ASKED], "Eve": [ASKED]})
    assert "Ada" in people
    assert removed == {"asked_before": 0, "repeated": 0, "alone": 0}
