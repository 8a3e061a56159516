"""Sums and linear equations in a sentence: words become signs, and runs of signs become expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.demo.arithmetic import (
    NotArithmetic,
    Token,
    TooLarge,
    Undefined,
    evaluate,
    solve,
    tokenise,
)
from arena.adapters.providers.demo.numerals import is_exact, shown, with_digits
from arena.adapters.providers.demo.question import only_asks

if TYPE_CHECKING:
    from arena.adapters.providers.demo.question import Question

_PLAIN: Final = r"(?<![\d.])(\d{1,30}(?:\.\d{1,30})?)"
_WORDS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in (
        (r"的阶乘|\bfactorial\b", "!"),
        (r"[×✕✖⋅·∙]", "*"),
        (r"÷", "/"),
        (r"[−–]", "-"),
        (r"\*\*", "^"),
        (r"²", "^2"),
        (r"³", "^3"),
        (r"(?<=[\d)])\s?(?:元|块钱?|美元|欧元|人民币|dollars?|euros?|pounds?)(?!\w)", " "),
        (r"[$€£¥￥](?=\d)", ""),
        (r"√|根号|(?:the )?square root of|平方根", " sqrt "),
        (rf"{_PLAIN}\s?的\s?sqrt", r"sqrt(\1)"),
        (rf"{_PLAIN}\s?(?:%|percent)\s?of\s+", r"\1% * "),
        (r"\bpercent\b", "%"),
        (rf"{_PLAIN}\s?的\s?(?=\d{{1,9}}(?:\.\d{{1,9}})?%)", r"\1 * "),
        (r"\bmultiplied by\b|\btimes\b|乘以|乘上|乘", "*"),
        (r"\bdivided by\b|\bover\b|除以", "/"),
        (r"\bplus\b|加上|加", "+"),
        (r"\bminus\b|减去|减", "-"),
        (r"\bsquared\b|的平方", "^2"),
        (r"\bcubed\b|的立方", "^3"),
        (r"\bto the power(?: of)?\b|的?(\d{1,9})次方", r"^\1"),
        (r"(?<=\d)\s*x\s*(?=\d)", "*"),
    )
)
_NUMERALS = re.compile(r"[加减乘除]|百分之|平方|立方|根号|次方")
_RUN = re.compile(r"(?:sqrt(?![a-z])|(?<![a-z])[xy](?![a-z])|(?<=\d)[xy](?![a-z])|[-+*/^()!%=.,\d\s])+", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{4}[-/]\d{2,4}|\d{1,2}/\d{1,2}/\d{2,4}")


def computed(question: Question) -> tuple[str, ...] | None:
    """The value of the one expression of a prompt, or the solution of its one linear equation."""
    line = _plain(question.text)
    runs = [run for match in _RUN.finditer(line) if re.search(r"\d", run := match.group())]
    if len(runs) != 1 or _DATE.search(line) or not only_asks(line.replace(runs[0], " ", 1)):
        return None
    run = runs[0].strip(" \n,.=")
    try:
        return _equation(question, run) if re.search(r"[xy]", run, re.IGNORECASE) else _value(run.split("=", 1)[0])
    except NotArithmetic:
        return None
    except TooLarge:
        return (question.say("That is far too large to write down here.", "这个数太大了，这里写不下。"),)
    except Undefined:
        return (question.say("That has no value, or no single one.", "这个式子没有意义，或没有唯一的值。"),)


def _plain(text: str) -> str:
    line = with_digits(text) if _NUMERALS.search(text) else text
    for pattern, sign in _WORDS:
        line = pattern.sub(sign, line)
    return line


def _value(run: str) -> tuple[str, ...] | None:
    tokens = tokenise(run)
    value, steps = evaluate(tokens)
    if not steps and not {"!", "sqrt"} & {token.text for token in tokens}:
        return None  # a number by itself
    sign = "=" if is_exact(value) else "≈"
    return f"**{_written(tokens)} {sign} {shown(value)}**", *steps[:12]


def _equation(question: Question, run: str) -> tuple[str, ...] | None:
    left, _, right = run.partition("=")
    sides = tokenise(left), tokenise(right)
    names = {token.text for side in sides for token in side if token.kind == "variable"}
    if len(names) != 1 or not sides[1]:
        return None
    name, (result, slope, constant) = names.pop(), solve(*sides)
    collected = f"{shown(slope)} × {name} = {shown(constant)}"
    divided = f"{name} = {shown(constant)} ÷ {shown(slope)}"
    return (
        f"**{name} {'=' if is_exact(result) else '≈'} {shown(result)}**",
        question.say(f"Collected: {collected}", f"移项合并：{collected}"),
        question.say(f"Divided: {divided}", f"两边相除：{divided}"),
    )


def _written(tokens: list[Token]) -> str:
    """The expression as people write it; a long one shortened."""
    text = ""
    for place, token in enumerate(tokens):
        unary = place == 0 or tokens[place - 1].text in {"+", "-", "*", "/", "^", "("}
        sign = {"*": "×", "/": "÷", "sqrt": "√", "-": "−"}.get(token.text, token.text)
        text += f" {sign} " if token.text in {"+", "-", "*", "/"} and not unary else sign
    return text if len(text) <= 120 else text[:119] + "…"  # noqa: PLR2004 - one line
