"""Code with colours: the tokens of Pygments as spans of a few classes of ours."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final, cast

from arena.domain.answers.bounds import MAX_CODE, MAX_CODE_LINE, MAX_CODE_LINES, MAX_CODE_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygments.lexer import Lexer

LANGUAGES: Final = frozenset(
    {
        *("bash", "sh", "shell", "zsh", "console", "powershell", "batch", "python", "py", "python3", "pycon"),
        *("javascript", "js", "jsx", "typescript", "ts", "tsx", "json", "html", "xml", "css", "scss", "sql"),
        *("c", "cpp", "c++", "csharp", "cs", "c#", "java", "kotlin", "scala", "go", "golang", "rust", "rs", "swift"),
        *("php", "ruby", "rb", "perl", "lua", "r", "julia", "matlab", "haskell", "elixir", "dart", "fortran"),
        *("yaml", "yml", "toml", "ini", "dockerfile", "docker", "cmake", "diff", "nginx"),
    }
)
"""Languages with colours; a lexer that is not listed has not been tried with hostile code."""
CLASSES: Final = {
    "Comment": "a-comment",
    "Keyword": "a-keyword",
    "Literal.String": "a-string",
    "Literal.Number": "a-number",
    "Name.Function": "a-name",
    "Name.Class": "a-name",
    "Name.Builtin": "a-builtin",
    "Name.Tag": "a-keyword",
    "Name.Attribute": "a-name",
    "Generic.Deleted": "a-deleted",
    "Generic.Inserted": "a-inserted",
}
"""Our classes by the kind of token; other tokens are plain."""
_WORDS: Final = re.compile(rf"(?<![\w.\[\]$<>?])(?:(?:[^\W\d]|\$)[\w.\[\]$<>?]*+\s++){{{MAX_CODE_WORDS}}}[\w$]")
"""More words in a row than lexers get; a word may be a type with its parameters."""


def may_have_colours(code: str, language: str) -> bool:
    """Whether the language is listed and the code is short enough for its lexer."""
    return language in LANGUAGES and _is_short(code)


def highlighted(code: str, language: str) -> str:
    """The code as HTML; without colours if its language has none here or it is too long for them."""
    lexer = _lexer(language) if _is_short(code) else None
    if lexer is None:
        return escape(code)
    pieces = [(_class(str(kind)[len("Token.") :]), text) for kind, text in lexer.get_tokens(code)]
    # Lexers of consoles leave out what follows no prompt.
    if "".join(text for _, text in pieces) != code:
        return escape(code)
    return "".join(
        _span(name, "".join(text for _, text in group)) for name, group in groupby(pieces, key=lambda piece: piece[0])
    )


def _is_short(code: str) -> bool:
    lines = code.split("\n") if len(code) <= MAX_CODE else []
    if not lines or len(lines) > MAX_CODE_LINES or max(map(len, lines)) > MAX_CODE_LINE:
        return False
    return _WORDS.search(code) is None


@cache
def _lexer(language: str) -> Lexer | None:
    if language not in LANGUAGES:
        return None
    from pygments import lexers

    find = cast("Callable[..., Lexer]", lexers.get_lexer_by_name)  # pyright: ignore[reportUnknownMemberType]
    return find(language, stripnl=False, ensurenl=False)


@cache
def _class(kind: str) -> str:
    return next((name for prefix, name in CLASSES.items() if kind.startswith(prefix)), "")


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>' if name else escape(text)
