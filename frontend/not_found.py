"""The page of an address that does not exist, in plain HTML: where the reader is, and the way back."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING

from arena.frontend.head import head, policy
from arena.frontend.markup import bar
from arena.frontend.reply import Reply
from arena.frontend.texts import texts

if TYPE_CHECKING:
    from arena.frontend.bundle import Bundle

_PAGE = "not_found"


def not_found(bundle: Bundle, language: str) -> Reply:
    """Build the answer with status 404 in a language of `LANGUAGES`."""
    words = texts(language)
    title, lead = escape(words["not_found.title"]), escape(words["not_found.lead"])
    back = f'<a class="a-act" data-kind="primary" href="/">{escape(words["not_found.back"])}</a>'
    html = f"""<!doctype html>
<html lang="{words["lang.code"]}"><head>{head(words, _PAGE, bundle, "")}
<meta name="viewport" content="width=device-width, initial-scale=1" /></head>
<body style="margin: 0"><div id="plain" class="gradio-container"><div id="bar">{bar(words, _PAGE)}</div>
<main id="main" class="a-page"><div class="a-page-head"><h1>{title}</h1><p>{lead}</p></div>
{back}</main><div id="foot"></div></div></body></html>"""
    extra = [("content-security-policy", policy(html)), ("vary", "Accept-Language, Cookie")]
    return Reply.make(html.encode(), "text/html; charset=utf-8", "no-store", extra, HTTPStatus.NOT_FOUND)
