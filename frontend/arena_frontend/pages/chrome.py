"""Parts of all pages of Gradio: empty places, static markup, and an engine."""

from __future__ import annotations

from html import escape

import gradio as gr


def place(name: str) -> gr.HTML:
    """An empty place, into which a part of the first view moves; see `first_view.py`."""
    return plain(f'<div data-place="{name}"></div>', elem_id=name)


def engine(script: str, *events: str) -> gr.HTML:
    """Markup that starts the page's own script at the path `script`, which raises `events`."""
    return gr.HTML(
        f'<script-path data-src="{escape(script)}" data-events="{" ".join(events)}"></script-path>',
        elem_id="engine",
        # Gradio knows of no event that does not stand here in quotes; what is served instead is in `gradio_scripts`.
        js_on_load=" ".join(map(repr, events)) or "attach",
        apply_default_css=False,
    )


def plain(html: str, *, elem_id: str) -> gr.HTML:
    """Static markup without the component's own padding, styles and script."""
    return gr.HTML(html, elem_id=elem_id, padding=False, apply_default_css=False, js_on_load=None)
