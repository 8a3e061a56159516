"""Answers that try to reach out, cover the page or forge its buttons. `{canary}` is a server that must hear nothing."""

from __future__ import annotations

import random

PAYLOADS = [
    # elements that fetch
    '<img src="{canary}/1.png">',
    "<img src={canary}/2.png onerror=alert(1)>",
    '<IMG/SRC="{canary}/3.png">',
    '<img srcset="{canary}/4.png 1x">',
    '<picture><source srcset="{canary}/5.png"><img></picture>',
    '<video src="{canary}/6.mp4" poster="{canary}/6.png" autoplay></video>',
    '<audio src="{canary}/7.mp3" autoplay></audio>',
    '<iframe src="{canary}/8"></iframe>',
    "<iframe srcdoc=\"<img src='{canary}/9.png'>\"></iframe>",
    '<object data="{canary}/10"></object>',
    '<embed src="{canary}/11">',
    '<link rel="stylesheet" href="{canary}/12.css">',
    '<link rel="prefetch" href="{canary}/13">',
    "<style>@import url({canary}/14.css);</style>",
    "<style>body{background:url({canary}/15.png)}</style>",
    '<div style="background:url({canary}/16.png)">x</div>',
    '<svg><image href="{canary}/17.png"/></svg>',
    '<svg><use href="{canary}/18.svg#x"/></svg>',
    '<math><mtext><img src="{canary}/19.png"></mtext></math>',
    '<input type="image" src="{canary}/20.png">',
    '<body background="{canary}/21.png">',
    '<table background="{canary}/22.png"><tr><td background="{canary}/22b.png">x</td></tr></table>',
    '<meta http-equiv="refresh" content="0;url={canary}/23">',
    '<base href="{canary}/24/">',
    '<script src="{canary}/25.js"></script>',
    '<script>fetch("{canary}/26")</script>',
    "<script>alert(1)</script>",
    # Markdown pictures
    "![x]({canary}/30.png)",
    "![]({canary}/31.png)",
    '![x](<{canary}/32.png> "title")',
    "![x][ref]\n\n[ref]: {canary}/33.png",
    "![ref]\n\n[ref]: {canary}/34.png",
    "[![x]({canary}/35.png)]({canary}/35)",
    "\\![x]({canary}/36.png)",
    "\\\\![x]({canary}/37.png)",
    "| a | b |\n|---|---|\n| ![x]({canary}/38.png) | `x | <img src={canary}/38b.png> | y` |",
    "- ![x]({canary}/39.png)\n  - ![y]({canary}/39b.png)",
    "# ![x]({canary}/40.png)\n\n> ![x]({canary}/40b.png)",
    # code that is none
    "```\n<img src={canary}/50.png>\n```\n<img src={canary}/50b.png>",
    "~~~\n```\n~~~\n<img src={canary}/51.png>\n```",
    "- a\n\n  ```\n  code\nout <img src={canary}/52.png>\n  ```\n<img src={canary}/52b.png>",
    "> ```\n> code\nout <img src={canary}/53.png>\n> ```\n<img src={canary}/53b.png>",
    "1. ```html\n   <img src={canary}/54.png>\n2. <img src={canary}/54b.png>\n   ```",
    "- > ```\n<img src={canary}/55.png>\n```",
    "`<img src={canary}/56.png>` and `` <img src={canary}/56b.png> `` and ``` <img src={canary}/56c.png>",
    "[[`]](u) <img src={canary}/57.png>`",
    "`a\n\n<img src={canary}/58.png>`",
    "\\`<img src={canary}/59.png>\\`",
    "    <img src={canary}/60.png>\n\ntext\n    <img src={canary}/60b.png>",
    "````\n```\n<img src={canary}/61.png>\n````\n```\n<img src={canary}/61b.png>",
    "``` `\n<img src={canary}/62.png>\n```",
    "<pre><code>\n\n<img src={canary}/63.png>\n</code></pre>",
    "```mermaid\ngraph TD; A[<img src='{canary}/64.png'>]-->B; click A \"{canary}/64\"\n```",
    '```"><img src={canary}/65.png>\nx\n```',
    # formulae that are none
    "$$<img src={canary}/70.png>$$",
    "$<img src={canary}/71.png>$",
    "\\(<img src={canary}/72.png>\\) \\[<img src={canary}/72b.png>\\]",
    "$\\includegraphics{{canary}/73.png}$",
    "$\\href{{canary}/74}{x}$ $\\url{{canary}/74b}$ $\\href{javascript:alert(1)}{x}$",
    "$\\htmlStyle{position:fixed;inset:0}{x}$ $\\htmlData{a=b}{x}$ $\\htmlId{vote_a}{x}$",
    "$\\rule{9000em}{9000em}$ $\\kern-900em x \\raise900em{y}$",
    "\ue000<img src={canary}/75.png>\ue001 \ue002<img src={canary}/75b.png>\ue003",
    "%%%LATEX_BLOCK_0%%% $x$ %%%LATEX_BLOCK_9%%% `%%%LATEX_BLOCK_0%%%`",
    "```\n$a\n```\n<img src={canary}/76.png> $b$\n```\n$ <img src={canary}/76b.png> $\n```",
    # covering and forging
    '<div style="position:fixed;inset:0;z-index:99999;background:red">all of it</div>',
    '<button id="vote_b" onclick="alert(1)">A is better</button>',
    '<form action="{canary}/80"><input name="x"><button>Vote</button></form>',
    '<a href="javascript:alert(1)">x</a> [x](javascript:alert(1)) [x](JaVaScRiPt:alert(1))',
    "[x](java&#115;cript:alert(1)) [x](java\tscript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>) [y](vbscript:x) [z](file:///etc/passwd) <javascript:alert(1)>",
    "[x](/api/v1/votes) [y](//127.0.0.1/z) [z](#vote_a) [m](mailto:a@example.org) <a@example.org>",
    '[x]({canary}/81 "t\' onmouseover=alert(1)") <{canary}/81b> {canary}/81c www.example.org',
    "<details open ontoggle=alert(1)><summary>x</summary></details><dialog open>x</dialog>",
    "<marquee onstart=alert(1)>x</marquee><img/src/onerror=alert(1)>",
    "<!--><img src={canary}/82.png>--> <![CDATA[<img src={canary}/82b.png>]]> <?x <img src={canary}/82c.png>?>",
    '<noscript><p title="</noscript><img src={canary}/83.png>">',
    '<math><mi//xlink:href="data:x,<script>alert(1)</script>"><svg></p><style><img src={canary}/84.png></style>',
    "&lt;img src={canary}/85.png&gt; &#60;img src={canary}/85b.png&#62; &#x3C;img src={canary}/85c.png>",
    "<br onload=alert(1)><br/><br><br style='position:fixed'>",
    "\u202egnp.exe\u202c \u2066x\u2069 \u0000\u0008\u001b[31mred \ufeff<i\u0000mg src={canary}/86.png>",
    "<\u200bimg src={canary}/87.png> \uff1cimg src={canary}/87b.png\uff1e",
    "<think><img src={canary}/88.png></think> <tool_call>{}</tool_call>",
    '<h1 id="main" class="a-notice" hidden>x</h1><gradio-app src="{canary}/89"></gradio-app>',
    "- [x] done\n- [ ] <img src={canary}/90.png>\n\n[^1]\n\n[^1]: <img src={canary}/90b.png>",
]
"""More than sixty ways, each swept prefix by prefix."""

_PIECES = (
    *(
        "`",
        "``",
        "```",
        "````",
        "~~~",
        "\n",
        "\n\n",
        "\n    ",
        "\n  ",
        "\n> ",
        "\n- ",
        "\n1. ",
        "\n|",
        " | ",
        "\n|---|---|\n",
    ),
    *(
        "$",
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\",
        "![",
        "](",
        ")",
        "[",
        "]",
        "<!--",
        "-->",
        "<code>",
        "</code>",
        "<pre>",
    ),
    *("<img src={canary}/f.png>", "<svg/onload=alert(1)>", "<style>", "</", "<", ">", "&", "x", " ", "*", "_", "#"),
    *("%%%LATEX_BLOCK_0%%%", "\ue000", "\ue003", "html", "[r]: {canary}/r.png", "![r]", "==", "\n---\n", "<br>"),
)


def armed(canary: str) -> list[str]:
    """The payloads, aimed at one server."""
    return [payload.replace("{canary}", canary) for payload in PAYLOADS]


def scrambled(count: int, seed: int, canary: str) -> list[str]:
    """Random mixtures of the pieces above; the same seed gives the same texts."""
    draw = random.Random(seed)
    texts = ("".join(draw.choices(_PIECES, k=draw.randint(3, 26))) for _ in range(count))
    return [text.replace("{canary}", canary) for text in texts]
