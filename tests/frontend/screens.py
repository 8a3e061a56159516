"""Window sizes, colour schemes, languages, and checks by axe-core.

axe-core is installed by npm into `node_modules`; tests that need it are skipped without it.
"""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, ViewportSize

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """async ([tags, parts]) => {
  const brief = {resultTypes: ["violations"], noHtml: true};
  const found = await axe.run(parts ?? document, {runOnly: {type: "tag", values: tags}, ...brief});
  return found.violations;
}"""
Scheme = Literal["light", "dark"]
SCREENS: dict[str, ViewportSize] = {
    "desktop": {"width": 1280, "height": 800},
    "telephone": {"width": 390, "height": 844},
}
Looks = tuple[tuple[str, Scheme], ...]
LOOKS = pytest.mark.parametrize(
    "looks",
    [
        (("desktop", "light"), ("telephone", "dark")),
        pytest.param((("desktop", "dark"), ("telephone", "light")), marks=pytest.mark.heavy),
    ],
    ids=["usual", "other"],
)
"""Each width and each scheme once; the two other combinations run with `-m heavy`."""


def look(page: Page, screen: str, scheme: Scheme) -> None:
    page.set_viewport_size(SCREENS[screen])
    # axe-core counts a control under the sticky bar as too small.
    if not page.evaluate(f"scrollTo(0, 0), matchMedia('(prefers-color-scheme: {scheme})').matches"):
        page.emulate_media(color_scheme=scheme)


def speak(page: Page, language: str) -> None:
    """Set the language cookie until the end of the test."""
    assert page.request.get(f"/?lang={language}").ok


def faults_in(page: Page, axe: str, looks: Looks, *parts: str) -> list[str]:
    """Violations by axe-core in each look on the page, or only in `parts`; the last look stays set."""
    all_faults: list[str] = []
    for screen, scheme in looks:
        look(page, screen, scheme)
        all_faults += [f"{screen}, {scheme}: {fault}" for fault in faults(page, axe, *parts)]
    return all_faults


def faults(page: Page, axe: str, *parts: str) -> list[str]:
    """Violations by axe-core on the page or in `parts`; `evaluate` is exempt from the page's policy."""
    page.wait_for_timeout(450)
    if not page.evaluate("!!window.axe"):
        page.evaluate(axe)
    violations: list[dict[str, Any]] = page.evaluate(RUN, [TAGS, parts or None])
    return [
        f"{fault['impact']} {fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in violations
        for node in fault["nodes"]
    ]
