// Votes from a file: a look at what it holds and at the board that it makes, and only then the import.

import { element } from "./dom.js";
import { act, chapter, line, number, renew, say, table } from "./owner_components.js";
import { problemText, t } from "./texts.js";

const PATH = "/operator/votes";
const MEGA = 2 ** 20;
const LIMIT = 256 * MEGA;
const HEADS = ["line", "left", "right", "outcome", "language"];

export function frame(operator) {
  const file = /** @type {HTMLInputElement} */ (element("input", { id: "votes-file", type: "file", accept: ".json,.jsonl,.csv,.tsv,.gz" }));
  const texts = /** @type {HTMLInputElement} */ (element("input", { id: "votes-texts", type: "checkbox" }));
  const wrong = line("votes-wrong");
  const shown = element("div", { id: "votes-shown", "aria-live": "polite" });
  const look = act(t("op.votes.look"), () => preview(operator, { file, texts, wrong, shown, look }), { name: "votes-look", kind: "primary" });
  const asked = [
    element("div", { class: "a-field" }, element("label", { for: "votes-file" }, t("op.votes.file")), file),
    element("div", { class: "a-field" }, element("div", { class: "a-check" }, texts, element("label", { for: "votes-texts" }, t("op.votes.texts")))),
    element("p", { class: "a-acts" }, look),
  ];
  return [chapter("import-votes", t("op.votes.title"), element("p", { class: "a-hint" }, t("op.votes.help")), ...asked, wrong, shown)];
}

async function preview(operator, { file, texts, wrong, shown, look }) {
  const [chosen] = file.files;
  say(wrong, chosen ? "" : t("own.missing"));
  if (!chosen) return;
  if (chosen.size > LIMIT) return say(wrong, t("error.file_too_large", { limit: LIMIT / MEGA }));
  const said = { file: chosen, query: new URLSearchParams({ name: chosen.name, texts: String(texts.checked) }) };
  look.disabled = true;
  const answer = await sent(operator, `${PATH}/preview`, said, shown, "reading");
  look.disabled = false;
  renew(shown, ...(answer?.ok ? seen(operator, answer.data, said, shown) : []));
  if (answer && !answer.ok) say(wrong, problemText(answer.problem));
}

// Sends the file, and shows how much of it is sent and done; resolves to null if that was cancelled.
async function sent(operator, path, { file, query }, shown, doing) {
  const ending = new AbortController();
  const words = element("span", { role: "status" }, t("op.votes.sending"));
  const bar = /** @type {HTMLProgressElement} */ (element("progress", { "aria-label": t("op.votes.file") }));
  const figures = element("span", { "aria-live": "off", id: "votes-done" });
  const cancel = act(t("op.votes.cancel"), () => ending.abort(), { name: "votes-cancel" });
  shown.replaceChildren(element("p", {}, words, " ", bar, " ", figures, " ", cancel));
  const watch = (part, done, of) => {
    const rows = part === "done" && of !== file.size; // of an import that writes
    const unit = rows ? 1 : MEGA;
    words.textContent = t(`op.votes.${part === "sent" ? "sending" : rows ? "writing" : doing}`);
    Object.assign(bar, { max: of || 1, value: done });
    figures.textContent = t(rows ? "op.votes.done" : "op.votes.megabytes", { done: number(done / unit, 1), all: number(of / unit, 1) });
  };
  const answer = await operator.work(`${path}?${query}`, file, { signal: ending.signal, watch });
  return ending.signal.aborted ? null : answer;
}

// What the file holds, as pictures and rows; nothing of it is written yet.
function seen(operator, view, said, shown) {
  const { votes, models, alone, bad, rows, bad_rows: refused, picture, difference } = view;
  const counts = t("op.votes.counts", { votes: number(votes), models: number(models), bad: number(bad), alone: number(alone) });
  const add = act(t("op.votes.add", { count: number(votes) }), () => write(operator, said, shown), { name: "votes-add", kind: "primary" });
  const cells = rows.map((row) => [number(row.line), row.a, row.b, row.outcome, [row.language, row.category].filter(Boolean).join(" · ")]);
  return [
    element("p", { id: "votes-counts" }, element("strong", {}, counts)),
    element("figure", { class: "a-figure" }, element("img", { src: picture, alt: difference || counts, id: "votes-picture" }), element("figcaption", {}, difference)),
    table(t("op.votes.rows"), HEADS.map((head) => t(`op.votes.${head}`)), cells),
    refused.length ? element("ul", { id: "votes-bad" }, refused.map((row) => element("li", {}, row))) : null,
    element("p", { class: "a-acts" }, add, act(t("op.votes.cancel"), () => renew(shown), { name: "votes-discard" })),
  ];
}

async function write(operator, said, shown) {
  const answer = await sent(operator, PATH, said, shown, "writing");
  if (!answer) return renew(shown, element("p", { role: "status" }, t("op.votes.cancelled")));
  if (!answer.ok) return renew(shown, element("p", { class: "a-wrong", role: "alert" }, problemText(answer.problem)));
  const { votes, known, names } = answer.data;
  renew(shown, element("p", { role: "status", id: "votes-added" }, t("op.votes.added", { votes: number(votes), known: number(known), names: number(names.length) })));
}
