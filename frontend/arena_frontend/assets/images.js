// Images to ask about: pasted, dropped, chosen or photographed, uploaded one after the other, and shown small above the
// text box; those of a conversation are shown above its answers. The page knows them by their ids alone.

import { upload } from "./api.js";
import { all, around, at, element, first } from "./dom.js";
import * as notices from "./notices.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

/** @typedef {{ file?: Blob, id?: string }} Attachment without an id until it is uploaded */

const LIMIT = 4;
const LARGE = 1_000_000;
const SIDE = 2048;

/** @type {Attachment[]} */
let attachments = [];
let uploads = Promise.resolve();
let isAllowed = true;
let onSent = null;
let refusals = 0;

export const ids = () => attachments.flatMap(({ id }) => id ?? []);
export const pending = () => attachments.some(({ id }) => !id);

// Calls `go` once all are uploaded, with whether none was refused meanwhile; only the first caller is called. Images that
// come meanwhile are waited for, too, and those that are removed are not.
export async function whenSent(go) {
  if (onSent) return;
  onSent = go;
  const before = refusals;
  while (pending()) await uploads;
  onSent = null;
  go(refusals === before);
}

export function clear() {
  attachments = [];
  paint();
}

// Attaches images of an earlier prompt again.
export function reuse(imageIds) {
  attachments = imageIds.map((id) => ({ id }));
  paint();
}

// Images can be attached only where two models see them.
export function allow(yes) {
  isAllowed = yes;
  first("#attach .a-attach").hidden = !yes;
}

/** @param {Iterable<Blob>} files */
export function add(files) {
  for (const file of files) {
    if (!isAllowed) return notices.warn(t("error.no_vision"));
    if (attachments.length >= LIMIT) return notices.warn(t("error.too_many_images", { limit: LIMIT }));
    const attachment = { file };
    attachments.push(attachment);
    // One after the other: the first answer to a new visitor brings the cookie that the others belong to.
    uploads = uploads.then(() => send(attachment));
  }
  paint();
}

/** @param {Attachment} attachment */
async function send(attachment) {
  const answer = await upload(await scaledDown(attachment.file));
  if (!attachments.includes(attachment)) return;
  if (answer.ok) {
    attachment.id = answer.data.id;
    at("say").textContent = t("images.added", { number: attachments.indexOf(attachment) + 1 });
  } else {
    attachments = attachments.filter((other) => other !== attachment);
    refusals++;
    notices.warn(problemText(answer.problem));
  }
  paint();
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

function paint() {
  const items = attachments.map(({ id }, index) => {
    const number = index + 1;
    const name = t("images.remove", { number });
    const remove = element("button", { type: "button", class: "a-image-remove", "data-act": "detach", "data-place": index, "aria-label": name, title: name }, "×");
    return element("li", { class: "a-image", "aria-busy": !id }, id ? picture(id, number) : null, remove);
  });
  showList("images", items);
}

function picture(id, number) {
  const image = element("img", { src: `/api/v1/images/${id}`, alt: t("images.one", { number }) });
  image.addEventListener("error", () => image.replaceWith(element("span", { class: "a-image-gone" }, t("images.gone"))));
  return image;
}

function showList(id, items) {
  at(id).hidden = !items.length;
  at(id).replaceChildren(...items);
}

// Shows the images of a conversation.
export function show(turns) {
  const asked = turns.flatMap(({ images }) => images ?? []);
  if (at("asked").dataset.ids === asked.join()) return;
  at("asked").dataset.ids = asked.join();
  showList("asked", asked.map((id, index) => element("li", { class: "a-image" }, picture(id, index + 1))));
}

const filesOf = (data) => [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

export function begin() {
  /** @type {HTMLInputElement} */
  const chooser = document.querySelector("#image-file");
  on("attach", () => chooser.click());
  on("detach", (button) => {
    attachments.splice(Number(button.dataset.place), 1);
    if (!notices.blocked()) notices.clear("warn"); // the warning may be about this image
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
