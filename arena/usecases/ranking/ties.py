"""The models of ties of a snapshot: how often equals tie, and models 200 points apart."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from arena.domain.schemas import TieModelsView, TieModelView
from arena_rating import pair_counts, tie_fits

if TYPE_CHECKING:
    from arena.usecases.ranking.methods import Method
    from arena_rating import Comparisons, TieFit

DECIMALS: Final = 6


def ties(log: Comparisons, method: Method) -> TieModelsView | None:
    """Davidson's and Rao and Kupper's models; None without a tie or a win.

    Raises:
        NotConverged: A fit did not end.
    """
    fits = tie_fits(pair_counts(log), prior=method.parameters.prior)
    return TieModelsView(votes=len(log), rows=[_row(fit) for fit in fits]) if fits else None


def _row(fit: TieFit) -> TieModelView:
    values = {name: round(each, DECIMALS) if isinstance(each, float) else each for name, each in asdict(fit).items()}
    return TieModelView.model_validate({name: values[name] for name in TieModelView.model_fields})
