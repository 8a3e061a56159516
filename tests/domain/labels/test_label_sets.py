"""Each set's rules give labels of the set; flags are counted exactly where they can be."""

import pytest

from arena.domain.errors import Invalid
from arena.domain.labels.flags import flags_of, tokens
from arena.domain.labels.label_sets import AREAS, LABEL_RULES, LabelSource, label_set, set_names
from tests.domain.labels.test_capabilities import chinese


@pytest.mark.parametrize("name", LABEL_RULES)
def test_rules_give_labels_of_their_set_and_no_other(name):
    labels = set(label_set(name).labels)
    labels_of_rules = {label for _, prompt in chinese() for label in LABEL_RULES[name]([prompt])}
    assert (labels_of_rules <= labels, len(labels_of_rules) >= 4) == (True, True)


def test_the_sets_have_ten_capabilities_eight_flags_and_seven_areas():
    assert {name: len(label_set(name).labels) for name in set_names()} == {"areas": 7, "capabilities": 10, "flags": 8}
    assert set(AREAS.values()) == set(label_set("areas").labels) - {"plugins"}


def test_turns_and_length_are_exact():
    assert "multi_turn" in flags_of(["Hi", "And then?"])
    assert (tokens("四个汉字"), tokens("sixteen letters.")) == (4, 4)
    assert ["long" in flags_of(["字" * count]) for count in (499, 500)] == [False, True]


def test_demands_are_counted_for_instruction_following():
    demanding = "Write three sentences for children in JSON. Do not use the word sun. First greet, then explain."
    assert "instruction_following" in flags_of([demanding])
    assert "instruction_following" not in flags_of(["Why is the sky blue?"])


@pytest.mark.parametrize("text", ["", "rules/2", "capabilities/rules/x", "capabilities/rules/0", "moods/rules/1"])
def test_a_source_is_set_labeller_and_version(text):
    assert str(LabelSource.parse("flags/rules/2")) == "flags/rules/2"
    with pytest.raises(Invalid):
        LabelSource.parse(text)


def test_the_ten_capabilities_are_in_four_groups_and_each_in_one():
    chosen = label_set("capabilities")
    assert len(chosen.groups) == 4
    assert sorted(label for labels in chosen.groups.values() for label in labels) == sorted(chosen.labels)
    assert (chosen.group("code"), chosen.group("chess")) == ("professional abilities", "")
