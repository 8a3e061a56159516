// Builds elements from text and attributes, and finds them; markup is never parsed here.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes] `true` for an attribute without a value; null, undefined and false for none
 * @param {...any} children nodes and texts, in lists or not; null and undefined for none
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") result.style.cssText = String(value); // the attribute would need a policy that allows inline styles
    else if (value !== undefined && value !== null && value !== false) result.setAttribute(name, value === true ? "" : String(value));
  }
  result.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return result;
}

export const at = (id) => document.getElementById(id);

/** @type {(selector: string, place?: ParentNode) => HTMLElement | null} */
export const first = (selector, place = document) => place.querySelector(selector);

/** @type {(selector: string, place?: ParentNode) => HTMLElement[]} */
export const all = (selector, place = document) => Array.from(place.querySelectorAll(selector));

// An added node and what it contains, as far as a selector matches.
/** @type {(node: Node, selector: string) => Element[]} */
export const matching = (node, selector) => (node instanceof Element ? [node, ...node.querySelectorAll(selector)].filter((element) => element.matches(selector)) : []);

// The nearest element around an event's target, which can also be the document.
/** @type {(event: Event, selector: string) => HTMLElement | null} */
export const around = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

// A link of an owner, in a new tab; null unless it is http or https.
export function outward(link, ...children) {
  if (!/^https?:\/\//i.test(link ?? "")) return null;
  return element("a", { href: link, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

// Shows a dialog over the page, with the focus on `first`; resolves to the value that it was closed with.
/** @type {(dialog: HTMLDialogElement, first: HTMLElement) => Promise<string>} */
export function modal(dialog, first) {
  at("main").append(dialog);
  dialog.showModal();
  first.focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    }),
  );
}

// Without HTTPS there is no clipboard API, but a selected text can still be copied.
/** @type {(text: string) => Promise<boolean>} */
export async function copy(text) {
  if (await navigator.clipboard?.writeText(text).then(() => true, () => false)) return true;
  const box = Object.assign(element("textarea"), { value: text });
  document.body.append(box);
  box.select();
  const result = document.execCommand("copy");
  box.remove();
  return result;
}

/** @type {(blob: Blob, name: string) => void} */
export function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
