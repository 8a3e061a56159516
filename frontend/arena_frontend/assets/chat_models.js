// Model selection of a chat: a list per side, filled from the API, with a random initial choice.

import { insist, lost } from "./api.js";
import { at, element } from "./dom.js";
import { SIDES } from "./sides.js";
import { on } from "./shell.js";
import { language, ownerName, problemText, t } from "./texts.js";
import * as notices from "./notices.js";

const lists = () => SIDES.map((side) => /** @type {HTMLSelectElement} */ (at(`model_${side}`)));
let names = [];
let drawn = [];
let wanted = null;

// The chosen names, or null unless there is a different one for each side.
export function chosen() {
  const values = lists().map((list) => list?.value);
  return values.every(Boolean) && new Set(values).size === values.length ? values : null;
}

// Selects the models of the shown chat, also those that are no longer available.
export function show(models) {
  wanted = SIDES.map((side) => models[side]);
  if (names.length) choose(wanted);
}

function choose(values) {
  lists().forEach((list, place) => {
    const value = values[place];
    if (![...list.options].some((option) => option.value === value)) list.append(element("option", { value }, value));
    list.value = list.dataset.held = value;
  });
}

// Drawn for a reader whose prompts nobody knows yet: models that know the language of the page, if there are enough.
function random() {
  const left = [...drawn];
  return SIDES.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

// Links may name the models: /side-by-side?model=one&model=two.
function asked() {
  const given = new URL(location.href).searchParams.getAll("model").filter((name) => names.includes(name));
  const rest = random().concat(names).filter((name) => !given.includes(name));
  return given.length ? [...new Set(given), ...rest].slice(0, SIDES.length) : null;
}

// The sides never have the same model: choosing the other side's model swaps both.
function changed({ target }) {
  const twin = lists().find((list) => list !== target && list.value === target.value);
  if (twin) twin.value = twin.dataset.held = target.dataset.held;
  target.dataset.held = target.value;
}

const label = ({ name, owner }) => `${name} – ${ownerName(owner)}`;

export async function begin(tell) {
  const answer = await insist("GET", "/models");
  const { ok, data, problem } = answer;
  if (lost(answer)) return notices.away(problemText(problem)).then(() => begin(tell));
  if (!ok) return notices.warn(problemText(problem));
  const active = data.filter(({ state }) => state === "active").sort((a, b) => a.name.localeCompare(b.name));
  names = active.map(({ name }) => name);
  const knowing = active.filter(({ languages }) => !languages.length || languages.includes(language.split("-")[0])).map(({ name }) => name);
  drawn = knowing.length < SIDES.length ? names : knowing;
  if (names.length < SIDES.length) return notices.warn(t("notice.few"));
  for (const list of lists()) {
    list.replaceChildren(...active.map((model) => element("option", { value: model.name }, label(model))));
    list.disabled = false;
    list.addEventListener("change", (event) => {
      changed(event);
      tell();
    });
  }
  on("shuffle", () => {
    choose(random());
    tell();
  });
  choose(wanted ?? asked() ?? random());
}
