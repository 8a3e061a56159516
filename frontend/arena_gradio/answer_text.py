"""Answers as Markdown that Gradio shows without raw HTML, without images and without links.

An answer must not load anything, cover the page or lead away before the vote. The page's policy and Gradio's sanitiser
stand behind this.
"""

from __future__ import annotations

import re
from typing import Final

_VERBATIM: Final = re.compile(
    r"^(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*(?:\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)|\Z)"
    r"|(?<!`)(?P<ticks>`{1,8})(?!`)[^`\n]+(?<!`)(?P=ticks)(?!`)"
    r"|\$\$(?:(?!\]\(|!\[|\]\[|://)[^<>\n`])+?\$\$"
    r"|\\\((?:(?!\]\(|!\[|\]\[|://)[^<>\n`])+?\\\)|\\\[(?:(?!\]\(|!\[|\]\[|://)[^<>\n`])+?\\\]",
    re.DOTALL | re.MULTILINE,
)
"""Code and formulae, which are shown as they are; a fence without an end runs to the end of what has arrived. What a
renderer could take for something else is none: fences inside lists, and code or formulae over several lines."""
_ENTITIES: Final = str.maketrans({"<": "&lt;", ">": "&gt;", "[": "&#91;", "]": "&#93;", "@": "&#64;"})
_QUOTE: Final = re.compile(r"^(?P<marks>(?:[ \t]*&gt;)+)", re.MULTILINE)
_ADDRESS: Final = re.compile(r"(?P<start>https?|ftp|mailto|www)(?P<mark>[:.])", re.IGNORECASE)


def closed(answer: str) -> str:
    """The Markdown of an answer with everything outside code and formulae that could be HTML, a link or an image."""
    answer, pieces, end = answer.replace("\r\n", "\n").replace("\r", "\n"), list[str](), 0
    for verbatim in _VERBATIM.finditer(answer):
        pieces += [_closed(answer[end : verbatim.start()]), verbatim[0]]
        end = verbatim.end()
    return "".join([*pieces, _closed(answer[end:])])


def _closed(text: str) -> str:
    plain = text.replace("&", "&amp;").translate(_ENTITIES)
    quoted = _QUOTE.sub(lambda match: match["marks"].replace("&gt;", ">"), plain)
    return _ADDRESS.sub(lambda match: f"{match['start']}&#{ord(match['mark'])};", quoted)
