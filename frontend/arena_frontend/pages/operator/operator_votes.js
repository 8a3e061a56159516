// Votes from a file: a look at what it holds and at the board that it makes, and only then the import.

import { element } from "./dom.js";
import { base64 } from "./operator_drafts.js";
import { act, calling, chapter, line, number, renew, say, table } from "./owner_components.js";
import { problemText, t } from "./texts.js";

const PATH = "/operator/votes";
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
  say(wrong, file.files[0] ? "" : t("own.missing"));
  if (!file.files[0]) return;
  const said = { name: file.files[0].name, content: await base64(file.files[0]), texts: texts.checked };
  let left = false;
  const stop = () => {
    left = true;
    look.disabled = false;
    renew(shown);
  };
  look.disabled = true;
  renew(shown, element("p", { role: "status" }, t("op.votes.reading"), " ", element("progress", { "aria-label": t("op.votes.reading") }), " ", act(t("op.votes.cancel"), stop, { name: "votes-cancel" })));
  const answer = await operator.call("POST", `${PATH}/preview`, said);
  if (left) return;
  look.disabled = false;
  renew(shown, ...(answer.ok ? seen(operator, answer.data, said, shown) : []));
  if (!answer.ok) say(wrong, problemText(answer.problem));
}

// What the file holds, as pictures and rows; nothing of it is written yet.
function seen(operator, view, said, shown) {
  const { votes, models, alone, bad, rows, bad_rows: refused, picture, difference } = view;
  const counts = t("op.votes.counts", { votes: number(votes), models: number(models), bad: number(bad), alone: number(alone) });
  const told = line("votes-added-wrong");
  const add = calling(t("op.votes.add", { count: number(votes) }), () => write(operator, said, shown), told, { name: "votes-add", kind: "primary" });
  const cells = rows.map((row) => [number(row.line), row.a, row.b, row.outcome, [row.language, row.category].filter(Boolean).join(" · ")]);
  return [
    element("p", { id: "votes-counts" }, element("strong", {}, counts)),
    element("figure", { class: "a-figure" }, element("img", { src: picture, alt: difference || counts, id: "votes-picture" }), element("figcaption", {}, difference)),
    table(t("op.votes.rows"), HEADS.map((head) => t(`op.votes.${head}`)), cells),
    refused.length ? element("ul", { id: "votes-bad" }, refused.map((row) => element("li", {}, row))) : null,
    told,
    element("p", { class: "a-acts" }, add, act(t("op.votes.cancel"), () => renew(shown), { name: "votes-discard" })),
  ];
}

async function write(operator, said, shown) {
  const answer = await operator.call("POST", PATH, said);
  if (answer.ok) renew(shown, element("p", { role: "status", id: "votes-added" }, t("op.votes.added", { votes: number(answer.data.votes), known: number(answer.data.known), names: number(answer.data.names.length) })));
  return answer;
}
