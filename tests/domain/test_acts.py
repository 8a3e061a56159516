"""What the record of an operator's act says of a change."""

from arena.domain.operators import Act, ActKind


def test_what_is_changed_stands_before_the_reason():
    act = Act(ActKind.ENDPOINT_CHANGED, "red", "asked by its owner")
    act.changed(vision=True, listed=False, languages=["en", "zh"], licence="MIT")
    assert act.why == "vision: on; listed: off; languages: en, zh; licence: MIT; asked by its owner"
    plain = Act(ActKind.ENDPOINT_CHANGED, "red")
    plain.changed(vision=True)
    assert plain.why == "vision: on"
