"""The arena's prelude comes before any script of the page, and keeps the page out of quirks mode."""

from __future__ import annotations

import pytest

from arena.api.frames.documents import framed


@pytest.mark.parametrize(
    ("source", "before"),
    [
        ("<!DOCTYPE html><html></html>", "<!DOCTYPE html>"),
        ("\n<!-- x -->\n<!doctype html>\n<script>1</script>", "\n<!-- x -->\n<!doctype html>"),
        ("<script>evil()</script><!doctype html>", ""),
        ("<h1>fragment</h1>", ""),
    ],
)
def test_the_prelude_stands_behind_the_doctype_or_first_of_all(source, before):
    made = framed(source)
    assert made.startswith(f"{before}<script>")
    assert made.endswith(source[len(before) :])


def test_thousands_of_comments_are_read_once_and_the_doctype_behind_them_is_seen():
    comments = "<!---->" * 5_000
    assert not framed(f"{comments}<p>hi").startswith("<!--")
    assert framed(f"{comments}<!doctype html><p>hi").startswith(f"{comments}<!doctype html><script>")
