"""Changes to Gradio's own scripts as they are served; each must be found once, or the pages do not start.

Gradio compiles the template of a component, its script and its listeners from strings, for which a page would have to
allow `unsafe-eval`. Our components have one template, one script and listeners that only name what they call.
"""

from __future__ import annotations

import re
from typing import Final

_CLOCK: Final = (
    rb"function (\w+)\(\)\{\w+\(\(\)=>\{\w+\(\w+,\(performance\.now\(\)-[^{}]+&&\1\(\)\}\)\}",
    rb"function \1(){}",
)
_LOADER: Final = (rb"(\w+)\(\(\)=>\(\w+\(\),\(\)=>\{\w+\(\w+,!0\)\}\)\)", rb"\1(()=>{})")
"""The status line's clock, and the start of its loader's animation. Both request frames for as long as the page is
open, even when they are gone from it: a third of the work of a page that streams text, and all of one at rest."""
_TEMPLATE: Final = (
    (
        rb"let (\w)=\w+\.default\.compile\((\w)\)\((\w)\),(\w)=Object\.keys\(\3\),(\w)=Object\.values\(\3\),"
        rb"(\w)=Function\(\.\.\.\4,`return \\`\$\{\1\}\\`;`\);(return [^{}]{0,120}?),\6\(\.\.\.\5\)\}"
    ),
    rb'\7,\2.replace("${value}",()=>\3.value)}',
)
"""Of a component of markup: its value is all there is to fill in."""
_SCRIPT: Final = (
    rb"Function\(`element`,`trigger`(?:,`\w+`){4},\w\(\)\)\((\w),(\w)(?:,[\w()]+){4}\)",
    (
        rb'(({src:s,events:e})=>import(s).then(m=>m.attach(\2,...e.split(" "))))'
        rb'(\1.querySelector("script-path").dataset)'
    ),
)
"""Of a component of markup that has one: it starts the script of the page, which raises the named events."""
_LISTENER: Final = (
    rb"(function \w\((\w)\)\{)let \w,\w=!0,\w=\2\.trim\(\)\.replace\(/;\+\$/,``\);try\{.{0,200}?\}(?=async function)",
    rb'\1let[n,...a]=\2.split(" ");return async()=>{let r=window.arena[n](...a);return a.length?void 0:r}}',
)
"""It names a function of `window.arena` and its arguments; a function with arguments gives no component a value."""
_CHANGES: Final = {
    "statustracker-": (_CLOCK, _LOADER),
    "HTML-": (_TEMPLATE, _SCRIPT),
    "Blocks-": (_LISTENER,),
}


def changed(name: str, body: bytes) -> bytes:
    """Change one of Gradio's scripts, by its file name.

    Raises:
        RuntimeError: It is not the expected one.
    """
    changes = next((result for start, result in _CHANGES.items() if name.startswith(start)), ())
    for pattern, new in changes:
        body, count = re.subn(pattern, new, body, flags=re.DOTALL)
        if count != 1:
            raise RuntimeError(f"Gradio's {name} has no {pattern!r}.")
    return body
