"""Pages in plain HTML, without Gradio: an address that does not exist, and an arena whose pages are being rendered."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING

from arena_frontend.head import head, policy, strings
from arena_frontend.markup import bar
from arena_frontend.responses import StaticResponse
from arena_frontend.texts import texts

if TYPE_CHECKING:
    from arena_frontend.bundle import Bundle
    from arena_frontend.texts import Texts


def not_found(bundle: Bundle, language: str) -> StaticResponse:
    """Build the answer with status 404 in a language of `LANGUAGES`: where the reader is, and the way back."""
    words = texts(language)
    link = f'<a class="a-act" data-kind="primary" href="/">{escape(words["not_found.back"])}</a>'
    content = _said(words["not_found.title"], words["not_found.lead"]) + link
    return _plain(bundle, words, "not_found", HTTPStatus.NOT_FOUND, content)


def not_ready(bundle: Bundle, language: str, seconds: int) -> StaticResponse:
    """Build the answer with status 503, which asks for the same address again after some seconds.

    A script does, since a refresh that is only declared does not load an address with a fragment again.
    """
    words = texts(language)
    content = f"""{_said(words["not_ready.title"], words["not_ready.lead"])}
<script>setTimeout(() => location.reload(), {1000 * seconds})</script>
<noscript><meta http-equiv="refresh" content="{seconds}" /></noscript>"""
    later = ("retry-after", str(seconds))
    return _plain(bundle, words, "not_ready", HTTPStatus.SERVICE_UNAVAILABLE, content, later)


def _said(title: str, lead: str) -> str:
    return f'<div class="a-page-head"><h1>{escape(title)}</h1><p>{escape(lead)}</p></div>'


def _plain(
    bundle: Bundle, words: Texts, page: str, status: HTTPStatus, content: str, *extra: tuple[str, str]
) -> StaticResponse:
    html = f"""<!doctype html>
<html lang="{words["lang.code"]}"><head>{head(words, page, bundle, "")}
<meta name="viewport" content="width=device-width, initial-scale=1" /></head>
<body style="margin: 0"><div id="plain" class="gradio-container"><div id="bar">{bar(words, page)}</div>
<main id="main" class="a-page">{content}</main><div id="foot"></div></div>{strings(words, page)}</body></html>"""
    headers = [("content-security-policy", policy(html)), ("vary", "Accept-Language, Cookie"), *extra]
    return StaticResponse.make(html.encode(), "text/html; charset=utf-8", "no-store", headers, status)
