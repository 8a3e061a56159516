// In place of what could not be loaded: why, and a button that tries again; where the line was lost, its return does.

import { lost } from "./api.js";
import { element } from "./dom.js";
import { back } from "./line.js";
import { problemText, t } from "./texts.js";

export const retry = () => element("button", { class: "a-button", type: "button", "data-act": "reload" }, t("board.retry"));

/**
 * @param {import("./api.js").Answer} answer
 * @param {() => unknown} load
 * @param {...any} more before the reason
 */
export function failure(answer, load, ...more) {
  if (lost(answer)) back().then(load);
  return element("div", { class: "a-empty" }, ...more, element("p", { role: "alert" }, problemText(answer.problem)), retry());
}
