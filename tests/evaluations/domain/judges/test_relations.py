"""The sentence on models that a judge does not judge."""

from arena.evaluations.domain.judges.relations import describe_related
from arena.evaluations.domain.terms import Relation


def test_models_that_a_judge_may_favour_are_named_by_reason():
    related = {"sharp": Relation.SELF, "red": Relation.OWNER, "blue": Relation.OWNER, "kin": Relation.FAMILY}
    assert describe_related("sharp", related) == (
        "sharp does not judge sharp (the judge itself); red, blue (same owner); kin (same family):"
        " a judge may favour its own."
    )
