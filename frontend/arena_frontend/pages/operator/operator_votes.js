// Votes from a file: a look at what it holds and at the board that it makes, and only then the import.

import { at, element } from "./dom.js";
import { say } from "./fields.js";
import { plain as number } from "./numbers.js";
import { filled } from "./part_acts.js";
import { on } from "./shell.js";
import { problemText, t } from "./texts.js";

const MEGA = 2 ** 20;
const LIMIT = 256 * MEGA;
/** @type {(id: string) => HTMLInputElement} */
const input = (id) => /** @type {any} */ (at(id));

/** @param {import("./session.js").Session} session */
export function votes(session) {
  let ending = new AbortController();
  /** @type {{ file: File, query: URLSearchParams }} */
  let sending;

  // Sends the file, and shows how much of it is sent and done; resolves to null if that was cancelled.
  async function sent(path, doing) {
    ending = new AbortController();
    const { signal } = ending;
    at("votes-shown").replaceChildren(filled("votes-way"));
    const [words, bar, figures] = ["[role=status]", "progress", "#votes-done"].map((part) => /** @type {any} */ (at("votes-shown").querySelector(part)));
    const watch = (part, done, of) => {
      const rows = part === "done" && of !== sending.file.size; // of an import that writes
      const unit = rows ? 1 : MEGA;
      words.textContent = t(`op.votes.${part === "sent" ? "sending" : rows ? "writing" : doing}`);
      Object.assign(bar, { max: of || 1, value: done });
      figures.textContent = t(rows ? "op.votes.done" : "op.votes.megabytes", { done: number(done / unit), all: number(of / unit) });
    };
    const answer = await session.work(`${path}?${sending.query}`, sending.file, { signal, watch });
    return signal.aborted ? null : answer;
  }

  // What the file holds, as pictures and rows; nothing of it is written yet.
  function seen({ votes: count, models, alone, bad, rows, bad_rows: refused, picture, difference }) {
    const counts = t("op.votes.counts", { votes: number(count), models: number(models), bad: number(bad), alone: number(alone) });
    const shown = filled("votes-seen", { counts, picture, difference, add: t("op.votes.add", { count: number(count) }) });
    shown.querySelector("img").alt = difference || counts;
    const cells = ({ line, a, b, outcome, language, category }) => ({ line: number(line), left: a, right: b, outcome, language: [language, category].filter(Boolean).join(" · ") });
    shown.querySelector("tbody").append(...rows.map((row) => filled("votes-row", cells(row))));
    const list = /** @type {HTMLElement} */ (shown.querySelector("#votes-bad"));
    list.append(...refused.map((row) => element("li", {}, row)));
    list.hidden = !refused.length;
    return shown;
  }

  on("votes-look", async (button) => {
    const [file] = input("votes-file").files;
    const wrong = !file ? t("own.missing") : file.size > LIMIT ? t("error.file_too_large", { limit: LIMIT / MEGA }) : "";
    say(at("votes-wrong"), wrong);
    if (wrong) return;
    sending = { file, query: new URLSearchParams({ name: file.name, texts: String(input("votes-texts").checked) }) };
    button.disabled = true;
    const answer = await sent("/operator/votes/preview", "reading");
    button.disabled = false;
    at("votes-shown").replaceChildren(...(answer?.ok ? [seen(answer.data)] : []));
    if (answer && !answer.ok) say(at("votes-wrong"), problemText(answer.problem));
  });

  on("votes-add", async () => {
    const answer = await sent("/operator/votes", "writing");
    const { votes: count, known, names } = answer?.data ?? {};
    const result = !answer
      ? element("p", { role: "status" }, t("op.votes.cancelled"))
      : answer.ok
        ? element("p", { role: "status", id: "votes-added" }, t("op.votes.added", { votes: number(count), known: number(known), names: number(names.length) }))
        : element("p", { class: "a-wrong", role: "alert" }, problemText(answer.problem));
    at("votes-shown").replaceChildren(result);
  });

  on("votes-cancel", () => ending.abort());
  on("votes-discard", () => at("votes-shown").replaceChildren());
}
