// An owner's endpoint: its state, the next step, and all actions.

import { at, element } from "./dom.js";
import { form } from "./forms.js";
import { act, calling, confirm, line, newestFirst, panel, renew, say, state } from "./owner_components.js";
import { life, record, today } from "./owners_figures.js";
import * as gate from "./owners_gate.js";
import { changeForm } from "./owners_form.js";
import { waiting, wanted } from "./pending.js";
import { configurations } from "./owner_configurations.js";
import { uses } from "./owner_uses.js";
import { challenge, probing, reports } from "./owners_report.js";
import { languagesText, problemText, t } from "./texts.js";

const SOON = 1000;
const LATER = 10_000;
const PROBE = ["draft", "pending", "suspended"];

// Renders the endpoint and updates it until `gone()`; `open(id)` shows another one, `trouble` shows an error.
export async function endpoint(owner, id, { put, gone, open, offered, trouble }) {
  const path = `/endpoints/${id}`;
  const [first, known] = await Promise.all([owner.call("GET", path), offered()]);
  if (gone()) return;
  if (!first.ok) return trouble(first);
  let view = first.data;
  let timer = null;
  const said = line("endpoint-wrong");
  const paint = (data) => {
    view = data;
    fresh(view, acts);
  };
  // Actions return the short view, so the full one is fetched afterwards.
  const reload = async () => {
    clearTimeout(timer);
    const answer = await owner.call("GET", path);
    if (gone()) return;
    if (answer.ok) paint(answer.data);
    timer = setTimeout(reload, view.state === "probing" ? SOON : LATER);
  };
  const step = async (name) => {
    const answer = await owner.call("POST", `${path}/${name}`);
    await reload();
    return answer;
  };
  // Values equal to the current ones are no longer pending.
  const takeBack = async () => {
    const answer = await owner.call("PATCH", path, Object.fromEntries(Object.keys(view.pending).map((name) => [name, view[name]])));
    await reload();
    return answer;
  };
  const acts = { said, step, takeBack, retire: () => retire(view, step) };
  const changed = (now) => (now.id === view.id ? reload() : open(now.id));
  put(...frame(owner, view, { said, path, reload, changed, offered: known }));
  paint(view);
  gate.load(owner, path, view.name);
  timer = setTimeout(reload, view.state === "probing" ? SOON : LATER);
}

async function retire({ name }, step) {
  const { sure } = await confirm(t("own.retire.title", { name }), t("own.retire.ask"), t("own.retire"));
  return sure ? step("retire") : null;
}

// Elements with typed text are created once; data from the server is updated in elements of its own.
function frame(owner, view, { said, path, reload, changed, offered }) {
  const votes = () => owner.save(`${path}/votes`, `${view.name}-votes.jsonl`);
  const feedback = () => owner.save(`${path}/feedback`, `${view.name}-feedback.csv`);
  return [
    element("p", { class: "a-back" }, element("a", { href: "/owners#" }, t("own.back"))),
    element("h2", { tabindex: "-1" }, view.name, " ", element("span", { id: "endpoint-state", role: "status" })),
    element("div", { id: "endpoint-next" }),
    element("div", { id: "endpoint-acts" }),
    element("div", { id: "endpoint-pending" }),
    said,
    ...gate.frame(),
    element("div", { id: "endpoint-proof" }),
    panel("probe", t("own.probe"), element("div", { id: "endpoint-probe" })),
    element("div", { class: "a-pair" }, panel("record", t("own.record"), element("div", { id: "endpoint-record" }), element("p", { class: "a-acts" }, calling(t("own.votes.save"), votes, said, { name: "votes" }), calling(t("own.feedback.save"), feedback, said, { name: "feedback" })), element("p", { class: "a-hint" }, t("own.votes.help"))), panel("today", t("own.today"), element("div", { id: "endpoint-today" }))),
    keys(owner, path, reload),
    uses(owner, path, view, reload),
    configurations(owner, path),
    panel("change-box", t("own.change"), element("details", { class: "a-more" }, element("summary", {}, t("own.change.open")), changeForm(owner, view, offered, changed))),
    panel("life", t("own.life"), element("div", { id: "endpoint-life" })),
  ];
}

function fresh(view, { said, step, takeBack, retire: end }) {
  const busy = view.state === "probing";
  renew(at("endpoint-state"), state(view.state), view.listed ? null : element("span", { class: "a-tag" }, t("own.unlisted")), view.version > 1 ? element("span", { class: "a-tag" }, t("own.version", { count: view.version })) : null);
  renew(at("endpoint-next"), element("p", { class: "a-next" }, next(view)), element("p", { class: "a-hint" }, `${view.wire_model} · ${view.preset ?? view.url} · ${languagesText(view.languages)}`, page(view)));
  const buttons = [
    PROBE.includes(view.state) && !stopped(view) && calling(t("own.probe.again"), () => step("probe"), said, { kind: "primary", name: "probe" }),
    view.state === "active" && calling(t("own.pause"), () => step("pause"), said, { name: "pause" }),
    view.state === "paused" && calling(t("own.resume"), () => step("resume"), said, { kind: "primary", name: "resume" }),
    view.state !== "retired" && !busy && calling(t("own.retire"), end, said, { kind: "danger", name: "retire" }),
  ].filter(Boolean);
  renew(at("endpoint-acts"), element("p", { class: "a-acts" }, buttons));
  renew(at("endpoint-pending"), waiting(view) ? panel("pending", t("own.pending"), element("p", { class: "a-hint" }, t("own.pending.help")), wanted(view), element("p", { class: "a-acts" }, calling(t("own.pending.back"), takeBack, said, { name: "take-back" }))) : "");
  renew(at("endpoint-proof"), view.challenge && !view.proven && !busy && view.state !== "retired" ? challenge(view.challenge) : "");
  renew(at("endpoint-probe"), busy ? probing() : "", reports(view.probes ?? []));
  renew(at("endpoint-record"), record(view));
  renew(at("endpoint-today"), today(view));
  renew(at("endpoint-life"), life(view.changes ?? []));
  renew(at("key-state"), view.has_key ? t("own.key.has", { origin: view.key_origin ?? "" }) : t("own.key.none"));
  at("key-drop").hidden = !view.has_key;
  for (const id of ["key-box", "uses", "configurations", "change-box"]) at(id).hidden = view.state === "retired";
}

// A link to the public page, if the endpoint has one.
function page({ name, listed, state: now }) {
  if (!listed || !["active", "paused", "retired"].includes(now)) return null;
  return [" · ", element("a", { href: `/model?name=${encodeURIComponent(name)}` }, t("own.public"))];
}

// Only the operator resumes an endpoint that the operator suspended.
function stopped({ state: now, changes }) {
  return now === "suspended" && newestFirst(changes).find(({ after }) => after === "suspended")?.actor === "operator";
}

function next(view) {
  if (stopped(view)) return t("own.next.stopped");
  const { report } = newestFirst(view.probes)[0] ?? {};
  if (view.state === "draft" && view.challenge && report?.prompts?.length && report.prompts.every(({ ok }) => ok)) return t("own.next.prove");
  return t(`own.next.${view.state}`);
}

// The stored key is never shown; it can be replaced or deleted.
function keys(owner, path, reload) {
  const said = line("key-wrong");
  const made = form("key-form", [["key", { kind: "password", required: true, autocomplete: "new-password", maxlength: 4000 }]], {
    label: t("own.key.save"),
    submit: async ({ key }) => {
      const answer = await owner.call("PUT", `${path}/key`, { key });
      if (answer.ok) {
        made.reset();
        await reload();
      }
      return answer;
    },
    after: act(t("own.key.drop"), async () => {
      const { sure } = await confirm(t("own.key.drop"), t("own.key.drop.ask"), t("own.key.drop"));
      if (!sure) return;
      const answer = await owner.call("DELETE", `${path}/key`);
      say(said, answer.ok ? "" : problemText(answer.problem));
      await reload();
    }, { id: "key-drop", name: "key-drop" }),
  });
  return panel("key-box", t("own.key"), element("p", { id: "key-state", role: "status" }), element("p", { class: "a-hint" }, t("own.key.help")), made, said);
}
