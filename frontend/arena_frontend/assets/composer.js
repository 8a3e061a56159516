// What stands around the text box: notices, requests that wait, the terms, example prompts, and images.

import { BOUNDED, call, insist, lost, reconnected, upload } from "./api.js";
import { OUTCOMES, SIDES, agreedTerms, all, at, element, first, on, storeTerms } from "./shell.js";
import { language, problemText, raw, t } from "./texts.js";

/** @typedef {import("./api.js").Answer} Answer */

// The notice above the text box. "warn" and "note" stay until closed, or until what they speak of is over, "busy" until the
// arena answers again, "terms" asks once.

let ticking = null; // the timer of a countdown
let onFree = () => {};

// While a countdown runs nothing can be sent.
export const isBlocked = () => ticking !== null;

function showNotice(kind, ...parts) {
  const box = at("notice-box");
  if (kind === "busy" && !box.hidden && box.dataset.kind !== "busy") return;
  stopCountdown();
  box.dataset.kind = kind;
  delete box.dataset.until;
  box.hidden = false;
  box.replaceChildren(...parts);
}

const closable = (kind, ...parts) => showNotice(kind, element("span", {}, parts), element("button", { type: "button", class: "a-close", "data-act": "dismiss", "aria-label": t("notice.dismiss") }, "×"));
export const warn = (text) => closable("warn", text);
export const note = (parts) => closable("note", ...parts);

// A warning that goes with what it speaks of: once a text is typed, or the answers have ended.
/** @type {(text: string, until: "text" | "answers") => void} */
export function warnUntil(text, until) {
  warn(text);
  at("notice-box").dataset.until = until;
}

/** @type {(what: "text" | "answers") => void} */
export function endWarning(what) {
  if (at("notice-box").dataset.until === what) clearNotice();
}

// Adds a sentence to a warning that is shown, or shows it alone.
function addLine(text) {
  const box = at("notice-box");
  if (box.hidden || box.dataset.kind !== "warn") return warn(text);
  box.firstElementChild.append(" ", text);
}

// Shows a text until the arena answers again, and resolves then.
export function away(text) {
  showNotice("busy", element("span", {}, text));
  return reconnected().then(() => clearNotice("busy"));
}

export function clearNotice(kind) {
  const box = at("notice-box");
  if (kind && box.dataset.kind !== kind) return;
  box.hidden = true;
  delete box.dataset.until;
  stopCountdown();
}

function stopCountdown() {
  clearInterval(ticking);
  ticking = null;
}

// Shows a problem with a retry time: counts down, without being read out every second, then calls `free`.
export function countdown(problem, free) {
  const end = Date.now() + 1000 * problem.retry_after;
  const [before, after] = t("notice.retry", { seconds: "\u0000" }).split("\u0000");
  const seconds = element("span", { "aria-live": "off" }, String(problem.retry_after));
  warn("");
  at("notice-box").firstElementChild.append(problemText({ ...problem, retry_after: null }), " ", before, seconds, after);
  onFree = free;
  ticking = setInterval(() => {
    const rest = Math.round((end - Date.now()) / 1000); // by the clock, since timers of hidden pages rest
    seconds.textContent = String(rest);
    if (rest > 0) return;
    clearNotice();
    free();
  }, 1000);
}

// Asks to accept the terms before the first prompt, which then carries their version: the server stores it with the voter.
/** @type {(version: number, go: () => unknown) => void} */
function askTerms(version, go) {
  on("agree", () => {
    storeTerms(version);
    leaveNotice();
    go();
  });
  // The foot's first link is that to the terms, of the arena or of its operator.
  const rules = first(".a-foot a");
  const href = rules?.getAttribute("href") ?? "/about#terms";
  askOnce([t("terms.ask"), " ", element("a", { href, target: "_blank" }, rules?.textContent ?? t("terms.more"))], "agree", "terms.agree");
  const agree = first(".a-agree");
  agree.focus({ preventScroll: true });
  agree.addEventListener("keydown", ignoreSameKey(performance.now()));
}

const DELIBERATE = 800;

// A key that is still held, or that bounces, since the question came agrees to nothing, nor does a space of who types on.
/** @type {(since: number) => (event: KeyboardEvent) => void} */
const ignoreSameKey = (since) => (event) => {
  if (["Enter", " "].includes(event.key) && (event.repeat || performance.now() - since < DELIBERATE)) event.preventDefault();
};

// Says what has come, with a button to go on: such as to send a prompt of which the arena warns.
/** @type {(text: string, key: string, go: () => unknown) => void} */
export function propose(text, key, go) {
  on("sure", () => {
    leaveNotice();
    go();
  });
  askOnce([text], "sure", key);
}

export const focusBox = () => first("#prompt textarea")?.focus({ preventScroll: true });

// On a phone the focus would open the keyboard before anything was read.
export const focusIfPointer = () => matchMedia("(pointer: fine)").matches && focusBox();

// The button goes with its question, and the focus would go with the button.
function leaveNotice() {
  clearNotice();
  focusIfPointer();
}

const askOnce = (texts, act, key) => showNotice("terms", element("span", {}, texts), element("button", { type: "button", class: "a-agree", "data-act": act }, t(key)));

export function beginNotices() {
  on("dismiss", () => {
    const wasBlocked = isBlocked();
    clearNotice();
    if (wasBlocked) onFree();
  });
}

// Requests that could not be sent because the connection was lost: they wait, also over a reload of the tab, and are sent
// once it is back, or the visitor has signed in; only once, even if an attempt whose answer was lost has arrived.

/** @typedef {{ id: string, again?: boolean, turns?: number, body?: Record<string, any>, outcome?: string, shown?: object, retried?: boolean }} Waiting a question, which has a body, or a vote */

// While a request waits, the browser asks before the page is closed: what waits is kept in this tab alone.
const keepOpen = (event) => event.preventDefault();

// Sends until the arena answers. `request` has what a reload needs to resume; `existing` resolves to the result of an earlier attempt, or null.
/** @type {(memory: { storeUnsent: (request: Waiting | null) => void }, request: Waiting, send: () => Promise<Answer>, existing: () => Promise<Answer | null>) => Promise<Answer>} */
export async function deliver(memory, request, send, existing) {
  const resend = async () => (await existing()) ?? send();
  let answer = await (request.retried ? resend() : send());
  while (lost(answer)) {
    memory.storeUnsent({ ...request, retried: true });
    addEventListener("beforeunload", keepOpen);
    await away(t(request.body ? "notice.unsent" : "notice.unsent.vote"));
    answer = await resend();
  }
  removeEventListener("beforeunload", keepOpen);
  // After signing in, the visitor comes back to this tab, and the request is sent.
  memory.storeUnsent(answer.problem?.code === "sign_in_required" ? { ...request, retried: true } : null);
  return answer;
}

const isText = (value) => typeof value === "string";
const areTexts = (list) => Array.isArray(list) && list.every(isText);
const isPrompt = ({ prompt, images, models }) => isText(prompt) && areTexts(images) && areTexts(models ?? []);

// The request that an earlier load of the page could not send; null if there is none.
/** @type {(memory: { unsent: () => Record<string, any> }) => Waiting | null} */
export function waitingRequest(memory) {
  const { id, body, outcome, shown, ...rest } = memory.unsent();
  if (!isText(id) || !(body ? isPrompt(body) : OUTCOMES.includes(outcome) && shown)) return null;
  return { id, body, outcome, shown, ...rest };
}

// The conversation that a request has already changed or begun, which is then the visitor's newest.
/** @type {(place: string, request: Waiting) => Promise<Answer | null>} */
export async function existingConversation(place, { id, again, turns, body }) {
  const answer = again ? await call("GET", `${place}/${id}`, BOUNDED) : await newest(place, id, body.prompt);
  return !answer || lost(answer) || answer.data?.turns.length > (again ? turns : 0) ? answer : null;
}

async function newest(place, id, prompt) {
  const answer = await call("GET", `/me${place}?limit=1`, BOUNDED);
  if (!answer.ok) return lost(answer) ? answer : null;
  const [row] = /** @type {any[]} */ (Object.values(answer.data)[0]);
  const isOfPrompt = row && row.id !== id && row.state === "open" && row.turns === 1 && prompt.startsWith(row.prompt);
  return isOfPrompt ? call("GET", `${place}/${row.id}`, BOUNDED) : null;
}

// Conditions of a battle or chat: the arena accepts prompts, and the visitor has accepted its terms.

// The version of the terms, once the page's HTML or the API has said it.
let terms = 0;
let areTermsKnown = false;
let counts = { text: 0, images: 0 }; // of models that may answer
let onTermsKnown = null;
/** @type {string | undefined} */
let closed; // the part that the operator has closed
let shownKind = ""; // of the conversation

export async function greet(kind) {
  const status = statusOfPage() ?? (await insist("GET", "/status")).data;
  if (status) showStatus(kind, status);
  areTermsKnown = true;
  const go = onTermsKnown;
  onTermsKnown = null;
  if (!go) return;
  clearNotice("busy");
  go();
}

// Shows a part or not; one whose place is kept keeps it.
/** @type {(part: HTMLElement, yes: boolean) => void} */
function show(part, yes) {
  if (yes) delete part.dataset.waiting;
  part.hidden = !yes && !("waiting" in part.dataset);
}

function showStatus(kind, status) {
  shownKind = kind;
  terms = status.terms;
  counts = { text: status.endpoints, images: status.vision_endpoints };
  if (kind === "battle") allowImages(status.vision);
  if (!status.practice) offerSafety();
  if (at("practice-line")) {
    show(at("practice-line"), status.practice);
    first("#practice-line span").textContent = t(status.mixed ? "practice.mixed" : "practice");
  }
  closed = (kind === "battle" ? ["battles", "voting"] : ["chats"]).find((part) => status.closed.includes(part));
  if (closed) warn(t(`notice.closed.${closed}`));
  else if (status.endpoints < SIDES.length) warn(t("notice.few"));
  else if (kind === "battle" && !status.accepting) warn(t("notice.not_accepting"));
}

// Whether more than one pair of models can be drawn for a question.
/** @type {(hasImages: boolean) => boolean} */
export const hasPairs = (hasImages) => counts[hasImages ? "images" : "text"] > SIDES.length;

// Whether the terms are known, or cannot be learned: a page that came while the arena was being built asks for them.
export const hasTerms = () => areTermsKnown;

// What the visitor sends before the terms are known goes out once they are, by the last `go`.
/** @type {(go: () => unknown) => void} */
export function whenTermsKnown(go) {
  onTermsKnown = go;
  showNotice("busy", element("span", {}, t("notice.starting")));
}

// The status of the service that is in the page's HTML, once; later it has to be asked for.
function statusOfPage() {
  const { dataset } = at("composer");
  const status = dataset.status && JSON.parse(dataset.status);
  delete dataset.status;
  return status;
}

export const hasAgreed = () => !terms || agreedTerms() === terms;
export const termsVersion = () => terms || undefined;

// Nobody is asked to agree to the terms of a closed part; the visitor is told again, unless it has been opened since.
export async function askToAgree(newVersion, go) {
  terms = newVersion ?? terms;
  const status = closed && (await call("GET", "/status")).data;
  if (status) showStatus(shownKind, status);
  if (closed && closed !== "voting") return;
  askTerms(terms, go);
}

// Example prompts for an empty text box: ten kinds, three of each; at first two of different kinds, then four. Whoever
// asks for others gets those of the public question sets too. Prompts about safety are withheld unless real models answer.

const [FIRST, SHOWN] = [2, 4];
const KINDS = ["understanding", "chat", "dialogue", "writing", "knowledge", "code", "reasoning", "calculation", "roleplay", "safety"];
const SAFETY = KINDS.indexOf("safety");
/** @type {string[][]} a title and prompts per kind */
let ideas = raw("ideas");
const isOperators = ideas.length !== KINDS.length; // the operator's own ideas are one kind, in place of the ten
let isPractice = true;
let extension; // the promise of more ideas, once somebody has asked for others
let offset = Math.floor(Math.random() * 30);
let ideaKind = -1; // index of the chosen kind; -1 for all
let isForPages = false;

function chooseIdeas() {
  // The first three are in the script of the practice models.
  if (isForPages) return raw("web.ideas").slice(0, isPractice ? SHOWN - 1 : SHOWN);
  if (ideaKind >= 0) {
    const [title, ...prompts] = ideas[ideaKind];
    return prompts.slice(0, SHOWN).map((_, step) => [title, prompts[(offset + step) % prompts.length]]);
  }
  const kinds = isPractice && !isOperators ? ideas.filter((_, number) => number !== SAFETY) : ideas;
  return Array.from({ length: extension ? SHOWN : FIRST }, (_, step) => {
    const [title, ...prompts] = kinds[(offset + step) % kinds.length];
    return [title, prompts[Math.floor((offset + step) / kinds.length) % prompts.length]];
  });
}

function kindChip(title, number) {
  const attributes = { type: "button", class: "a-chip", "data-act": "kind", "data-kind": number, "aria-pressed": String(number === ideaKind) };
  return element("button", { ...attributes, hidden: isPractice && !isOperators && number === SAFETY }, title);
}

const ideaCard = ([title, prompt]) => element("button", { type: "button", class: "a-idea", "data-act": "idea", "data-prompt": prompt }, element("strong", {}, title), element("span", {}, prompt));
const showCards = () => at("idea-list").replaceChildren(...chooseIdeas().map(ideaCard));

// Categories of question sets that are not one of the ten kinds become kinds of their own.
async function extend() {
  const answer = await call("GET", `/ideas?language=${language.split("-")[0]}`);
  if (!answer.ok) return;
  const promptsOf = new Map(answer.data.map(({ category, prompts }) => [category, prompts]));
  const extended = isOperators ? ideas : ideas.map((idea, number) => [...idea, ...(promptsOf.get(KINDS[number]) ?? [])]);
  const others = [...promptsOf].filter(([category]) => isOperators || !KINDS.includes(category)).map(([category, prompts]) => [category, ...prompts]);
  at("idea-kinds").append(...others.map(([title], number) => kindChip(title, extended.length + number)));
  ideas = [...extended, ...others];
}

// Shows other ideas for battles of web pages, of one kind.
export function offerPages(yes) {
  isForPages = yes;
  at("idea-kinds").hidden = yes || !extension;
  first("[data-act=ideas]").hidden = yes;
  showCards();
}

// Real models answer, so they may be asked about safety.
function offerSafety() {
  isPractice = false;
  if (isForPages) showCards();
  if (!isOperators) first(`#idea-kinds [data-kind="${SAFETY}"]`).hidden = false;
}

export function beginIdeas() {
  at("idea-kinds").replaceChildren(kindChip(t("ideas.all"), -1), ...ideas.map(([title], number) => kindChip(title, number)));
  showCards();
  on("ideas", () => {
    const before = first("#idea-list .a-idea").dataset.prompt;
    offset += extension ? SHOWN : FIRST;
    // Once real models answer there is one kind more, and the same idea may come again.
    if (chooseIdeas()[0][1] === before) offset += 1;
    extension ??= extend();
    at("idea-kinds").hidden = false;
    showCards();
  });
  on("kind", (button) => {
    ideaKind = Number(button.dataset.kind);
    for (const other of at("idea-kinds").children) other.setAttribute("aria-pressed", String(other === button));
    showCards();
  });
}

// Images to ask about: pasted, dropped, chosen or photographed, uploaded one after the other, and shown small above the
// text box; those of a conversation are shown above its answers. The page knows them by their ids alone.

/** @typedef {{ file?: Blob, id?: string }} Attachment without an id until it is uploaded */

const MAX_IMAGES = 4;
const LARGE = 1_000_000;
const SIDE = 2048;

/** @type {Attachment[]} */
let attachments = [];
let uploads = Promise.resolve();
let isAllowed = true;
let refusal = "";
let onSent = null;
let refusals = 0;
/** @type {(imageIds: string[]) => unknown} */
let onImages = () => {};

export const attachedIds = () => attachments.flatMap(({ id }) => id ?? []);
export const hasPendingImages = () => attachments.some(({ id }) => !id);

// Calls `go` once all are uploaded, with whether none was refused meanwhile; only the first caller is called. Images that
// come meanwhile are waited for, too, and those that are removed are not.
export async function whenImagesSent(go) {
  if (onSent) return;
  onSent = go;
  const before = refusals;
  while (hasPendingImages()) await uploads;
  onSent = null;
  go(refusals === before);
}

// Takes away the images that have been sent.
/** @type {(imageIds: string[]) => void} */
export function dropImages(imageIds) {
  attachments = attachments.filter(({ id }) => !imageIds.includes(id));
  paintImages();
}

/** @type {(imageIds: string[]) => boolean} */
export const hasOtherImages = (imageIds) => attachments.some(({ id }) => !imageIds.includes(id));

// Takes away an image that the arena no longer has, and says so.
async function dropIfGone(id) {
  const { problem } = await call("GET", `/images/${id}`);
  if (problem?.code !== "image_not_found" || !attachedIds().includes(id)) return;
  dropImages([id]);
  addLine(problemText(problem));
}

// Attaches images of an earlier prompt again.
export function reuseImages(imageIds) {
  attachments = imageIds.map((id) => ({ id }));
  paintImages();
}

// Images can be attached only where all models that are asked can see them; `why` says which cannot.
/** @type {(yes: boolean, why?: string) => void} */
export function allowImages(yes, why = t("error.no_vision")) {
  isAllowed = yes;
  refusal = why;
  show(first("#attach .a-attach"), yes);
}

/** @param {Iterable<Blob>} files */
function addImages(files) {
  if (refusals) clearNotice("warn");
  for (const file of files) {
    if (!isAllowed) return warn(refusal);
    if (attachments.length >= MAX_IMAGES) return warn(t("error.too_many_images", { limit: MAX_IMAGES }));
    const attachment = { file };
    attachments.push(attachment);
    // One after the other: the first answer to a new visitor brings the cookie that the others belong to.
    uploads = uploads.then(() => sendImage(attachment));
  }
  paintImages();
}

/** @param {Attachment} attachment */
async function sendImage(attachment) {
  const answer = await upload(await scaledDown(attachment.file));
  if (!attachments.includes(attachment)) return;
  if (answer.ok) {
    attachment.id = answer.data.id;
    at("say").textContent = t("images.added", { number: attachments.indexOf(attachment) + 1 });
  } else {
    attachments = attachments.filter((other) => other !== attachment);
    refusals++;
    warn(problemText(answer.problem));
  }
  paintImages();
}

// Reduces a photograph to the size that the arena stores; it is the arena that refuses what the browser cannot read.
async function scaledDown(file) {
  if (file.size <= LARGE) return file;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
    const canvas = element("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const type = file.type === "image/png" ? "image/png" : "image/jpeg";
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), type, 0.9));
  } catch {
    return file;
  }
}

function paintImages() {
  const items = attachments.map(({ id }, index) => {
    const number = index + 1;
    const name = t("images.remove", { number });
    const remove = element("button", { type: "button", class: "a-image-remove", "data-act": "detach", "data-place": index, "aria-label": name, title: name }, "×");
    return element("li", { class: "a-image", "aria-busy": !id }, id ? picture(id, number, dropIfGone) : null, remove);
  });
  showList("images", items);
  onImages(attachedIds());
}

/** @type {(id: string, number: number, onLost?: (id: string) => unknown) => HTMLElement} */
function picture(id, number, onLost = () => {}) {
  const image = element("img", { src: `/api/v1/images/${id}`, alt: t("images.one", { number }) });
  image.addEventListener("error", () => {
    image.replaceWith(element("span", { class: "a-image-gone" }, t("images.gone")));
    onLost(id);
  });
  return image;
}

function showList(id, items) {
  at(id).hidden = !items.length;
  at(id).replaceChildren(...items);
}

// Shows the images of a conversation.
export function showImages(turns) {
  const asked = turns.flatMap(({ images }) => images ?? []);
  if (at("asked").dataset.ids === asked.join()) return;
  at("asked").dataset.ids = asked.join();
  showList("asked", asked.map((id, index) => element("li", { class: "a-image" }, picture(id, index + 1))));
}

// The chooser opens, and has images that are pasted or dropped, also before this script is there (see first_paint.js).
// Shows the images of a draft, and tells `keep` which are attached whenever that changes.
/** @type {(imageIds: string[], keep: (imageIds: string[]) => unknown) => void} */
export function beginImages(imageIds, keep) {
  onImages = keep;
  if (imageIds.length) reuseImages(imageIds.slice(0, MAX_IMAGES));
  /** @type {HTMLInputElement} */
  const chooser = document.querySelector("#image-file");
  const take = () => {
    const files = [...chooser.files];
    chooser.value = "";
    addImages(files);
  };
  on("detach", (button) => {
    attachments.splice(Number(button.dataset.place), 1);
    if (!isBlocked()) clearNotice("warn"); // the warning may be about this image
    paintImages();
    (all("#images button").at(-1) ?? first("#attach .a-attach")).focus();
  });
  chooser.addEventListener("change", take);
  take();
}
