// Model selection of a chat: a list per side, filled from the API, with a random initial choice.

import { insist, lost } from "./api.js";
import * as composer from "./composer.js";
import { SIDES, at, element, on } from "./shell.js";
import { language, ownerName, problemText, t } from "./texts.js";

const lists = () => SIDES.map((side) => /** @type {HTMLSelectElement} */ (at(`model_${side}`)));
let names = [];
let randomPool = [];
let shown = null; // the models of the shown chat

// The chosen names, or null unless there is a different one for each side.
export function chosen() {
  const values = lists().map((list) => list?.value);
  return values.every(Boolean) && new Set(values).size === values.length ? values : null;
}

// Selects the models of the shown chat, also those that are no longer available.
export function show(models) {
  shown = SIDES.map((side) => models[side]);
  if (names.length) choose(shown);
}

function choose(values) {
  lists().forEach((list, index) => {
    const value = values[index];
    if (![...list.options].some((option) => option.value === value)) list.append(element("option", { value }, value));
    list.value = list.dataset.previous = value;
  });
}

// Different models at random, which know the language of the page if there are enough of those.
function random() {
  const pool = [...randomPool];
  return SIDES.map(() => pool.splice(Math.floor(Math.random() * pool.length), 1)[0]);
}

// Links may name the models: /side-by-side?model=one&model=two.
function fromAddress() {
  const named = new URL(location.href).searchParams.getAll("model").filter((name) => names.includes(name));
  return named.length ? [...new Set([...named, ...random(), ...names])].slice(0, SIDES.length) : null;
}

// The sides never have the same model: choosing the other side's model swaps both.
function keepDifferent({ target }) {
  const other = lists().find((list) => list !== target && list.value === target.value);
  if (other) other.value = other.dataset.previous = target.dataset.previous;
  target.dataset.previous = target.value;
}

export async function begin(onChange) {
  const answer = await insist("GET", "/models");
  const { ok, data, problem } = answer;
  if (lost(answer)) return composer.away(problemText(problem)).then(() => begin(onChange));
  if (!ok) return composer.warn(problemText(problem));
  const active = data.filter(({ state }) => state === "active").sort((a, b) => a.name.localeCompare(b.name));
  names = active.map(({ name }) => name);
  const speakers = active.filter(({ languages }) => !languages.length || languages.includes(language.split("-")[0])).map(({ name }) => name);
  randomPool = speakers.length < SIDES.length ? names : speakers;
  if (names.length < SIDES.length) return composer.warn(t("notice.few"));
  for (const list of lists()) {
    list.replaceChildren(...active.map(({ name, owner }) => element("option", { value: name }, `${name} – ${ownerName(owner)}`)));
    list.disabled = false;
    list.addEventListener("change", (event) => {
      keepDifferent(event);
      onChange();
    });
  }
  on("shuffle", () => {
    choose(random());
    onChange();
  });
  choose(shown ?? fromAddress() ?? random());
}
