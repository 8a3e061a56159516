"""What Chromium makes of answers that the server has rendered: nothing is fetched, followed or outside the lists."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from arena.domain.answers import formulae, markdown
from arena.domain.answers.blocks import answer_html
from tests.domain.answers.texts import CHARACTERS, FORMULAE, HARD, NAMESPACES

from .canary import Canary
from .hostile import payloads_for, random_texts

FIND = """([texts, elements]) => {
  const allowed = new Set(elements);
  document.body.innerHTML = texts.map((text) => `<section>${text}</section>`).join("");
  const found = [];
  const sections = document.querySelectorAll("body > section");
  if (document.body.children.length !== texts.length) found.push("an answer has left its place");
  for (const node of document.querySelectorAll("section *")) {
    const name = node.localName;
    if (name === "section" || !allowed.has(name)) found.push(node.outerHTML.slice(0, 200));
    for (const { name: attribute } of node.attributes)
      if (/^(on|style|id|href|src|xlink|action)/.test(attribute)) found.push(`${attribute} of ${name}`);
  }
  return [sections.length, found];
}"""


@pytest.mark.parametrize("step", [37, pytest.param(1, marks=pytest.mark.heavy)])
def test_no_prefix_of_a_hostile_answer_reaches_out_in_chromium(browser: Browser, canary: Canary, step: int) -> None:
    sources = [*payloads_for(canary.url), *HARD, *FORMULAE, *NAMESPACES, *CHARACTERS, *random_texts(200, 7, canary.url)]
    texts = [answer_html(source[:end]) for source in sources for end in range(len(source), 0, -step)]
    elements = sorted(markdown.ELEMENTS | formulae.ELEMENTS)
    errors: list[str] = []
    with browser.new_context(bypass_csp=True) as context, context.new_page() as page:
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: errors.append(dialog.message))
        page.goto(f"{canary.url}/start")
        for start in range(0, len(texts), 500):
            part = texts[start : start + 500]
            assert page.evaluate(FIND, [part, elements]) == [len(part), []]
        assert page.locator("a, [tabindex], [draggable=true]").count() == 0
    assert errors == []
    assert set(canary.paths) <= {"/start", "/favicon.ico"}
