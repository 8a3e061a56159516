"""Turns Gradio's page into ours: language, title, styles, early scripts, no foreign pictures, and a strict CSP."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from frontend.bundle import Bundle
    from frontend.texts import Texts

ORIGIN: Final = "http://arena.invalid"
"""The host under which the pages are rendered once; taken out again, so that no visitor's Host header gets in."""

_META = re.compile(r"\s*<meta\s+(?:property|name)=\"(?:og|twitter):[^>]*/>")
_MANIFEST = re.compile(r"\s*<link rel=\"manifest\"[^>]*/>")
_BASE = re.compile(r"\s*<base href=\"\./\" />")
"""With it, `#main` and `?lang=en` would lead from every page to the first one."""
_RESIZER = re.compile(r"<script>\s*\(\(\) => \{\s*const root = .*?</script>", re.DOTALL)
_CONFIG = re.compile(r"(<script>window\.gradio_config = .*?;</script>)", re.DOTALL)
_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<body>.*?)</script>", re.DOTALL)

_EARLY = """(() => {
  const code = %s;
  for (const [name, value] of [["language", code], ["languages", [code, "en"]]])
    Object.defineProperty(navigator, name, { get: () => value, configurable: true });
  const wish = localStorage.getItem("arena_theme");
  const dark = wish ? wish === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();"""
_ROOT = "window.gradio_config.root = location.origin;"


def rewrite(html: str, *, words: Texts, page: str, bundle: Bundle, address: str = "") -> str:
    """The page as it leaves the gate; raises when Gradio's template no longer has the places this relies on.

    `address` is where the public finds the arena: a preview of a link needs its picture's whole address.
    """
    html = _META.sub("", _MANIFEST.sub("", html))
    html = _once(_BASE, "", _once(_RESIZER, "", html))
    html = html.replace(ORIGIN, "")
    html = _once(_CONFIG, rf"\g<1><script>{_ROOT}</script>", html)
    html = _once(re.compile(r'<html\s+lang="en"'), f'<html lang="{words["lang.code"]}"', html)
    html = _once(re.compile(r"<meta charset=\"utf-8\" />"), lambda _: _head(words, page, bundle, address), html)
    return _once(re.compile(r"<gradio-app"), lambda _: _boot(words) + "<gradio-app", html)


def policy(html: str) -> str:
    """The Content-Security-Policy of one page: scripts of this origin and the page's own inline ones, no other load.

    Gradio compiles templates and listeners at run time, so `unsafe-eval` has to stay; no inline script that an answer
    could smuggle in runs, because the page's own are named by hash.
    """
    inline = [m["body"] for m in _SCRIPT.finditer(html) if "src=" not in m["attributes"]]
    hashes = sorted({base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in inline})
    scripts = " ".join(f"'sha256-{value}'" for value in hashes)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'unsafe-eval' {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'self'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def _head(words: Texts, page: str, bundle: Bundle, address: str) -> str:
    prefix = bundle.prefix
    early = "\n".join(f'<link rel="modulepreload" href="{path}" />' for path in bundle.scripts(page))
    title, about = escape(words["title." + page]), escape(words["description"])
    strings = json.dumps(words.of(page), ensure_ascii=False).replace("<", "\\u003c")
    code = json.dumps(words["lang.code"])
    return f"""<meta charset="utf-8" />
<title>{title}</title>
<meta name="description" content="{about}" />
<meta name="color-scheme" content="light dark" />
<script>{_EARLY % code}</script>
<script type="application/json" id="arena-texts">{strings}</script>
<link rel="icon" type="image/svg+xml" href="{prefix}/mark.svg" />
<link rel="stylesheet" href="{prefix}/base.css" />
<link rel="stylesheet" href="{prefix}/{page}.css" />
{early}
<script type="module" src="{prefix}/shell.js"></script>{preview(words, page, address + prefix)}"""


def preview(words: Texts, page: str, prefix: str) -> str:
    """What other sites show of a link to this page; a shared battle is for those who have its link, not for search."""
    shared = page == "shared"
    title, about = escape(words["title." + page]), escape(words["shared.lead" if shared else "description"])
    return f"""
<meta property="og:type" content="website" />
<meta property="og:title" content="{title}" />
<meta property="og:description" content="{about}" />
<meta property="og:image" content="{escape(prefix)}/card.png" />
<meta property="og:image:width" content="1200" />
<meta property="og:image:height" content="630" />
<meta name="twitter:card" content="summary_large_image" />""" + (
        '\n<meta name="robots" content="noindex" />' if shared else ""
    )


def _boot(words: Texts) -> str:
    brand, loading = escape(words["brand"]), escape(words["loading"])
    return (
        f'<div id="arena-boot"><strong>{brand}</strong><span>{loading}</span></div>'
        f"<noscript><p>{escape(words['noscript'])}</p></noscript>"
    )


def _once(pattern: re.Pattern[str], new: object, html: str) -> str:
    changed, count = pattern.subn(new, html, count=1)  # type: ignore[arg-type]
    if count != 1:
        raise RuntimeError(
            f"Gradio's page has no {pattern.pattern!r}; this version is not the one the gate was made for."
        )
    return changed
