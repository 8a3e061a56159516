"""Capacity planning: what an arena of a given size needs, by arithmetic from measured costs."""

from arena.domain.sizing.annotation import PER_DAY, AnnotationEffort, annotation_effort
from arena.domain.sizing.costs import Costs, reference
from arena.domain.sizing.demand import Demand
from arena.domain.sizing.estimate import Bound, CapacityEstimate, estimate

__all__ = [
    "PER_DAY",
    "AnnotationEffort",
    "Bound",
    "CapacityEstimate",
    "Costs",
    "Demand",
    "annotation_effort",
    "estimate",
    "reference",
]
