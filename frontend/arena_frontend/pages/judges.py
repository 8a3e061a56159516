"""The page of judges: models that judge answers, and how far they can be trusted."""

from __future__ import annotations

from arena_frontend.pages.reports import frame
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    frame(words, "judges", words["judges.title"], words["judges.lead"], script)
