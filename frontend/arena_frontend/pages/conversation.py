"""Components of the pages of battles and chats; their behaviour is in `frontend/arena_frontend/assets/conversation.js`.

No function of these pages runs on the server. The engine reads the API's stream and raises two events: `paint` fills
the columns, `phase` sets box and buttons.
"""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.markup import ATTACH, COPY, IMAGES, WIDE
from arena_frontend.pages import chrome
from arena_frontend.pages.chrome import place, plain
from arena_frontend.texts import Texts

INLINE, DISPLAY = ("\ue000", "\ue001"), ("\ue002", "\ue003")
"""Private-use marks around formulae, set by `assets/sanitiser.js`, so that a dollar sign in code stays one."""

_SIGNS = {"a": "←", "b": "→", "tie": "=", "both_bad": "✕", "good": "✓", "bad": "✕"}


def engine(
    script: str, columns: list[gr.Chatbot], votes: dict[str, gr.Button], box: gr.Textbox, buttons: dict[str, gr.Button]
) -> None:
    """Start the engine at the path `script`, with the components that it controls and the line for its messages."""
    plain('<div id="say" class="a-say" role="status" aria-live="polite"></div>', elem_id="announcer")
    events = chrome.engine(script, "paint", "phase")
    outputs = [box, *votes.values(), *buttons.values()]
    _paint(events, columns)
    events.phase(None, None, outputs, js="controls")  # type: ignore[attr-defined]
    for outcome, button in votes.items():
        button.click(None, js=f"act vote {outcome}")
    for name, button in buttons.items():
        button.click(None, js=f"act {name}")


def _paint(engine: gr.HTML, columns: list[gr.Chatbot]) -> None:
    engine.paint(None, None, columns, js="columns")  # type: ignore[attr-defined]


def column(words: Texts, side: str) -> gr.Chatbot:
    """A side: its heading and its chatbot."""
    with gr.Column(elem_id=f"side_{side}", elem_classes="a-side", min_width=0):
        plain(
            f'<div class="a-side-head" data-side="{side}"><span class="a-badge">{side.upper()}</span>'
            f'<h2 class="a-side-name">{escape(words["side." + side])}</h2>'
            f'<span class="a-side-state"></span>{_tools(words, side)}</div>',
            elem_id=f"head_{side}",
        )
        return gr.Chatbot(
            label=words["side." + side],
            show_label=False,
            elem_id=f"chat_{side}",
            height=None,
            autoscroll=False,
            container=False,
            buttons=[],
            layout="panel",
            feedback_options=None,
            allow_tags=False,
            latex_delimiters=[
                {"left": DISPLAY[0], "right": DISPLAY[1], "display": True},
                {"left": INLINE[0], "right": INLINE[1], "display": False},
            ],
        )


def _tools(words: Texts, side: str) -> str:
    """Copy the answer, show it alone at full width, and from there turn to the other one."""
    other = {"a": "b", "b": "a"}.get(side, side)
    arrow = "→" if side == "a" else "←"
    copy, wide, turn = (escape(words[key]) for key in ("answer.copy.whole", "answer.wide", "answer.other"))
    return (
        f'<span class="a-side-tools"><button type="button" class="a-turn" data-act="wide" data-side="{other}" '
        f'aria-label="{turn}" title="{turn}" aria-pressed="false">{arrow}</button>'
        f'<button type="button" data-act="copy-answer" data-side="{side}" aria-label="{copy}" title="{copy}">{COPY}'
        f'</button><button type="button" class="a-wide" data-act="wide" data-side="{side}" aria-label="{wide}" '
        f'title="{wide}" aria-pressed="false">{WIDE}</button></span>'
    )


def further(words: Texts) -> str:
    """A cue that an answer goes on below, which leads there."""
    return f'<button type="button" class="a-further" data-act="further" hidden>↓ {escape(words["further"])}</button>'


def votes(words: Texts, outcomes: tuple[str, ...]) -> dict[str, gr.Button]:
    """The row of voting buttons, and the hint below it."""
    with gr.Row(elem_id="votes"):
        results = {outcome: _vote(words, outcome) for outcome in outcomes}
    plain('<p id="hint-text" class="a-hint"></p>', elem_id="hint")
    return results


def _vote(words: Texts, outcome: str) -> gr.Button:
    return gr.Button(
        f"{_SIGNS[outcome]} {words['vote.' + outcome]}",
        elem_id=f"vote_{outcome}",
        elem_classes="a-vote",
        interactive=False,
        min_width=0,
    )


def composer(words: Texts, tools: tuple[str, ...], above: str = "") -> tuple[gr.Textbox, dict[str, gr.Button]]:
    """The text box and its buttons, with `tools` below, and a place `above` if it has a name."""
    with gr.Column(elem_id="composer", scale=0):
        if above:
            place(above)
        plain(_images(words, "images", "images.held"), elem_id="images-row")
        with gr.Row(elem_id="box"):
            plain(_attach(words), elem_id="attach")
            box = gr.Textbox(
                label=words["prompt.label"],
                placeholder=words["prompt.placeholder"],
                lines=1,
                max_lines=8,
                elem_id="prompt",
                container=False,
                autofocus=True,
                interactive=True,
                min_width=0,
            )
            send = gr.Button(words["send"], variant="primary", elem_id="send", scale=0, min_width=0)
            stop = gr.Button(words["stop"], elem_id="stop", scale=0, min_width=0, visible="hidden")
        plain(
            f'<p id="count" class="a-count"><span class="a-keys">{escape(words["prompt.keys"])}</span></p>',
            elem_id="count-line",
        )
        with gr.Row(elem_id="tools"):
            made = {name: _tool(words, name) for name in tools}
    return box, {"send": send, "stop": stop, **made}


def prompt_images(words: Texts) -> str:
    """The images that a conversation is about."""
    return _images(words, "asked", "images.asked")


def _images(words: Texts, name: str, label: str) -> str:
    return f'<ul id="{name}" class="a-images" aria-label="{escape(words[label])}" hidden></ul>'


def _attach(words: Texts) -> str:
    """A button that opens the device's choice of images, or its camera."""
    label = escape(words["images.add"])
    return (
        f'<button type="button" class="a-attach" data-act="attach" aria-label="{label}" title="{label}">'
        f'{ATTACH}</button><input type="file" id="image-file" accept="{IMAGES}" multiple hidden '
        f'aria-label="{label}">'
    )


def _tool(words: Texts, name: str) -> gr.Button:
    return gr.Button(
        words[name], elem_id=name, elem_classes="a-tool", scale=0, min_width=0, size="sm", visible="hidden"
    )


def switch(words: Texts, sides: tuple[str, ...]) -> str:
    """A switch between the answers, for screens that show one at a time."""
    tabs = "".join(
        f'<button type="button" data-act="show" data-side="{side}" aria-pressed="{"true" if side == "a" else "false"}">'
        f'<span class="a-badge" data-side="{side}">{side.upper()}</span>'
        f'<span class="a-side-name">{escape(words["side." + side])}</span><span class="a-dot"></span>'
        f'<span class="a-unread" hidden>{escape(words["side.unread"])}</span></button>'
        for side in sides
    )
    return f'<div class="a-switch" role="group" aria-label="{escape(words["side.switch"])}">{tabs}</div>'
