"""Rewrites Gradio's pages: language, title, styles, early scripts, no third-party content, a strict CSP."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from typing import TYPE_CHECKING, Final

from arena_frontend.api_reader import HOST
from arena_frontend.face import PLAIN, Face
from arena_frontend.first_view import END, NONE, News, first_view
from arena_frontend.markup import preview
from arena_frontend.script_texts import script_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena_frontend.bundle import Bundle
    from arena_frontend.texts import Texts

ORIGIN: Final = f"http://{HOST}"
"""Host name during rendering; it is removed afterwards, so that no Host header can get into a page."""

FRAMED: Final = ("battle",)
"""Pages of Gradio that show web pages made by models."""
LIVE: Final = ("battle",)
"""Pages of Gradio whose first view is whole, with the newest of the arena; their engine waits for a visitor."""

_META = re.compile(r"\s*<meta\s+(?:property|name)=\"(?:og|twitter):[^>]*/>")
_MANIFEST = re.compile(r"\s*<link rel=\"manifest\"[^>]*/>")
_BASE = re.compile(r"\s*<base href=\"\./\" />")
"""Removed, because with it `#main` and `?lang=en` would link to the first page from every page."""
_TITLE = re.compile(r"control_page_title=\"true\"")
"""Replaced, because with it Gradio gives every page the title of the first."""
_RESIZER = re.compile(r"<script>\s*\(\(\) => \{\s*const root = .*?</script>", re.DOTALL)
_CONFIG = re.compile(r"(<script>window\.gradio_config = .*?;</script>)", re.DOTALL)
"""Moved below the first view, which would otherwise come after a hundred kilobytes."""
_STYLES = re.compile(r"\s*<link rel=\"stylesheet\" crossorigin href=\"\./assets/index-[^>]*>")
"""Moved below the first view, which must not wait for them."""
_ENTRY = re.compile(r"\s*<script type=\"module\" crossorigin src=\"\./assets/index-[^>]*></script>")
"""Moved below the configuration, which it reads."""
_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<body>.*?)</script>", re.DOTALL)

_EARLY = """(() => {
  const code = %s;
  for (const [name, value] of [["language", code], ["languages", [code, "en"]]])
    Object.defineProperty(navigator, name, { get: () => value, configurable: true });
})();"""
_ROOT = "window.gradio_config.root = location.origin;"


def rewrite(
    html: str,
    *,
    words: Texts,
    page: str,
    bundle: Bundle,
    address: str = "",
    news: News = NONE,
    face: Face = PLAIN,
) -> str:
    """Rewrite a page; raises if Gradio's template no longer has the expected markup.

    `address` is the arena's public address, which link previews need for their picture; `news` what is known of the
    arena. On a page that is `LIVE` everything of Gradio lies in a template, until somebody moves, presses or types.
    """
    words = face.renamed(words)
    html = _META.sub("", _MANIFEST.sub("", html))
    html = _replace(_BASE, "", _replace(_RESIZER, "", html))
    html = html.replace(ORIGIN, "")
    html = _replace(_TITLE, 'control_page_title="false"', html)
    html = _replace(re.compile(r'<html\s+lang="en"'), f'<html lang="{words["lang.code"]}"', html)
    html = _replace(re.compile(r"<meta charset=\"utf-8\" />"), lambda _: head(words, page, bundle, address, face), html)
    parts = "".join(_CONFIG.findall(html)) + f"<script>{_ROOT}</script>"
    parts += "".join(_ENTRY.findall(html)) + _later(page, bundle) + "".join(_STYLES.findall(html))
    html = _replace(_CONFIG, "", _replace(_STYLES, "", _replace(_ENTRY, "", html)))
    if page in LIVE:
        parts = f'<template id="engine-parts">{parts}</template>'
    first = (
        first_view(words, page, bundle, news, face) + script_texts(words, page, bundle) + parts + "<gradio-app inert"
    )
    return _replace(re.compile(r"<gradio-app"), lambda _: first, html)


def _colours(face: Face) -> str:
    return f'\n<link rel="stylesheet" href="{escape(face.colours)}" />' if face.colours else ""


def policy(html: str, frames: str = "") -> str:
    """Build the Content-Security-Policy of a page: scripts of this origin and the page's own inline ones, nothing else.

    `frames` is the one address below which its frames are; nothing inside them can lead them elsewhere.

    Injected inline scripts do not run because the page's own are allowed by hash, and no string becomes a script.
    """
    inline = [m["body"] for m in _SCRIPT.finditer(html) if "src=" not in m["attributes"]]
    hashes = sorted({base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in inline})
    scripts = " ".join(f"'sha256-{value}'" for value in hashes)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self'",
            *([f"frame-src {frames}"] if frames else []),
            "base-uri 'self'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def head(words: Texts, page: str, bundle: Bundle, address: str, face: Face = PLAIN) -> str:
    """Build the start of a page's head; `address` is as in `rewrite`."""
    prefix = bundle.prefix
    styles = bundle.text("first_view.css" if page in LIVE else "base.css")
    title, about = words["title." + page], words["description"]
    code = json.dumps(words["lang.code"])
    return f"""<meta charset="utf-8" />
<title>{escape(title)}</title>
<meta name="description" content="{escape(about)}" />
<meta name="color-scheme" content="light dark" />
<script>{_EARLY % code}{bundle.text("first_paint.js")}</script>
<link rel="icon" type="image/svg+xml" href="{prefix}/mark.svg" />
<style>{styles}</style>{_colours(face)}
{_early(page, bundle)}{preview(title, about, address + prefix)}"""


def _early(page: str, bundle: Bundle) -> str:
    """The scripts that a page begins with, fetched in parallel; a first view that is whole is painted when it is."""
    if page not in LIVE:
        return f'<script type="module" src="{bundle.prefix}/shell.js"></script>'
    start = f"{page}_start"
    preloads = "".join(f'<link rel="modulepreload" href="{path}" />' for path in bundle.scripts(start))
    whole = f'<link rel="expect" href="#{END}" blocking="render" />'
    return f'{whole}{preloads}<script type="module" src="{bundle.prefix}/{start}.js"></script>'


def _later(page: str, bundle: Bundle) -> str:
    """Links to what the page needs after its first view: the page's styles, and its script to fetch in parallel."""
    path = f"{bundle.prefix}/{page}"
    return f'<link rel="stylesheet" href="{path}.css" /><link rel="modulepreload" href="{path}.js" />'


def _replace(pattern: re.Pattern[str], new: str | Callable[[re.Match[str]], str], html: str) -> str:
    changed, count = pattern.subn(new, html, count=1)
    if count != 1:
        raise RuntimeError(
            f"Gradio's page has no {pattern.pattern!r}; this version is not the one the gate was made for."
        )
    return changed
