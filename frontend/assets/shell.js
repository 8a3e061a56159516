// What every page needs: appearance, buttons by name, and a guard over the links that answers bring.

import { t } from "./texts.js";

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const ORDER = [null, "light", "dark"];
const wish = () => localStorage.getItem("arena_theme");

function appearance() {
  const dark = wish() ? wish() === "dark" : system.matches;
  root.dataset.theme = dark ? "dark" : "light";
  if (document.body && document.body.classList.contains("dark") !== dark) document.body.classList.toggle("dark", dark);
  const button = document.querySelector("[data-act=theme]");
  if (!button) return;
  button.dataset.wish = wish() ?? "system";
  for (const name of ["aria-label", "title"]) button.setAttribute(name, t(`theme.${wish() ?? "system"}`));
}

const handlers = {
  theme() {
    const next = ORDER[(ORDER.indexOf(wish()) + 1) % ORDER.length];
    if (next) localStorage.setItem("arena_theme", next);
    else localStorage.removeItem("arena_theme");
    appearance();
  },
};

// Buttons in fixed markup carry data-act; pages add their own acts.
export const on = (name, handler) => Object.assign(handlers, { [name]: handler });

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-act]");
  if (button) handlers[button.dataset.act]?.(button, event);
});

// The menu of languages closes when something else is pressed; its links keep the rest of the address.
const menu = () => document.querySelector(".a-langs");

document.addEventListener("click", ({ target }) => {
  if (menu()?.contains(target)) keepAddress();
  else if (menu()?.open) menu().open = false;
});

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu()?.open) return;
  menu().open = false;
  menu().querySelector("summary").focus();
});

function keepAddress() {
  for (const link of document.querySelectorAll(".a-langs a")) {
    const address = new URL(location.href);
    address.searchParams.set("lang", new URL(link.href).searchParams.get("lang"));
    link.href = address.pathname + address.search + address.hash;
  }
}

// Links in answers: http and https only, in a new tab, without referrer and without a vote for them.
function guard(link) {
  const target = link.getAttribute("href") ?? "";
  if (!/^https?:\/\//i.test(target)) return link.removeAttribute("href");
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow ugc";
}

const isAnswer = (node) => node.closest?.("#chat_a, #chat_b");
const guardAll = (node) => node.querySelectorAll?.("#chat_a a[href], #chat_b a[href]").forEach(guard);

new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes) {
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (isAnswer(node)) (node.matches("a[href]") ? [node] : node.querySelectorAll("a[href]")).forEach(guard);
      else guardAll(node);
    }
}).observe(root, { childList: true, subtree: true });

for (const kind of ["click", "auxclick"])
  document.addEventListener(
    kind,
    (event) => {
      const link = event.target.closest?.("a[href]");
      if (link && isAnswer(link)) guard(link);
    },
    true,
  );

system.addEventListener("change", appearance);
window.addEventListener("storage", (event) => event.key === "arena_theme" && appearance());

function mounted() {
  document.getElementById("arena-boot")?.remove();
  appearance();
  document.querySelector(".a-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  new MutationObserver(appearance).observe(document.body, { attributeFilter: ["class"] });
  const address = new URL(location.href);
  if (address.searchParams.has("lang")) {
    address.searchParams.delete("lang");
    history.replaceState(history.state, "", address);
  }
  keepAddress();
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

export async function present(id) {
  while (!document.getElementById(id)) await new Promise(requestAnimationFrame);
  return document.getElementById(id);
}

present("foot").then(mounted);
