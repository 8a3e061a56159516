"""The newcomer's walk leaves a picture of every page."""

from __future__ import annotations

from arena_frontend.render import PAGES

from . import newcomer


def test_each_page_has_a_step() -> None:
    assert set(PAGES.values()) <= set(newcomer.PAGES)
    assert set(newcomer.PAGES.values()) == set(newcomer.STEPS)
