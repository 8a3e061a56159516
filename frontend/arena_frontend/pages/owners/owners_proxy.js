// The models of a proxy (models.html): their filter, the choice, and the acts that the markup names.

import { all, around, at, first, on } from "./shell.js";
import { problemText, t } from "./texts.js";

const LIMIT = 100;

const boxes = () => /** @type {HTMLInputElement[]} */ (all("#proxy-models [data-model]"));
const checkedBoxes = () => boxes().filter(({ checked }) => checked);

function showCount() {
  const button = first("[data-name=register-many]");
  if (button) button.textContent = t("own.proxy.register", { count: checkedBoxes().length });
}

// Acts for data-by of part_acts.js.
/** @param {(view: HTMLElement, body: object) => Promise<import("./api.js").Answer>} load */
export function proxyActs(load) {
  /** @type {{ key?: string }} the key that the list was fetched with, since the field may have changed */
  let secret = {};
  const proxy = () => ({ url: first("[data-proxy]").dataset.proxy, ...secret });
  /** @type {(view: string, body: object) => Promise<import("./api.js").Answer>} */
  function showList(view, body) {
    at("proxy-list").dataset.view = view;
    return load(at("proxy-list"), body);
  }
  return {
    async discover(_form, { url, key }) {
      const newSecret = key ? { key } : {};
      const answer = await showList("models", { url, ...newSecret });
      if (answer.ok) secret = newSecret;
      return answer;
    },
    register({ dataset }) {
      const models = checkedBoxes().map((box) => ({ ...JSON.parse(box.dataset.model), name: /** @type {HTMLInputElement} */ (first("[type=text]", box.closest("tr"))).value.trim() }));
      if (!models.length || models.length > LIMIT) return { ok: false, problem: { code: "", title: dataset.most } };
      return showList("batch", { ...proxy(), models });
    },
    async compare({ nextElementSibling: status }, pair) {
      status.textContent = t("own.proxy.comparing");
      const answer = await load(status, { ...proxy(), ...pair });
      if (!answer.ok) status.textContent = problemText(answer.problem);
      return { ok: true };
    },
  };
}

/** @type {(row: HTMLElement) => boolean} */
const matchesFilter = ({ firstElementChild: cell }) => cell.textContent.toLowerCase().includes(/** @type {HTMLInputElement} */ (at("proxy-filter")).value.trim().toLowerCase());

document.addEventListener("input", (event) => {
  if (around(event, "#proxy-filter")) for (const row of all("#proxy-models tbody tr")) row.hidden = !matchesFilter(row);
  if (around(event, "#proxy-models")) showCount();
});

on("choose-all", () => {
  for (const box of boxes()) if (matchesFilter(box.closest("tr"))) box.checked = true;
  showCount();
});
