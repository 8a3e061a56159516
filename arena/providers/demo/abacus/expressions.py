"""Finding arithmetic in a sentence: words become signs, and runs of signs become expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena.providers.demo.abacus.arithmetic import NotArithmetic, Token, TooLarge, Undefined, evaluate, solve, tokenise
from arena.providers.demo.abacus.numerals import is_exact, shown, with_digits

if TYPE_CHECKING:
    from fractions import Fraction

    from arena.providers.demo.talk import Talk

_SHOWN: Final = 5
"""Most expressions of one prompt that are answered."""
_SIMPLE: Final = 9_999
"""Largest part of a fraction that is worth showing."""
_LOOKED_AT: Final = 3_000
_PLAIN: Final = r"(?<![\d.])(\d{1,30}(?:\.\d{1,30})?)"
_WORDS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in (
        (r"(?<![a-z\d.])(\d{1,20}(?:\.\d{1,20})?)e([+-]?\d{1,3})\b", r"(\1*10^(\2))"),
        (r"的阶乘|\bfactorial\b", "!"),
        (r"[×✕✖⋅·∙]", "*"),
        (r"÷", "/"),
        (r"[−－–]", "-"),
        (r"（", "("),
        (r"）", ")"),
        (r"＋", "+"),
        (r"＝", "="),
        (r"％", "%"),
        (r"\*\*", "^"),
        (r"²", "^2"),
        (r"³", "^3"),
        (r"(?<=[\d)])\s?(?:元|块钱?|美元|欧元|人民币|dollars?|euros?|pounds?)(?![\w])", " "),
        (r"[$€£¥￥](?=\d)", ""),
        (r"√|根号|(?:the )?square root of|平方根", " sqrt "),
        (rf"{_PLAIN}\s?的\s?sqrt", r"sqrt(\1)"),
        (rf"{_PLAIN}\s?(?:%|percent)\s?of\s+", r"\1% * "),
        (r"\bpercent\b", "%"),
        (rf"{_PLAIN}\s?的\s?(?=\d{{1,9}}(?:\.\d{{1,9}})?%)", r"\1 * "),
        (r"\bmultiplied by\b|\btimes\b|乘以|乘上|乘", "*"),
        (r"\bdivided by\b|\bover\b|除以", "/"),
        (r"\bplus\b|加上|加(?!价)", "+"),
        (r"\bminus\b|减去|减", "-"),
        (r"\bsquared\b|的平方", "^2"),
        (r"\bcubed\b|的立方", "^3"),
        (r"\bto the power(?: of)?\b|的?(\d{1,9})次方", r"^\1"),
        (r"(?<=\d)\s*[x]\s*(?=\d)", "*"),
    )
)
_RUN = re.compile(
    r"(?:(?:sqrt|abs|sin|cos|tan|ln|log|exp|pi)(?![a-z])|(?<![a-z])[xy](?![a-z])|[-+*/^()!%=.,\d\sπ])+", re.IGNORECASE
)
_INTENT = re.compile(
    r"[=?？]|\b(?:calculate|compute|evaluate|solve|what(?:'s| is)|how much|result)\b|多少|几|计算|求|等于|结果|解",
    re.IGNORECASE,
)
_WEAK = re.compile(r"\d{1,9}\s?[-/]\s?\d[\d\s/-]*")
_DIGIT_IN = re.compile(r"\d")
_UNKNOWN_IN = re.compile(r"[xy].*=|=.*[xy]", re.IGNORECASE)
_SIGN_IN = re.compile(r"[-+*/^!%]|sqrt|abs|sin|cos|tan|ln|log|exp", re.IGNORECASE)


def reckoned(talk: Talk, text: str) -> str | None:
    """Answers to the expressions and linear equations in the text, or None when there are none."""
    line = _plain(text[:_LOOKED_AT])
    answers = [answer for run in _runs(line, text) if (answer := _answer(talk, run))]
    return "\n\n".join(answers[:_SHOWN]) or None


def _plain(text: str) -> str:
    line = with_digits(text) if re.search(r"[加减乘除]|百分之|的.{0,3}%|平方|立方|根号|次方|等于", text) else text
    for pattern, sign in _WORDS:
        line = pattern.sub(sign, line)
    return line


def _runs(line: str, text: str) -> list[str]:
    found: list[str] = []
    for match in _RUN.finditer(line):
        run = match.group().strip(" \n\t,.=")
        if (
            _DIGIT_IN.search(run)
            and (_SIGN_IN.search(run) or _UNKNOWN_IN.search(run))
            and (not _WEAK.fullmatch(run) or _meant(run, text))
        ):
            found.append(run)
    return found[: 2 * _SHOWN]


def _meant(run: str, text: str) -> bool:
    """Whether 3-4 or 1/2 is a sum and not a range, a score or a date: it is asked for, or stands alone."""
    return bool(_INTENT.search(text[:_LOOKED_AT])) or len(run) >= len(text.strip())


def _answer(talk: Talk, run: str) -> str | None:
    try:
        if "=" in run and re.search(r"[xy]", run, re.IGNORECASE):
            return _equation(run)
        return _value(run.split("=", 1)[0])
    except NotArithmetic:
        return None
    except TooLarge:
        return talk.say(
            f"`{_short(run)}` is far too large to write down here.", f"`{_short(run)}` 太大了，这里写不下。"
        )
    except Undefined:
        return talk.say(
            f"`{_short(run)}` has no value (division by zero, or outside the real numbers).",
            f"`{_short(run)}` 没有意义（除以零，或超出实数范围）。",
        )


def _value(run: str) -> str | None:
    tokens = _trimmed(tokenise(run))
    if len(tokens) < 2:  # noqa: PLR2004 - a number by itself
        return None
    value = evaluate(tokens)
    return f"**{_written(tokens)} {'=' if is_exact(value) else '≈'} {shown(value)}**" + _as_fraction(value)


def _as_fraction(value: Fraction | float) -> str:
    if isinstance(value, float) or is_exact(value) or max(abs(value.numerator), value.denominator) > _SIMPLE:
        return ""
    return f" ({value.numerator}/{value.denominator})"


def _equation(run: str) -> str | None:
    left, _, right = run.partition("=")
    if "=" in right:
        return None
    sides = tokenise(left), tokenise(right)
    names = {token.text for side in sides for token in side if token.kind == "variable"}
    if len(names) != 1:
        return None
    result = solve(*sides)
    name = names.pop()
    written = f"{_written(sides[0])} = {_written(sides[1])}"
    return f"**{name} {'=' if is_exact(result) else '≈'} {shown(result)}**{_as_fraction(result)}\n\n{written}"


def _trimmed(tokens: list[Token]) -> list[Token]:
    """Without the signs that a sentence left at the ends, and with the brackets closed that were left open."""
    while tokens and (tokens[-1].text in {"+", "-", "*", "/", "^", "("} or tokens[-1].kind == "variable"):
        tokens = tokens[:-1]
    while tokens and (tokens[0].text in {"*", "/", "^", ")", "!", "%"} or tokens[0].kind == "variable"):
        tokens = tokens[1:]
    missing = sum(token.text == "(" for token in tokens) - sum(token.text == ")" for token in tokens)
    return tokens + [Token("sign", ")")] * max(0, missing)


def _written(tokens: list[Token]) -> str:
    """The expression as people write it; a long one shortened."""
    text = ""
    for place, token in enumerate(tokens):
        binary = (
            token.text in {"+", "-", "*", "/"}
            and place > 0
            and tokens[place - 1].text not in {"+", "-", "*", "/", "^", "("}
        )
        sign = {"*": "×", "/": "÷", "sqrt": "√"}.get(token.text, token.text)
        text += f" {sign} ".replace("-", "−") if binary else sign
    return text if len(text) <= 120 else text[:119] + "…"  # noqa: PLR2004 - one line


def _short(run: str) -> str:
    line = re.sub(r"\s+", " ", run).replace("`", "")
    return line if len(line) <= 60 else line[:59] + "…"  # noqa: PLR2004 - half a line
