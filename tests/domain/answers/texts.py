"""Hostile and odd answers: those of the pages' tests, and those that only a renderer on the server can be hurt by."""

from __future__ import annotations

import json
from pathlib import Path

from tests.frontend.hostile import payloads_for

ADDRESS = "http://127.0.0.1:9"
FRONTEND = Path(__file__).parents[2] / "frontend"
HARD = [row[0] for row in json.loads((FRONTEND / "hard_answers.json").read_text())]

FORMULAE = [
    r"$\text{<img/src=x onerror=alert(1)>}$",
    r"\(\text{</math><script>alert(1)</script>}\)",
    r"$\href{javascript:alert(1)}{x}$ $\url{http://127.0.0.1:9}$",
    r"$\style{position:fixed;inset:0}{x}$ $\class{a-address}{x}$ $\cssId{vote_a}{x}$ $\id{a}{x}$",
    r"$\text{&lt;script&gt;} \unicode{x3C} \char60 \mathchoice{a}{b}{c}{d}$",
    r"$\def\x{\x\x}\x$ $\newcommand{\a}[1]{#1#1}\a{\a{\a{x}}}$",
    r"$\mspace{900em}\kern-90em\hspace{-9cm}\raise900em{x}\rule{99em}{99em}$",
    r"$\begin{array}{c}<script>\\</array>\end{array}$",
    r"$\color{url(http://127.0.0.1:9)}x \fcolorbox{red}{blue}{x}$",
    "$" + "{" * 30 + "x" + "}" * 30 + "$",
    "$" + r"\frac{" * 60 + "$",
    r"\begin{align}a&=b\\&=c\tag{1}\label{x}\end{align}",
    r"\[\begin{aligned}a&=b\\c&=d\end{aligned}\]",
]
NAMESPACES = [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "<math><annotation-xml encoding=text/html><img src=http://127.0.0.1:9/x></annotation-xml></math>",
    "<svg><foreignObject><iframe src=http://127.0.0.1:9></iframe></foreignObject></svg>",
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<template><script>alert(1)</script></template><select><option><style></option></select>",
    "<plaintext>rest <xmp><img src=x></xmp> <textarea></textarea>",
]
CHARACTERS = [
    "a\ud800b \udc00 \ud83d\ude00 \ud83d",
    "nul \0 and <scr\0ipt>alert(1)</script>",
    "\u202eevil\u202c \u2066x\u2069 \u200f\u200e\u061c",
    "\ue000img src=x\ue001 \ue0020\ue003 \ue0049\ue005 [x](%EE%80%82 9%EE%80%83)",
    "[x](http://a/%EE%80%820%EE%80%83) [%EE%80%80](%EE%80%80)",
    "&lt;script&gt; &#60;img&#62; &#x3c;b&#x3e; &colon; &#xe000; &#57346;0&#57347; &#xe004;0&#xe005;",
    "`&#57344;img` <b>&#57346;0&#57347;</b> $x$ &#57348;0&#57349; &#57348;99&#57349;",
    "\ufeff# x\r\n\r\n- a\r- b\u2028- c\u0085d\x0be\x0cf",
    "\U000e0041\U000f0000tag",
    "مرحبا **بالعالم**\n\n- واحد\n- اثنان\n\n> اقتباس",
]
NESTED = [
    "> " * 20_000 + "x",
    "- " * 5_000 + "x",
    "1. " * 4_000 + "x",
    "".join("  " * depth + "- a\n" for depth in range(40)),
    "*a **b " * 2_000,
    "*a " * 3_000 + "b*" * 3_000,
    "**a " * 2_000 + "b**" * 2_000,
    "~~a ~b " * 2_000 + "b~ c~~" * 2_000,
    "[" * 6_000 + "x" + "](y)" * 6_000,
    "![" * 4_000 + "x" + "](y)" * 4_000,
    "<b>" * 3_000 + "x" + "</b>" * 3_000,
    "<sub>a" * 3_000,
    "".join("> " * depth + "x\n" for depth in range(30)),
    "".join(">" * depth + "- x\n" for depth in range(17)),
    "==a " * 3_000 + "b==" * 3_000,
    "- > 1. * " * 10 + "x",
]
OPEN = [
    "```python\nx = '",
    "~~~",
    "`a",
    "$$x",
    "\\[ x",
    "<!--",
    "[x](",
    "![x",
    "| a |\n|--",
    "<b>x",
    "**a",
    "\\",
    "<",
    "&",
    "$",
]

PAYLOADS = [*payloads_for(ADDRESS), *HARD, *FORMULAE, *NAMESPACES, *CHARACTERS, *OPEN]

DENSE = (
    *(
        "a\n\n",
        "# a\n",
        "$x$ " * 20,
        "\\(x\\)\n\n" * 15,
        "$$y$$\n\n" * 12,
        "- $x$\n" * 18,
        "    $x$\n\n",
        "| $x$ |\n|---|\n\n",
    ),
    *(
        "```python\n1\n```\n" * 12,
        "```c\n" + "int a; // b\n" * 300 + "```\n",
        "\n```\n$x$\n```\n",
        "> ```js\n> 1\n> ```\n\n",
    ),
    *("```python\n", "\n\n", "$$", "> " * 17 + "$x$\n\n"),
)
"""Pieces of answers of which a few exceed the bounds on formulae and coloured code."""
