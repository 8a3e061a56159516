"""Finds controls that cannot be tapped, because another element covers their centre.

Controls are checked with the page at its top, middle and bottom, and again scrolled to the middle of the window. Sticky
controls are checked at every step of scrolling. Ignored are controls that are hidden, disabled, inert, clipped by a
scrolling container or inside a closed part, and those below a sticky part until they are scrolled to the middle.
"""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

MISSED: Final = """async () => {
  const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]";
  const STEP = 20;
  // Styles stay until a script of the page may have run: thousands of positions are looked at in between.
  const styles = new Map();
  const frame = async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    styles.clear();
  };
  const root = (part) => part === document.body || part === document.documentElement;
  const line = (part) => (part ? [part, ...line(part.parentElement)] : []);
  const style = (part) => {
    if (!styles.has(part)) {
      const { overflowY, position, top, bottom } = getComputedStyle(part);
      styles.set(part, { overflowY, position, top: parseFloat(top), bottom: parseFloat(bottom) });
    }
    return styles.get(part);
  };
  const clips = (part) => !root(part) && style(part).overflowY !== "visible";
  const scrolls = (part) => clips(part) && style(part).overflowY !== "clip";
  const near = (one, other) => Math.abs(one - other) < 2;
  const sticks = (part) => {
    const { position, top, bottom } = style(part);
    if (position !== "sticky") return position === "fixed";
    const box = part.getBoundingClientRect();
    return near(box.top, top) || near(innerHeight - box.bottom, bottom);
  };
  const floating = (part) => ["fixed", "sticky"].includes(style(part).position) || part.matches("dialog, [popover]");
  const floats = (part) => line(part).some(floating);
  // Sticks to the window itself, and is not scrolled inside the part that does.
  const stays = (part) => {
    const outward = line(part);
    const at = outward.findIndex(sticks);
    return at >= 0 && !outward.slice(1).filter((each) => each !== outward[at]).some(scrolls);
  };
  const usable = (part) => {
    const modal = document.querySelector("dialog:modal");
    const drawn = part.checkVisibility({ visibilityProperty: true }) && part.getClientRects().length > 0;
    const inert = part.matches(":disabled, [aria-disabled=true]") || part.closest("[inert]");
    return drawn && !inert && (!modal || modal.contains(part));
  };
  // Of the largest of its boxes: a link may go over several lines.
  const centre = (part) => {
    const [box] = [...part.getClientRects()].sort((a, b) => b.width * b.height - a.width * a.height);
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const within = ([x, y], { left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom;
  const shown = (part) => {
    const at = centre(part);
    return within(at, new DOMRect(0, 0, innerWidth - 1, innerHeight - 1))
      && line(part.parentElement).filter(clips).every((box) => within(at, box.getBoundingClientRect()));
  };
  const over = (part) => document.elementFromPoint(...centre(part));
  const hits = (part) => [part, ...(part.labels ?? [])].some((target) => target.contains(over(part)));
  const passes = (part) => over(part) && floats(over(part)) && !stays(part);
  const words = (part) => (part.ariaLabel ?? part.innerText ?? part.name ?? "").trim().slice(0, 40);
  const name = (part) => (part ? `${part.localName}${part.id && `#${part.id}`} “${words(part)}”` : "nothing");
  const missed = new Set();
  const miss = (part, state) => missed.add(`${state}: ${name(part)} lies below ${name(over(part))}`);
  const controls = () => [...document.querySelectorAll(CONTROLS)].filter(usable);
  const look = (parts, state) => {
    for (const part of parts) if (shown(part) && !hits(part) && !passes(part)) miss(part, state);
  };
  const scroll = (top) => scrollTo({ top, behavior: "instant" });
  const end = () => document.documentElement.scrollHeight - innerHeight;
  const reach = (part) => part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });

  const before = scrollY;
  for (const [state, share] of Object.entries({ top: 0, middle: 0.5, bottom: 1 })) {
    scroll(end() * share);
    await frame();
    look(controls(), state);
  }
  const sticking = controls().filter((part) => floats(part) && !line(part.parentElement).some(scrolls));
  for (let top = 0; top <= end(); top += STEP) {
    scroll(top);
    look(sticking.filter(stays), "scrolling");
  }
  for (const control of controls()) {
    reach(control);
    if (!usable(control) || hits(control)) continue;
    await frame();
    if (!usable(control)) continue;
    reach(control);
    if (!hits(control)) {
      control.focus();
      styles.clear();
    }
    if (usable(control) && !hits(control)) miss(control, "scrolled to");
  }
  scroll(before);
  return [...missed];
}"""


def missed_controls(page: Page) -> list[str]:
    """Sentences about each covered control: the scroll position, the control, and the element that covers it."""
    controls: list[str] = page.evaluate(MISSED)
    return controls
