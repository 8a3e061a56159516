// Votes from a file: first a preview of the file and of the board that it makes, then the import.

import { setText } from "./fields.js";
import { fromTemplate } from "./part_acts.js";
import { at, element, on } from "./shell.js";
import { listed, plain as number, problemText, t } from "./texts.js";

const MEGA = 2 ** 20;
const LIMIT = 256 * MEGA;
/** @type {(id: string) => HTMLInputElement} */
const input = (id) => /** @type {any} */ (at(id));

/** @param {import("./session.js").Session} session */
export function votes(session) {
  let cancel = new AbortController();
  /** @type {{ file: File, query: URLSearchParams }} */
  let upload;

  // Sends the file and shows the progress; resolves to null if it was cancelled.
  async function send(path, task) {
    cancel = new AbortController();
    const { signal } = cancel;
    at("votes-shown").replaceChildren(fromTemplate("votes-way"));
    const [status, bar, figures] = ["[role=status]", "progress", "#votes-done"].map((part) => /** @type {any} */ (at("votes-shown").querySelector(part)));
    const watch = (part, done, of) => {
      const isRows = part === "done" && of !== upload.file.size; // the import counts rows, all else bytes
      const unit = isRows ? 1 : MEGA;
      status.textContent = t(`op.votes.${part === "sent" ? "sending" : isRows ? "writing" : task}`);
      Object.assign(bar, { max: of || 1, value: done });
      figures.textContent = of < unit ? "" : t(isRows ? "op.votes.done" : "op.votes.megabytes", { done: number(done / unit), all: number(of / unit) });
    };
    const answer = await session.sendFile(`${path}?${upload.query}`, upload.file, { signal, watch });
    return signal.aborted ? null : answer;
  }

  function preview({ votes: count, models, alone, bad, rows, bad_rows: refused, picture, difference, here }) {
    const counts = t("op.votes.counts", { votes: number(count), models: number(models), bad: number(bad), alone: number(alone) });
    const result = fromTemplate("votes-seen", { counts, picture, difference, here: here.length ? t("op.votes.here", { names: listed(here) }) : "", add: t("op.votes.add", { count: number(count) }) });
    result.querySelector("img").alt = difference || counts;
    const cells = ({ line, a, b, outcome, language, category }) => ({ line: number(line), left: a, right: b, outcome, language: [language, category].filter(Boolean).join(" · ") });
    result.querySelector("tbody").append(...rows.map((row) => fromTemplate("votes-row", cells(row))));
    const list = /** @type {HTMLElement} */ (result.querySelector("#votes-bad"));
    list.append(...refused.map((row) => element("li", {}, row)));
    list.hidden = !refused.length;
    return result;
  }

  on("votes-look", async (button) => {
    const [file] = input("votes-file").files;
    const error = !file ? t("own.missing") : file.size > LIMIT ? t("error.file_too_large", { limit: LIMIT / MEGA }) : "";
    setText(at("votes-wrong"), error);
    if (error) return;
    upload = { file, query: new URLSearchParams({ name: file.name, texts: String(input("votes-texts").checked) }) };
    button.disabled = true;
    const answer = await send("/operator/votes/preview", "reading");
    button.disabled = false;
    at("votes-shown").replaceChildren(...(answer?.ok ? [preview(answer.data)] : []));
    if (answer && !answer.ok) setText(at("votes-wrong"), problemText(answer.problem));
  });

  on("votes-add", async () => {
    const answer = await send("/operator/votes", "writing");
    const { votes: count, known, names } = answer?.data ?? {};
    const result = !answer
      ? element("p", { role: "status" }, t("op.votes.cancelled"))
      : answer.ok
        ? element("p", { role: "status", id: "votes-added" }, t("op.votes.added", { votes: number(count), known: number(known), names: number(names.length) }))
        : element("p", { class: "a-wrong", role: "alert" }, problemText(answer.problem));
    at("votes-shown").replaceChildren(result);
  });

  on("votes-cancel", () => cancel.abort());
  on("votes-discard", () => at("votes-shown").replaceChildren());
}
