// The stage of a battle of web pages: both run at one press, side by side and at one size, in any of their versions.

import { insist } from "./api.js";
import { SIDES, all, at, element, first, on } from "./shell.js";
import { t } from "./texts.js";

// Keeps the keyboard focus out of frames: a frame may have it only while the pointer is inside it (or after a tap, where
// there is no pointer), or once its reader has gone there by the Tab key. A frame that has it otherwise loses it at once, and
// nothing more: who moved it there cannot be known.

const RECENT = 500; // milliseconds

let lastTab = -RECENT;
/** @type {HTMLElement | null} */
let lastFocused = null;

const touch = matchMedia("(hover: none)");
const isTapped = () => touch.matches && navigator.userActivation?.isActive;
const isAllowed = (frame) => frame.matches(":hover") || performance.now() - lastTab < RECENT || isTapped();

export function guardFocus() {
  addEventListener("keydown", ({ key }) => key === "Tab" && (lastTab = performance.now()), true);
  addEventListener("focusin", ({ target }) => target instanceof HTMLElement && !target.shadowRoot && (lastFocused = target), true);
  addEventListener("blur", () => setTimeout(giveBack));
}

// Pages of models stand in shadow trees (see page_frame.js).
function giveBack() {
  const frame = document.activeElement?.shadowRoot?.activeElement;
  if (frame?.tagName !== "IFRAME" || isAllowed(frame)) return;
  /** @type {HTMLElement} */ (frame).blur();
  window.focus();
  if (lastFocused?.isConnected) lastFocused.focus({ preventScroll: true });
}

// One page made by a model, in a sandboxed frame. It sends three things by a channel of its own: errors, its text after two
// seconds, and answers to a heartbeat. A page that does not answer for three seconds is removed, and so is one that floods
// the arena with messages or the tab's history with entries. Where the page shares the arena's process, a loop holds the
// heartbeat itself: two late ones together count as no answer, unless the tab was hidden; one is late after a machine slept.
// The frame stands in a shadow tree, since windows of frames there are not in `length` or at an index of any window: no page
// can count, focus or call the others.

const [BEAT, OFTEN] = [1000, 100];
// Heartbeats that a page may miss, and those in which it has to load.
const [MISSED, LOADING] = [3, 10];
const HELD = (MISSED + 1) * BEAT; // milliseconds between two heartbeats in which somebody has held the tab
const MESSAGES = 10; // read per heartbeat
const FLOOD = 1000; // messages per heartbeat that end a page
const STEPS = 10; // entries of the tab's history that a page may make
const PRESSED_STEPS = 2; // more of them per heartbeat, while a person uses the page
const LONGEST = 4000;
// Lone surrogates, which the API refuses.
const SURROGATES = /[\ud800-\udfff]/gu;

export class PageFrame {
  /**
   * @param {HTMLElement} container
   * @param {{ address: string, title: string, onEnd: (reason: string) => void, onError: (text: string) => void, onText: (text: string) => void, steps?: number }} options
   */
  constructor(container, { address, title, onEnd, onError, onText, steps = STEPS }) {
    this.onEnd = onEnd;
    this.onError = onError;
    this.onText = onText;
    this.port = null;
    this.missed = 0;
    this.messages = 0;
    this.posted = 0;
    this.steps = history.length;
    this.limit = steps;
    this.element = element("iframe", { sandbox: "allow-scripts", referrerpolicy: "no-referrer", allow: "", part: "page", title, src: address });
    this.listen = (event) => this.hear(event);
    addEventListener("message", this.listen);
    this.container = container;
    this.root = container.shadowRoot ?? container.attachShadow({ mode: "open" });
    this.root.replaceChildren(this.element);
    [this.last, this.held] = [performance.now(), 0];
    this.rest = () => (this.last = performance.now());
    addEventListener("visibilitychange", this.rest, true);
    this.timers = [setInterval(() => this.beat(), BEAT), setInterval(() => this.countSteps(), OFTEN)];
  }

  get isAnswering() {
    return this.port !== null && this.missed < 2;
  }

  get isUsed() {
    return navigator.userActivation?.isActive && this.root.activeElement === this.element;
  }

  hear({ source, data }) {
    if (source !== this.element.contentWindow) return;
    if (++this.posted > FLOOD) this.end("messages");
    else if (data === "begun" && !this.port) this.begin();
  }

  // After the only window message that is read: the page has loaded, and gets its channel, once.
  begin() {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.missed = 0;
    port1.onmessage = ({ data }) => this.receive(data);
    this.element.contentWindow.postMessage("arena", "*", [port2]);
    port1.postMessage(0);
  }

  receive(message) {
    if (++this.messages > FLOOD) return this.end("messages");
    if (this.messages > MESSAGES) return;
    this.missed = 0;
    if (typeof message?.error === "string") this.onError(message.error.slice(0, 300));
    if (typeof message?.text === "string") this.onText(message.text.slice(0, LONGEST).replace(SURROGATES, ""));
  }

  beat() {
    this.messages = this.posted = 0;
    if (this.isUsed) this.steps = Math.min(history.length, this.steps + PRESSED_STEPS);
    this.held = !document.hidden && performance.now() - this.last > HELD ? this.held + 1 : 0;
    this.rest();
    if (this.held > 1 || ++this.missed > (this.port ? MISSED : LOADING)) return this.end("silent");
    this.port?.postMessage(0);
  }

  // A tab keeps fifty entries, so that they have to be counted before these are full.
  countSteps() {
    if (history.length - this.steps > this.limit) this.end("history");
  }

  end(reason) {
    this.timers.forEach(clearInterval);
    removeEventListener("message", this.listen);
    removeEventListener("visibilitychange", this.rest, true);
    this.port?.close();
    this.element.remove();
    if (reason) this.onEnd(reason);
  }
}

// The stage of a battle of web pages: both run at one press, side by side and at one size, in any of their versions.

const WIDTHS = { desktop: 1280, phone: 390 };
const RENEW = 300_000; // addresses of pages last for ten minutes
const TRIAL = 3500; // milliseconds for which each page is tried alone
const TRIAL_STEPS = STEPS / 2; // entries of the tab's history in that time: a page may not live of making them slowly
// In browsers of Chromium's engine a page has no WebRTC; the others say it before somebody runs one.
const WAIT = "userAgentData" in navigator ? ["web.wait", "web.wait.one"] : ["web.wait.open", "web.wait.one.open"];

let path = "";
let names = null;
let questions = [];
let versions = [];
let version = -1;
/** @type {Record<string, PageFrame>} */
let frames = {};
let renewTimer = null;
/** @type {Record<string, string>} */
let texts = {};
let isJudged = false; // whether the pages of this run have been tried alone
let ranKey = ""; // the battle and state whose newest pages have been run
/** @type {() => void} */
let tellChange = () => {};
let isApart = false; // whether they fail only together, and so run one at a time

const stage = () => at("stage");
const pair = () => first(".a-stage-pair");
const part = (side, name) => first(`.a-stage-side[data-side=${side}] .a-stage-${name}`);
const say = (text) => first(".a-stage-say").replaceChildren(text);
const page = (side) => versions[version]?.pages[side] ?? {};
const sidesWithPage = () => SIDES.filter((side) => page(side).address);
const isRunning = () => Object.keys(frames).length > 0;

// Shows the stage of a battle whose answers have ended. `address` is that of its pages in the API, `key` names the battle
// and its state: for the one that it shows already, it only updates the models' names, which are null before the vote.
// `prompts` are those of its turns, where they stand nowhere else on the page; `onRun` hears when both have to run before a
// vote, and when they have.
/** @type {(address: string, key: string, modelNames: Record<string, string> | null, prompts?: string[], onRun?: () => void) => Promise<void>} */
export async function open(address, key, modelNames, prompts = [], onRun = () => {}) {
  names = modelNames;
  questions = prompts;
  tellChange = onRun;
  if (stage().dataset.key === key) return showNames();
  stop();
  unwatch();
  setAlone("");
  stage().dataset.key = key;
  texts = {};
  path = address;
  if (!(await load()) || stage().dataset.key !== key) return;
  version = versions.length - 1;
  stage().hidden = !versions.length;
  showSource(false);
  paint();
  showNames();
  stage().scrollIntoView({ block: "start" });
  markUnrun();
}

// One side in the whole width; "" is both beside each other.
function setAlone(alone) {
  pair().dataset.alone = alone;
  press(all("[data-act=pages-alone]"), (button) => button.dataset.side === alone);
}

// Marks the root element while both newest answers have a page and these have not been run.
function markUnrun() {
  const { a, b } = versions.at(-1)?.pages ?? {};
  document.documentElement.toggleAttribute("data-unrun", Boolean(a?.address && b?.address) && ranKey !== stage().dataset.key);
  tellChange();
}

// On a phone one page is in sight beside the edge of the other: the root element names the first of which half has never
// been, from the run of both newest pages on.
const unseen = new Set(); // sides
const narrow = matchMedia("(max-width: 720px)");
const sight = new IntersectionObserver(see, { threshold: 0.5 });

function watch() {
  if (!narrow.matches || sidesWithPage().length < SIDES.length) return;
  SIDES.forEach((side) => (unseen.add(side), sight.observe(part(side, "frame"))));
}

function unwatch() {
  sight.disconnect();
  unseen.clear();
  delete document.documentElement.dataset.unseen;
}

/** @type {(entries: IntersectionObserverEntry[]) => void} */
function see(entries) {
  for (const { target, intersectionRatio } of entries) {
    if (intersectionRatio >= 0.5) unseen.delete(/** @type {HTMLElement} */ (target.closest(".a-stage-side")).dataset.side);
  }
  const side = SIDES.find((one) => unseen.has(one));
  if (side) document.documentElement.dataset.unseen = side;
  else unwatch();
  tellChange();
}

// The text that each page has shown, which the vote reports: it may name its model.
export const seenTexts = () => texts;

export function close() {
  if (!stage() || stage().hidden) return;
  stop();
  unwatch();
  stage().hidden = true;
  stage().dataset.key = "";
  delete document.documentElement.dataset.pages;
  delete document.documentElement.dataset.unrun;
}

async function load() {
  const answer = await insist("GET", path);
  if (answer.ok) versions = answer.data.versions;
  return answer.ok;
}

// Names, and the link that opens a page in a tab, are there only after the vote.
function showNames() {
  for (const side of SIDES) {
    part(side, "name").textContent = names ? t("web.by", { name: names[side] }) : t(`web.by.${side}`);
    const tab = /** @type {HTMLAnchorElement} */ (part(side, "tab"));
    const { address } = page(side);
    tab.hidden = !names || !address;
    if (address) tab.href = `${address}/whole`;
  }
  clearTimeout(renewTimer);
  if (names) renewTimer = setTimeout(async () => (await load()) && showNames(), RENEW);
}

function paint() {
  const sides = sidesWithPage();
  const hasBoth = sides.length > 1;
  stage().dataset.state = !sides.length ? "none" : isRunning() ? "running" : "still";
  pair().toggleAttribute("data-single", sides.length === 1);
  for (const side of SIDES) part(side, "frame").toggleAttribute("data-empty", !sides.includes(side));
  first("[data-act=pages-run]").textContent = t(hasBoth ? "web.run" : "web.run.one");
  if (!sides.length) say(t("web.neither"));
  else if (isRunning()) say("");
  else say(hasBoth ? t(WAIT[0]) : t(WAIT[1], { side: sides[0].toUpperCase() }));
  const question = /** @type {HTMLElement} */ (first(".a-stage-question"));
  question.textContent = questions[(versions[version]?.number ?? 0) - 1] ?? questions[0] ?? "";
  question.hidden = !question.textContent;
  first(".a-stage-versions").replaceChildren(...(versions.length > 1 ? versions.map(versionButton) : []));
  for (const side of SIDES) part(side, "notes").replaceChildren(...notes(page(side)).map((text) => element("li", {}, text)));
}

function versionButton({ number }, index) {
  const attributes = { type: "button", "data-act": "pages-version", "data-place": index, "aria-pressed": String(index === version) };
  return element("button", attributes, t("web.version", { number }));
}

function notes({ missing, wants, cut }) {
  if (missing) return [t(`web.missing.${missing}`)];
  return [wants ? t("web.wants", { count: wants }) : null, cut ? t("web.cut") : null].filter(Boolean);
}

// Starts both at the same moment, with new addresses each time.
async function run() {
  const key = stage().dataset.key;
  if (!(await load()) || stage().dataset.key !== key) return;
  stop();
  showSource(false);
  isJudged = false;
  startAll(SIDES);
  if (version === versions.length - 1 && ranKey !== key) {
    ranKey = key;
    watch();
  }
  markUnrun();
}

/** @param {string[]} sides */
function startAll(sides) {
  for (const side of sides) if (page(side).address) start(side, (reason) => onEnd(side, reason));
  paint();
  fit();
}

/** @type {(side: string, onEnd: (reason: string) => void, steps?: number) => PageFrame} */
function start(side, onEnd, steps) {
  let errors = 0;
  const onError = (text) => note(side, "error", t("web.errors", { count: ++errors, text }));
  const onText = (text) => (texts[side] = text);
  const title = part(side, "name").textContent;
  frames[side] = new PageFrame(part(side, "frame"), { address: page(side).address, title, onEnd, onError, onText, steps });
  return frames[side];
}

function note(side, name, text) {
  const item = first(`[data-note=${name}]`, part(side, "notes"));
  if (item) item.textContent = text;
  else part(side, "notes").append(element("li", { "data-note": name }, text));
}

// Of two that run together it cannot be told which one blocks the other or fills the history.
function onEnd(side, reason) {
  delete frames[side];
  if (reason !== "messages" && isRunning()) return void (isJudged ? separate() : judge());
  note(side, "ended", t(`web.ended.${reason}`));
  if (!isRunning()) stage().dataset.state = "still";
}

// Both may share a process, in which one that does not answer blocks the other: each is tried alone, and those that do
// well are started once more.
async function judge() {
  isJudged = true;
  const { key } = stage().dataset;
  const sides = sidesWithPage();
  /** @type {Record<string, string>} */
  const reasons = {};
  for (const side of sides) {
    stop();
    reasons[side] = await trial(side);
    if (stage().dataset.key !== key) return;
  }
  stop();
  startAll(sides.filter((side) => !reasons[side]));
  for (const side of sides) if (reasons[side]) note(side, "ended", t(`web.ended.${reasons[side]}`));
}

// The reason for which a page that runs alone has to be stopped; "" if there is none.
/** @type {(side: string) => Promise<string>} */
const trial = (side) =>
  new Promise((resolve) => {
    const frame = start(side, resolve, TRIAL_STEPS);
    setTimeout(() => resolve(frame.isAnswering ? "" : "silent"), TRIAL);
  });

// Both do well alone and fail together once more: neither is blamed, and each runs when it is shown alone.
function separate() {
  stop();
  isApart = true;
  paint();
  say(t("web.apart"));
}

async function runAlone(side) {
  const key = stage().dataset.key;
  stop();
  if (!side || !(await load()) || stage().dataset.key !== key) return separate();
  isApart = true;
  startAll([side]);
}

function stop() {
  for (const frame of Object.values(frames)) frame.end("");
  frames = {};
  isApart = false;
}

// Gives both frames one size: that of a desktop is scaled down where there is no room for it.
function fit() {
  const isPhone = pair().dataset.width === "phone";
  const width = WIDTHS[pair().dataset.width];
  for (const { element: frame, container } of Object.values(frames)) {
    const { clientWidth, clientHeight } = container;
    const scale = isPhone ? 1 : Math.min(1, clientWidth / width) || 1;
    frame.style.width = `${isPhone ? Math.min(width, clientWidth) : width}px`;
    frame.style.height = `${clientHeight / scale}px`;
    frame.style.transform = isPhone ? "none" : `scale(${scale})`;
  }
}

function showSource(yes) {
  document.documentElement.dataset.pages = yes ? "source" : "run";
  first("[data-act=pages-source]").setAttribute("aria-pressed", String(yes));
}

const press = (buttons, isPressed) => buttons.forEach((button) => button.setAttribute("aria-pressed", String(isPressed(button))));

function setWidth(value) {
  pair().dataset.width = value;
  press(all("[data-act=web-width]"), (button) => button.dataset.value === value);
  fit();
}

export function begin() {
  on("pages-run", run);
  on("pages-restart", run);
  on("pages-stop", () => {
    stop();
    paint();
    say(t(sidesWithPage().length > 1 ? "web.ended.stop" : "web.ended.stop.one"));
  });
  on("pages-source", () => showSource(document.documentElement.dataset.pages !== "source"));
  on("pages-version", (button) => {
    const wasRunning = isRunning();
    stop();
    version = Number(button.dataset.place);
    paint();
    showNames();
    if (wasRunning) run();
  });
  on("pages-alone", ({ dataset: { side } }) => {
    const alone = pair().dataset.alone === side ? "" : side;
    setAlone(alone);
    if (isApart) runAlone(alone);
    else fit();
  });
  on("web-width", ({ dataset: { value } }) => setWidth(value));
  guardFocus();
  new ResizeObserver(fit).observe(pair());
  if (narrow.matches) setWidth("phone");
}
