// The stage of a battle of web pages: both run at one press, side by side and at one size, in any of their versions.

import { insist } from "./api.js";
import { all, at, element, first } from "./dom.js";
import { guardFocus } from "./frame_focus.js";
import { PageFrame } from "./page_frame.js";
import { on } from "./shell.js";
import { SIDES } from "./sides.js";
import { t } from "./texts.js";

const WIDTHS = { desktop: 1280, phone: 390 };
// Addresses of pages last for ten minutes.
const RENEW = 300_000;
// How long each page is tried alone, in milliseconds.
const TRIAL = 3500;

let path = "";
let names = null;
let versions = [];
let version = -1;
/** @type {Record<string, PageFrame>} */
let frames = {};
let renewing = null;
/** @type {Record<string, string>} */
let texts = {};

const stage = () => at("stage");
const pair = () => first(".a-stage-pair");
const sideOf = (side) => first(`.a-stage-side[data-side=${side}]`);
const part = (side, name) => first(`.a-stage-${name}`, sideOf(side));
const say = (text) => first(".a-stage-say").replaceChildren(text);
const page = (side) => versions[version]?.pages[side] ?? {};
const running = () => Object.keys(frames).length > 0;

/**
 * Shows the stage of a battle whose answers have ended; `key` says which state of it, so that the same is not begun anew.
 * @param {string} address of its pages in the API
 * @param {string} key
 * @param {Record<string, string> | null} known the models' names, once they are known
 */
export async function open(address, key, known) {
  names = known;
  if (stage().dataset.key === key) return called();
  stop();
  stage().dataset.key = key;
  texts = {};
  path = address;
  if (!(await load()) || stage().dataset.key !== key) return;
  version = versions.length - 1;
  stage().hidden = !versions.length;
  showSource(false);
  paint();
  called();
  stage().scrollIntoView({ block: "start" });
}

// What each page has shown, for the check of names that comes with the vote.
export const seen = () => texts;

export function close() {
  if (!stage() || stage().hidden) return;
  stop();
  stage().hidden = true;
  stage().dataset.key = "";
  delete document.documentElement.dataset.pages;
}

// Browsers of this engine alone close WebRTC to a page; the others say it before somebody runs one.
const WAIT = "userAgentData" in navigator ? "web.wait" : "web.wait.open";
let judged = false;

async function load() {
  const answer = await insist("GET", path);
  if (answer.ok) versions = answer.data.versions;
  return answer.ok;
}

// Names, and the way into a tab, are there after the vote alone.
function called() {
  for (const side of SIDES) {
    part(side, "name").textContent = names ? t("web.by", { name: names[side] }) : t(`web.by.${side}`);
    const tab = /** @type {HTMLAnchorElement} */ (part(side, "tab"));
    const { address } = page(side);
    tab.hidden = !names || !address;
    if (address) tab.href = `${address}/whole`;
  }
  clearTimeout(renewing);
  if (names) renewing = setTimeout(async () => (await load()) && called(), RENEW);
}

function paint() {
  const some = SIDES.some((side) => page(side).address);
  stage().dataset.state = !some ? "none" : running() ? "running" : "still";
  say(some ? (running() ? "" : t(WAIT)) : t("web.neither"));
  first(".a-stage-versions").replaceChildren(...(versions.length > 1 ? versions.map(turner) : []));
  for (const side of SIDES) part(side, "notes").replaceChildren(...notes(page(side)).map(line));
}

const line = (text) => element("li", {}, text);

function turner({ number }, place) {
  const attributes = { type: "button", "data-act": "pages-version", "data-place": place, "aria-pressed": String(place === version) };
  return element("button", attributes, t("web.version", { number }));
}

function notes({ missing, wants, cut }) {
  if (missing) return [t(`web.missing.${missing}`)];
  return [wants ? t("web.wants", { count: wants }) : null, cut ? t("web.cut") : null].filter(Boolean);
}

// Both start in the same moment, with addresses of their own each time.
async function run() {
  const key = stage().dataset.key;
  if (!(await load()) || stage().dataset.key !== key) return;
  stop();
  showSource(false);
  judged = false;
  begun(SIDES);
}

/** @param {string[]} sides */
function begun(sides) {
  for (const side of sides) if (page(side).address) start(side, (why) => ended(side, why));
  paint();
  size();
}

/**
 * @param {string} side
 * @param {(why: string) => void} ended
 */
function start(side, ended) {
  let faults = 0;
  const failed = (text) => note(side, "error", t("web.errors", { count: ++faults, text }));
  const read = (text) => (texts[side] = text);
  const title = part(side, "name").textContent;
  frames[side] = new PageFrame(part(side, "frame"), { address: page(side).address, title, ended, failed, read });
  return frames[side];
}

function note(side, name, text) {
  const known = first(`[data-note=${name}]`, part(side, "notes"));
  if (known) known.textContent = text;
  else part(side, "notes").append(element("li", { "data-note": name }, text));
}

function ended(side, why) {
  delete frames[side];
  if (why === "silent" && running() && !judged) return void judge();
  note(side, "ended", t(`web.ended.${why}`));
  if (!running()) stage().dataset.state = "still";
}

// Both may share a process, in which one that does not answer holds the other: each is tried alone, and those that answer
// start once more.
async function judge() {
  judged = true;
  const { key } = stage().dataset;
  /** @type {string[]} */
  const well = [];
  for (const side of SIDES.filter((one) => page(one).address)) {
    stop();
    if (await answers(side)) well.push(side);
    if (stage().dataset.key !== key) return;
  }
  stop();
  const told = SIDES.filter((side) => !well.includes(side) && page(side).address);
  begun(well);
  for (const side of told) note(side, "ended", t("web.ended.silent"));
}

/** @type {(side: string) => Promise<boolean>} */
const answers = (side) =>
  new Promise((done) => {
    const frame = start(side, () => done(false));
    setTimeout(() => done(frame.answers), TRIAL);
  });

function stop() {
  for (const frame of Object.values(frames)) frame.end("");
  frames = {};
  for (const side of SIDES) if (stage()) part(side, "frame").replaceChildren();
}

// Both frames have one size: that of a desktop is drawn smaller where there is no room for it.
function size() {
  const width = WIDTHS[pair().dataset.width];
  for (const frame of Object.values(frames)) {
    const { clientWidth, clientHeight } = frame.element.parentElement;
    const scale = Math.min(1, clientWidth / width) || 1;
    const { style } = frame.element;
    style.width = `${pair().dataset.width === "phone" ? Math.min(width, clientWidth) : width}px`;
    style.height = `${clientHeight / (pair().dataset.width === "phone" ? 1 : scale)}px`;
    style.transform = pair().dataset.width === "phone" ? "none" : `scale(${scale})`;
  }
}

function showSource(yes) {
  document.documentElement.dataset.pages = yes ? "source" : "run";
  first("[data-act=pages-source]").setAttribute("aria-pressed", String(yes));
}

const press = (buttons, pressed) => buttons.forEach((button) => button.setAttribute("aria-pressed", String(pressed(button))));

function setWidth(value) {
  pair().dataset.width = value;
  press(all("[data-act=web-width]"), (button) => button.dataset.value === value);
  size();
}

export function begin() {
  on("pages-run", run);
  on("pages-restart", run);
  on("pages-stop", () => {
    stop();
    paint();
    say(t("web.ended.stop"));
  });
  on("pages-source", () => showSource(document.documentElement.dataset.pages !== "source"));
  on("pages-version", (button) => {
    const again = running();
    stop();
    version = Number(button.dataset.place);
    paint();
    called();
    if (again) run();
  });
  on("pages-alone", ({ dataset: { side } }) => {
    const alone = pair().dataset.alone === side ? "" : side;
    pair().dataset.alone = alone;
    press(all("[data-act=pages-alone]"), (button) => button.dataset.side === alone);
    size();
  });
  on("web-width", ({ dataset: { value } }) => setWidth(value));
  guardFocus((frame) => {
    const side = SIDES.find((one) => frames[one]?.element === frame);
    frames[side]?.end("focus");
  });
  new ResizeObserver(size).observe(pair());
  if (matchMedia("(max-width: 720px)").matches) setWidth("phone");
}
