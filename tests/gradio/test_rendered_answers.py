"""What Gradio's own renderer makes of hostile answers in Chromium: nothing is fetched, and nothing can be followed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser

from tests.domain.answers.texts import PAYLOADS
from tests.frontend.hostile import random_texts
from tests.gradio.test_answer_text import BLOCKS, HOSTILE, MARKS
from tests.paths import ROOT
from tests.processes import free_port, until

pytestmark = pytest.mark.heavy

ELSEWHERE = "http://127.0.0.1:9"
SHOWN = """
import json, sys
import gradio as gr
from arena_gradio.answer_text import closed
from arena_gradio.app import LATEX
texts = json.load(open(sys.argv[1]))
with gr.Blocks(analytics_enabled=False) as demo:
    for start in range(0, len(texts), 60):
        turns = [{"role": "assistant", "content": closed(text)} for text in texts[start : start + 60]]
        gr.Chatbot(turns, latex_delimiters=LATEX, allow_tags=False)
demo.launch(server_port=int(sys.argv[2]), quiet=True, ssr_mode=False)
"""
FIND = """() => [...document.querySelectorAll(".bot *")].filter((node) =>
  ["a", "img", "iframe", "form", "input", "object", "embed", "video", "audio", "foreignObject"].includes(node.localName)
  && !node.matches("input[type=checkbox]:disabled")
  || [...node.attributes].some(({ name }) => /^(on|href|src|xlink:href|action)/.test(name))
).map((node) => node.outerHTML.slice(0, 200))"""


def test_no_hostile_answer_reaches_out_of_gradio(browser: Browser, tmp_path: Path) -> None:
    draw, image = random.Random(23), f"<img src={ELSEWHERE}/f.png>"
    pieces = [*HOSTILE, *MARKS, *BLOCKS, f"$$ {image} $$", f"\\[ {image} \\]", f"`{image}`", "`$$`", "```py\n"]
    mixed = ["".join(draw.choices(pieces, k=draw.randint(2, 12))) for _ in range(700)]
    texts = [*PAYLOADS, *random_texts(300, 11, ELSEWHERE), *mixed]
    port, file, requests = free_port(), tmp_path / "texts", list[str]()
    file.write_text(json.dumps([text.encode("utf-8", "replace").decode() for text in texts]))
    app = subprocess.Popen([sys.executable, "-c", SHOWN, file, str(port)], cwd=ROOT, stdin=subprocess.PIPE)
    address = f"http://127.0.0.1:{port}"
    try:
        until(lambda: answers(address))
        with browser.new_context() as context, context.new_page() as page:
            page.on("request", lambda request: requests.append(request.url))
            page.set_default_timeout(120_000)
            page.goto(address)
            page.wait_for_selector(".bot", state="attached")
            page.wait_for_load_state("networkidle")
            assert page.evaluate(FIND) == []
    finally:
        app.terminate()
        app.communicate()
    assert [url for url in requests if not url.startswith((f"{address}/", "data:", "https://fonts."))] == []


def answers(address: str) -> bool:
    """Whether somebody listens there."""
    try:
        return httpx2.get(f"{address}/config").status_code == 200
    except httpx2.TransportError:
        return False
