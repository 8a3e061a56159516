"""The one document of an answer is found; an answer without one, or with two, shows none."""

from __future__ import annotations

import pytest

from arena.domain.web_pages.document import LIMIT, Missing, WebPage, find_page

PAGE = "<!DOCTYPE html>\n<html lang='en'><head><title>x</title></head><body>hi</body></html>"


@pytest.mark.parametrize(
    "answer",
    [
        f"```html\n{PAGE}\n```",
        f"Here it is:\n\n```html\n{PAGE}\n```\nEnjoy.",
        f"```HTML title=page.html\n{PAGE}\n```",
        f"~~~html\n{PAGE}\n~~~",
        f"````html\n{PAGE}\n````",
        f"```\n{PAGE}\n```",
        PAGE,
        f"Sure!\n\n{PAGE}\n\nI hope that helps.",
        f"```html\n{PAGE}\n```\n\nInstall it with:\n```sh\nnpm i\n```",
    ],
)
def test_a_fenced_block_or_a_bare_document_is_the_page_without_the_prose(answer):
    assert find_page(answer) == WebPage(PAGE)


def test_a_fragment_in_a_block_named_html_is_a_page():
    assert find_page("```html\n<h1>Hi</h1>\n```") == WebPage("<h1>Hi</h1>")


def test_fences_inside_a_bare_document_are_part_of_it():
    page = PAGE.replace("hi", "\n```\ncode\n```\n")
    assert find_page(page) == WebPage(page)


@pytest.mark.parametrize(
    "answer",
    ["", "I cannot help with that.", "Use the `<html>` tag.", "```python\nprint('<html>')\n```", "```html\n\n```"],
)
def test_prose_and_refusals_have_no_page(answer):
    assert find_page(answer) is Missing.NONE


@pytest.mark.parametrize(
    "answer", [f"```html\n{PAGE}\n```\nor\n```html\n{PAGE}\n```", f"{PAGE}\n{PAGE}", f"First:\n{PAGE}\nSecond:\n{PAGE}"]
)
def test_of_two_documents_none_is_the_page(answer):
    pages = find_page(answer)
    assert pages is Missing.SEVERAL


@pytest.mark.parametrize(
    "answer", [f"```html\n{PAGE[:-30]}", f"```html\n{PAGE[:-30]}\n```", PAGE[:-30], f"Sure:\n{PAGE[:40]}"]
)
def test_a_truncated_document_is_shown_and_said_to_be_cut(answer):
    page = find_page(answer)
    assert isinstance(page, WebPage)
    assert page.cut


def test_a_document_may_have_256_kibibytes_in_utf_8():
    def of(size):
        return PAGE.replace("hi", "é" * ((size - len(PAGE) + 2) // 2))

    assert isinstance(find_page(of(LIMIT)), WebPage)
    assert find_page(of(LIMIT + 4)) is Missing.LARGE


@pytest.mark.parametrize(
    "answer", ["`" * 60_000, "```html\n" * 8_000, "<html " * 10_000, "<!doctype html>" * 4_000, "\n<!--" * 12_000]
)
def test_hostile_answers_are_decided_without_a_page_or_as_cut(answer):
    page = find_page(answer)
    assert isinstance(page, Missing) or page.cut


@pytest.mark.parametrize("line", ["~" * 60_000 + "`", "~~~" + " " * 60_000 + "`", "~~~" + "a" * 60_000 + "`"])
def test_a_long_line_is_read_once(line):
    """A search from every mark took half a minute."""
    assert find_page(line) is Missing.NONE
