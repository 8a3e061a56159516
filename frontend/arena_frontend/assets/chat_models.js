// The lists of models of a chat's page of Gradio's components, filled from the API.

import { insist, lost } from "./api.js";
import * as composer from "./composer.js";
import { SIDES, at, element } from "./shell.js";
import { language, ownerName, problemText } from "./texts.js";

function option({ name, owner, languages }) {
  const speaks = !languages.length || languages.includes(language.split("-")[0]);
  return element("option", { value: name, "data-speaks": speaks }, `${name} – ${ownerName(owner)}`);
}

// Resolves to whether the API has given them.
/** @type {() => Promise<boolean>} */
export async function fillLists() {
  const answer = await insist("GET", "/models");
  const { ok, data, problem } = answer;
  if (lost(answer)) return composer.away(problemText(problem)).then(fillLists);
  if (!ok) {
    composer.warn(problemText(problem));
    return false;
  }
  const active = data.filter(({ state }) => state === "active").sort((a, b) => a.name.localeCompare(b.name));
  for (const side of SIDES) at(`model_${side}`).replaceChildren(...active.map(option));
  return true;
}
