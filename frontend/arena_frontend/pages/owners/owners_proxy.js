// The list of a proxy's models: its filter, the choice, and what is sent of it; see models.html and batch.html.

import { all, around, at, first } from "./dom.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

const MOST = 100;

const boxes = () => /** @type {HTMLInputElement[]} */ (all("#proxy-models [data-model]"));
const chosen = () => boxes().filter(({ checked }) => checked);

function count() {
  const press = first("[data-name=register-many]");
  if (press) press.textContent = t("own.proxy.register", { count: chosen().length });
}

// Acts by a view of their own, for `by` of part_acts.js.
/** @param {(view: HTMLElement, body: object) => Promise<import("./api.js").Answer>} load */
export function acts(load) {
  /** @type {{ key?: string }} with which the list was asked for; another one may be typed since */
  let secret = {};
  const address = () => ({ url: first("[data-proxy]").dataset.proxy, ...secret });
  /** @type {(view: string, body: object) => Promise<import("./api.js").Answer>} */
  function list(view, body) {
    at("proxy-list").dataset.view = view;
    return load(at("proxy-list"), body);
  }
  return {
    async discover(_form, { url, key }) {
      const own = key ? { key } : {};
      const answer = await list("models", { url, ...own });
      if (answer.ok) secret = own;
      return answer;
    },
    join({ dataset }) {
      const models = chosen().map((box) => ({ ...JSON.parse(box.dataset.model), name: /** @type {HTMLInputElement} */ (first("[type=text]", box.closest("tr"))).value.trim() }));
      if (!models.length || models.length > MOST) return { ok: false, problem: { code: "", title: dataset.most } };
      return list("batch", { ...address(), models });
    },
    async compare({ nextElementSibling: status }, pair) {
      status.textContent = t("own.proxy.comparing");
      const answer = await load(status, { ...address(), ...pair });
      if (!answer.ok) status.textContent = problemText(answer.problem);
      return { ok: true };
    },
  };
}

/** @type {(row: HTMLElement) => boolean} */
const fits = ({ firstElementChild: cell }) => cell.textContent.toLowerCase().includes(/** @type {HTMLInputElement} */ (at("proxy-filter")).value.trim().toLowerCase());

document.addEventListener("input", (event) => {
  if (around(event, "#proxy-filter")) for (const row of all("#proxy-models tbody tr")) row.hidden = !fits(row);
  if (around(event, "#proxy-models")) count();
});

on("choose-all", () => {
  for (const box of boxes()) if (fits(box.closest("tr"))) box.checked = true;
  count();
});
