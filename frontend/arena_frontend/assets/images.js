// Images to ask about: pasted, dropped, chosen or photographed, sent to the arena one after the other, and shown small
// above the text box; those of a conversation are shown above its answers. The page knows them by their ids alone.

import { upload } from "./api.js";
import { all, around, at, element, first } from "./dom.js";
import * as notices from "./notices.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

/** @typedef {{ file?: Blob, id?: string }} Held */

const MOST = 4;
const LARGE = 1_000_000;
const SIDE = 2048;

/** @type {Held[]} */
let held = [];
let sending = Promise.resolve();
let allowed = true;
let after = null;

export const ids = () => held.flatMap(({ id }) => id ?? []);
export const pending = () => held.some(({ id }) => !id);

// Calls `go` once all are sent, with whether none was refused meanwhile; only the first who waits is called.
export function settled(go) {
  const count = held.length;
  if (!after) sending.then(() => [after(held.length === count), (after = null)]);
  after ??= go;
}

export function clear() {
  held = [];
  paint();
}

// Asks about images again that were asked about before.
export function take(given) {
  held = given.map((id) => ({ id }));
  paint();
}

// Where no two models see, there is nothing to add an image for.
export function allow(yes) {
  allowed = yes;
  first("#attach .a-attach").hidden = !yes;
}

/** @param {Iterable<Blob>} files */
export function add(files) {
  for (const file of files) {
    if (!allowed) return notices.warn(t("error.no_vision"));
    if (held.length >= MOST) return notices.warn(t("error.too_many_images", { limit: MOST }));
    const one = { file };
    held.push(one);
    // One after the other: the first answer to a new visitor brings the cookie that the others belong to.
    sending = sending.then(() => send(one));
  }
  paint();
}

/** @param {Held} one */
async function send(one) {
  const answer = await upload(await lighter(one.file));
  if (!held.includes(one)) return;
  if (answer.ok) {
    one.id = answer.data.id;
    at("say").textContent = t("images.added", { number: held.indexOf(one) + 1 });
  } else {
    held = held.filter((other) => other !== one);
    notices.warn(problemText(answer.problem));
  }
  paint();
}

// A photograph in the size in which the arena keeps it; what the browser cannot read is the arena's to refuse.
async function lighter(file) {
  if (file.size <= LARGE) return file;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
    const canvas = element("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const kind = file.type === "image/png" ? "image/png" : "image/jpeg";
    return await new Promise((done) => canvas.toBlob((made) => done(made ?? file), kind, 0.9));
  } catch {
    return file;
  }
}

function paint() {
  const items = held.map(({ id }, place) => {
    const number = place + 1;
    const name = t("images.remove", { number });
    const remove = element("button", { type: "button", class: "a-image-remove", "data-act": "detach", "data-place": place, "aria-label": name, title: name }, "×");
    return element("li", { class: "a-image", "aria-busy": !id }, id ? picture(id, number) : null, remove);
  });
  list("images", items);
}

function picture(id, number) {
  const image = element("img", { src: `/api/v1/images/${id}`, alt: t("images.one", { number }) });
  image.addEventListener("error", () => image.replaceWith(element("span", { class: "a-image-gone" }, t("images.gone"))));
  return image;
}

function list(id, items) {
  at(id).hidden = !items.length;
  at(id).replaceChildren(...items);
}

// Those that a conversation is about.
export function show(turns) {
  const asked = turns.flatMap(({ images }) => images ?? []);
  if (at("asked").dataset.ids === asked.join()) return;
  at("asked").dataset.ids = asked.join();
  list("asked", asked.map((id, place) => element("li", { class: "a-image" }, picture(id, place + 1))));
}

const filesOf = (data) => [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

export function begin() {
  /** @type {HTMLInputElement} */
  const chooser = document.querySelector("#image-file");
  on("attach", () => chooser.click());
  on("detach", (button) => {
    held.splice(Number(button.dataset.place), 1);
    // What was wrong may have been this one.
    if (!notices.blocked()) notices.clear("warn");
    paint();
    (all("#images button").at(-1) ?? first("#attach .a-attach")).focus();
  });
  chooser.addEventListener("change", () => {
    add([...chooser.files]);
    chooser.value = "";
  });
  document.addEventListener("paste", (event) => {
    const files = filesOf(event.clipboardData);
    if (!files.length || !around(event, "#prompt")) return;
    event.preventDefault();
    add(files);
  });
  // Dropped beside the box, a file would replace the page.
  document.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  });
}
