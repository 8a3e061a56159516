"""The page of predictors: which evaluation predicts what people choose in the arena."""

from __future__ import annotations

from arena_frontend.pages.reports import frame
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    frame(words, "predictors", words["predictors.title"], words["predictors.lead"], script)
