"""The first view of a page: readable, and on the battle page usable, before any script of Gradio has arrived.

It lies in the HTML itself. What is typed or sent there is handed over to Gradio's text box by `assets/first_view.js`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from arena_frontend.board_markup import figures
from arena_frontend.face import PLAIN, Face
from arena_frontend.markup import ATTACH, IMAGES, bar, hero

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardView
    from arena_frontend.texts import Texts

_BOX: Final = """(() => {
  const form = document.getElementById("early"), [file, box, send, told] = form.elements;
  const held = sessionStorage.getItem("arena_battle") ?? localStorage.getItem("arena_battle");
  if (held) return form.parentElement.remove();
  const grow = () => { box.style.height = "auto"; box.style.height = `${box.scrollHeight}px`; };
  box.value = sessionStorage.getItem("arena_draft") ?? "";
  box.oninput = () => { sessionStorage.setItem("arena_draft", box.value); grow(); };
  box.onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    form.requestSubmit();
  };
  form.images = [];
  const keep = (event, files) => {
    if (!files.length) return;
    event.preventDefault();
    form.images.push(...files);
    told.value = form.images.map(({ name }) => name).join(", ");
  };
  file.onchange = (event) => { keep(event, file.files); file.value = ""; };
  box.onpaste = (event) => keep(event, event.clipboardData.files);
  form.ondragover = (event) => event.preventDefault();
  form.ondrop = (event) => keep(event, event.dataTransfer.files);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!box.value.trim()) return box.focus();
    form.dataset.sent = "";
    box.readOnly = send.disabled = true;
  };
  if (matchMedia("(pointer: fine)").matches) box.focus();
})();"""
"""Keeps the text as a draft, and images that are chosen, pasted or dropped; what is sent waits for the page."""


def first_view(words: Texts, page: str, board: LeaderboardView | None = None, face: Face = PLAIN) -> str:
    """Markup for the start of the body of a page, in the language of `words`.

    What is marked with `data-into` moves into the element of that id when Gradio's page takes over.
    """
    return (
        f'<div id="arena-boot" class="gradio-container"><div class="a-early-bar">{bar(words, page, face)}</div>'
        f"{_content(words, page, board)}"
        f'<p class="a-loading" role="status">{escape(words["loading"])}</p>'
        f"<noscript><p>{escape(words['noscript'])}</p></noscript></div>"
    )


def _content(words: Texts, page: str, board: LeaderboardView | None) -> str:
    if page == "battle":
        return _box(words) + f'<div data-into="life">{figures(words, board)}</div>'
    return ""


def _box(words: Texts) -> str:
    label, placeholder = escape(words["prompt.label"]), escape(words["prompt.placeholder"])
    image = escape(words["images.add"])
    return (
        f'<div class="a-early">{hero(words)}<form id="early" autocomplete="off">'
        f'<label class="a-attach" title="{image}">{ATTACH}'
        f'<input type="file" accept="{IMAGES}" multiple aria-label="{image}"></label>'
        f'<textarea rows="1" aria-label="{label}" placeholder="{placeholder}"></textarea>'
        f"<button>{escape(words['send'])}</button><output></output></form>"
        f'<p class="a-count">{escape(words["prompt.keys"])}</p></div><script>{_BOX}</script>'
    )
