"""Answers that try to make requests, cover the page or forge its buttons.

`{canary}` is the address of a server that must get no request, and `{host}` its host and port.
"""

from __future__ import annotations

import random

LINKS = [
    # Markdown links and pictures
    "[x]({canary}/l1)",
    "[x](<{canary}/l2>)",
    '[x]({canary}/l3 "a title")',
    "[x]({canary}/l4 'a title')",
    "[x]({canary}/l5 (a title))",
    "[**x** `y` *z*]({canary}/l6)",
    "[]({canary}/l7)",
    "[ ]({canary}/l8)",
    "[x]( {canary}/l9 )",
    "[x](\n{canary}/l10\n)",
    "[a\nb]({canary}/l11)",
    "[a [b] c]({canary}/l12)",
    "[x]({canary}/l13_(y)_(z))",
    "[x]({canary}/l14?q=a|b&c=d)",
    "![x]({canary}/l15.png)",
    "[![x]({canary}/l16.png)]({canary}/l16)",
    "[x](http&#58;//{host}/l17)",
    "[x](HTTP://{host}/l18)",
    "\\[x]({canary}/l19) \\\\[x]({canary}/l19b) \\\\\\[x]({canary}/l19c)",
    "[x\\]({canary}/l20) [x]\\({canary}/l20b)",
    "[$x$]({canary}/l21)",
    "[x](//{host}/l22) [x](\\\\{host}\\l22b) [x](http:\\\\{host}/l22c)",
    "[`]({canary}/l23) `[x]({canary}/l23b)` ``[`x]({canary}/l23c)",
    # references
    "[x][r]\n\n[r]: {canary}/l30",
    "[r][]\n\n[r]: {canary}/l31",
    "[r]\n\n[r]: {canary}/l32 'a title'",
    "[r]: <{canary}/l33>\n\n[x][R] and [r]",
    "- [r]\n\n  [r]: {canary}/l34",
    "> [r]: {canary}/l35\n\n[r]",
    "- [x] [x]\n- [ ] done\n\n[x]: {canary}/l36\n[ ]: {canary}/l36b",
    "[^1]\n\n[^1]: {canary}/l37",
    "[r]:\n{canary}/l38\n\n![r] [a][r]",
    # addresses that stand alone
    "{canary}/l40",
    "<{canary}/l41>",
    "({canary}/l42), **{canary}/l42b**, _{canary}/l42c_, ~~{canary}/l42d~~",
    "HTTP://{host}/l43 Http://{host}/l43b",
    "www.127.0.0.1.example/l44 WWW.example.org",
    "ftp://{host}/l45 <ftp://{host}/l45b>",
    "http:/{host}/l46 http:{host}/l46b http\\://{host}/l46c http&colon;//{host}/l46d",
    "a@example.org <a@example.org> mailto:a@example.org [m](mailto:a@example.org) <mailto:a@example.org>",
    "tel:+123456789 <tel:+123456789> [t](tel:+123456789) <sms:+1> xmpp:a@example.org/b",
    "| a | b |\n|:--|--:|\n| {canary}/l47 | [x]({canary}/l47b) |",
    "# {canary}/l48\n\n{canary}/l48b\n===\n\n1. {canary}/l48c\n   > {canary}/l48d",
    "&#104;ttp://{host}/l49 &#119;ww.example.org h&#116;tp&#58;//{host}/l49b",
    "http://user:pass@{host}/l50 http://{host}\u2024example/l50b \u200bhttp://{host}/l50c",
    # elements
    '<a href="{canary}/l60">x</a>',
    "<a href={canary}/l61 target=_self>x</a>",
    '<A HREF="{canary}/l62" ping="{canary}/l62p">x</A>',
    '<svg><a href="{canary}/l63"><text y="9">x</text></a></svg>',
    '<svg><a xlink:href="{canary}/l64"><text y="9">x</text></a></svg>',
    '<map name=m><area href="{canary}/l65" shape=default></map>',
    '<form action="{canary}/l66"><button>x</button></form>',
    '<math href="{canary}/l67"><mi>x</mi></math>',
    '<object data="{canary}/l68"><a href="{canary}/l68b">x</a></object>',
    "<br><a href={canary}/l69>x</a><br/>",
    # formulae
    "$\\href{{canary}/l70}{x}$ $\\url{{canary}/l70b}$",
    "$$\\href{{canary}/l71}{x}$$ \\(\\url{{canary}/l71b}\\) \\[\\href{{canary}/l71c}{x}\\]",
    "$[x]({canary}/l72)$ $${canary}/l72b$$ \\({canary}/l72c\\)",
    "$\\htmlData{href={canary}/l73}{x}$ $\\text{{canary}/l73b}$",
    "[%%%LATEX_BLOCK_0%%%]({canary}/l74) $x$ [x](%%%LATEX_BLOCK_0%%%)",
    # code
    "`{canary}/l80` ``[x]({canary}/l80b)``",
    "```\n{canary}/l81\n[x]({canary}/l81b)\n```",
    "```html\n<a href='{canary}/l82'>x</a>\n```",
    "```markdown\n[x]({canary}/l83)\n<{canary}/l83b>\n```",
    "    {canary}/l84\n    [x]({canary}/l84b)",
]
"""All known ways to write a link."""

PAYLOADS = [
    *LINKS,
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
"""More than a hundred payloads; tests render each prefix of each."""

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
    *("%%%LATEX_BLOCK_0%%%", "\ue000", "\ue003", "html", "[r]: {canary}/r.png", "![r]", "[x]({canary}/f)"),
    *("{canary}/g", "www.", "@", ":", "//", "[x] ", "==", "\n---\n", "<br>"),
)


def payloads_for(canary: str) -> list[str]:
    """All payloads with the address of a server."""
    return [aim(payload, canary) for payload in PAYLOADS]


def aim(payload: str, canary: str) -> str:
    return payload.replace("{canary}", canary).replace("{host}", canary.removeprefix("http://"))


def random_texts(count: int, seed: int, canary: str) -> list[str]:
    """Random sequences of the pieces above; the same seed gives the same texts."""
    draw = random.Random(seed)
    texts = ("".join(draw.choices(_PIECES, k=draw.randint(3, 26))) for _ in range(count))
    return [text.replace("{canary}", canary) for text in texts]
