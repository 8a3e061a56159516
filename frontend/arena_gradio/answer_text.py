"""Answers as Markdown that Gradio shows without raw HTML, without images and without links.

An answer must not load anything, cover the page or lead away before the vote. Renderers differ in where code and
formulae begin and end, and Gradio puts formulae into the page unescaped. So nothing depends on that: outside plain
fenced code every character that could begin HTML, a link, code or a formula is an entity, within code and formulae too.
Gradio's sanitiser and the page's policy stand behind this.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

_FENCE: Final = re.compile(
    r"^(?P<indent>[ \t]*)(?P<marks>(?:(?:[-+*>]|\d{1,9}[.)])[ \t]*)*)"
    r"(?P<ticks>`{3,}(?=[^`\n]*$)|~{3,})(?P<name>[^\n]*)$",
    re.MULTILINE,
)
"""Any line that could begin fenced code, in a list or a quotation too."""
_PLAIN_INDENT: Final = re.compile(r" {0,3}")
"""More is indented code for a renderer that sees no list."""
_NAME: Final = re.compile(r" *[\w.+#-]*")
_DIAGRAM: Final = re.compile(r"mermaid", re.IGNORECASE)
"""Gradio draws such code as a diagram, whose nodes can be links and in which HTML is no text."""
_DELIMITERS: Final = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"))
_PLACEHOLDER: Final = "%%%"
"""The beginning of what stands for a formula while Gradio renders the rest."""
_BLANK_LINE: Final = r"\n[ \t]*\n"
_PIECES: Final = re.compile(
    r"(?<!`)(?P<ticks>`{1,8}+)(?P<code>[^\n]*?[^`\n])(?P=ticks)(?!`)"
    rf"|(?P<formula>\$\$(?:(?!\$\$|{_BLANK_LINE})[\s\S])+\$\$"
    rf"|\\\[(?:(?!\\\]|(?<!\\)\\\[|{_BLANK_LINE})[\s\S])+\\\]"
    rf"|\\\((?:(?!\\\)|(?<!\\)\\\(|{_BLANK_LINE})[\s\S])+\\\))"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
"""Code in a line, a formula, or a character with a backslash before it, whichever begins first."""
_ADDRESS: Final = re.compile(r"(?P<start>https?|ftp|mailto|www)(?P<mark>[:.])", re.IGNORECASE)
_ACTIVE: Final = re.compile(
    r"<(?=[a-z/!?])|\](?=[(\[:])|(?<!\s)@(?=[\w-]*\.)|`|\${2,}|~{3,}|(?<=%)%", re.IGNORECASE | re.ASCII
)
"""Characters that could begin a tag, end the text of a link, be in an address, or bound code or a formula."""
_ACTIVE_IN_CODE: Final = re.compile(rf"{_ACTIVE.pattern}|\||\\[()\[\]]|{_ADDRESS.pattern}", re.IGNORECASE | re.ASCII)
"""Code with any of them does not keep its ticks: wherever a renderer lets other code begin or end, it is inactive."""
_ACTIVE_IN_FORMULA: Final = re.compile(rf"[<>&$]|{_ACTIVE.pattern}|\\(?=[()\[\]])", re.IGNORECASE | re.ASCII)
_NO_WORD: Final = re.compile(r"[^\w ]|_")


def closed(answer: str) -> str:
    """The Markdown of an answer without anything outside plain fenced code that could be HTML, a link or an image."""
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    marks = [_PLACEHOLDER, *(mark for pair in _DELIMITERS if _is_paired(text, *pair) for mark in pair)]
    pieces, end = list[str](), 0
    while fence := _FENCE.search(text, end):
        stop = _end_line(fence).search(text, fence.end())
        body = text[fence.end() + 1 : len(text) if stop is None else stop.start()]
        pieces += [_closed_text(text[end : fence.start()]), _fenced(fence, body, marks, is_ended=stop is not None)]
        end = len(text) if stop is None else stop.end()
    return "".join([*pieces, _closed_text(text[end:])])


def _is_paired(text: str, left: str, right: str) -> bool:
    """Whether Gradio finds a formula between these delimiters anywhere, in code too."""
    return text.find(left) != -1 and text.rfind(right) > text.find(left)


def _end_line(fence: re.Match[str]) -> re.Pattern[str]:
    ticks = fence["ticks"]
    return re.compile(rf"^{_prefix(fence)}[ \t]{{0,3}}{ticks}{ticks[0]}*[ \t]*$", re.MULTILINE)


def _prefix(fence: re.Match[str]) -> str:
    """The pattern of what stands before each line of a fence's code, as far as it does."""
    width = fence.start("ticks") - fence.start()
    return rf"(?:[ \t]*>)*[ \t]{{0,{width}}}" if ">" in fence["marks"] else rf"[ \t]{{0,{width}}}"


def _fenced(fence: re.Match[str], body: str, marks: list[str], *, is_ended: bool) -> str:
    """Fenced code that no renderer can end elsewhere, or else its text as HTML in one line."""
    indent, code = fence["indent"], re.sub(f"^{_prefix(fence)}", "", body, flags=re.MULTILINE)
    is_plain = not fence["marks"] and _PLAIN_INDENT.fullmatch(indent) and _NAME.fullmatch(fence["name"])
    if not is_plain or any(mark in body for mark in marks):
        return f"{indent}{fence['marks']}<pre><code>{_encoded(_NO_WORD, code)}</code></pre>"
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
    lines = [ticks + _DIAGRAM.sub(r"\g<0>-source", fence["name"]), *code.split("\n")]
    if is_ended:
        lines[-1] = ticks
    return "\n".join(f"{indent}{line}" if line.strip() else line for line in lines)


def _closed_text(text: str) -> str:
    pieces, end = list[str](), 0
    for piece in _PIECES.finditer(text):
        pieces += [_plain(text[end : piece.start()]), _closed_piece(piece)]
        end = piece.end()
    return "".join([*pieces, _plain(text[end:])])


def _closed_piece(piece: re.Match[str]) -> str:
    if formula := piece["formula"]:
        return f"{formula[:2]}{_encoded(_ACTIVE_IN_FORMULA, formula[2:-2])}{formula[-2:]}"
    if piece["escaped"]:
        return _entities(piece["escaped"])
    code = piece["code"]
    return f"<code>{_encoded(_NO_WORD, code)}</code>" if _ACTIVE_IN_CODE.search(code) else f"`{code}`"


def _plain(text: str) -> str:
    return _ADDRESS.sub(lambda match: match["start"] + _entities(match["mark"]), _encoded(_ACTIVE, text))


def _encoded(active: re.Pattern[str], text: str) -> str:
    return active.sub(lambda match: _entities(match[0]), text)


def _entities(text: str) -> str:
    return "".join(escape(char, quote=False) if char in "<>&" else f"&#{ord(char)};" for char in text)
