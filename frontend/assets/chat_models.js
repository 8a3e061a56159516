// Whom a chat is with: one list of models per side, filled from the API, with a random choice to begin with.

import { insist } from "./api.js";
import { at, element } from "./dom.js";
import { SIDES } from "./sides.js";
import { on } from "./shell.js";
import { ownerName, problemText, t } from "./texts.js";
import * as notices from "./notices.js";

const lists = () => SIDES.map((side) => at(`model_${side}`));
let names = [];
let wanted = null;

// The chosen names, or null as long as they are not as many different ones as there are sides.
export function chosen() {
  const values = lists().map((list) => list?.value);
  return values.every(Boolean) && new Set(values).size === values.length ? values : null;
}

// Those of the chat that is shown; one that nobody may choose any more is still told.
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

function random() {
  const left = [...names];
  return SIDES.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

// Links may name the models: /side-by-side?model=one&model=two.
function asked() {
  const given = new URL(location.href).searchParams.getAll("model").filter((name) => names.includes(name));
  const rest = random().concat(names).filter((name) => !given.includes(name));
  return given.length ? [...new Set(given), ...rest].slice(0, SIDES.length) : null;
}

// The two sides are never the same: who takes the other's model gives the own one for it.
function changed({ target }) {
  const twin = lists().find((list) => list !== target && list.value === target.value);
  if (twin) twin.value = twin.dataset.held = target.dataset.held;
  target.dataset.held = target.value;
}

const label = ({ name, owner }) => `${name} – ${ownerName(owner)}`;

export async function begin(tell) {
  const { ok, data, problem } = await insist("GET", "/models");
  if (!ok) return notices.warn(problemText(problem));
  const active = data.filter(({ state }) => state === "active").sort((a, b) => a.name.localeCompare(b.name));
  names = active.map(({ name }) => name);
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
