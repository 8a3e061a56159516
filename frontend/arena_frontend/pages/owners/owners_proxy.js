// A whole proxy at once: its list, the choice, one registration, and for each model one line of what came of it.

import { element } from "./dom.js";
import { form } from "./forms.js";
import { act, line, number, panel, renew, say, state, table } from "./owner_components.js";
import { problemOf } from "./owners_report.js";
import { problemText, t } from "./texts.js";

const MOST = 100;
const PAUSE = 2000;
const FAILED = "draft";

export function proxy(owner, gone) {
  const shown = element("div", { class: "a-proxy", id: "proxy-list", "aria-live": "polite" });
  const asked = form(
    "proxy",
    [
      ["url", { kind: "url", required: true, maxlength: 500, placeholder: "https://proxy.example.com/v1" }],
      ["key", { kind: "password", autocomplete: "new-password", maxlength: 4000 }],
    ],
    {
      label: t("own.proxy.ask"),
      done: "",
      submit: async ({ url, key }) => {
        const answer = await owner.call("POST", "/endpoints/discoveries", key ? { url, key } : { url });
        if (answer.ok && !gone()) renew(shown, ...listed(answer.data, (models) => register(answer.data.url, key, models), (pair) => compare(pair, answer.data.url, key)));
        return answer;
      },
    },
  );
  const register = async (url, key, models) => {
    const answer = await owner.call("POST", "/endpoints/batch", key ? { url, key, models } : { url, models });
    if (answer.ok && !gone()) follow(owner, gone, shown, answer.data);
    return answer;
  };
  const compare = ({ first, second }, url, key) => owner.call("POST", "/endpoints/twins", { url, first, second, ...(key ? { key } : {}) });
  return [panel("proxy-box", t("own.proxy.box"), asked), shown];
}

// What the proxy offers: remarks, models that are gone, and the table with a box for each new one.
function listed(found, register, compare) {
  const rows = found.models.map(offer);
  const open = rows.filter(({ box }) => box);
  const told = line("proxy-list-wrong");
  const press = act("", async () => {
    const chosen = open.filter(({ box }) => box?.checked);
    if (!chosen.length || chosen.length > MOST) return say(told, t("own.proxy.most", { most: number(MOST) }));
    press.disabled = true;
    const answer = await register(chosen.map(({ asked }) => asked()));
    press.disabled = false;
    if (!answer.ok) say(told, problemText(answer.problem));
  }, { kind: "primary", name: "register-many" });
  const count = () => {
    press.textContent = t("own.proxy.register", { count: number(open.filter(({ box }) => box?.checked).length) });
  };
  const search = element("input", { type: "search", class: "a-find", "aria-label": t("own.proxy.filter"), placeholder: t("own.proxy.filter"), autocomplete: "off" });
  const drawn = table(t("own.proxy.list"), ["model", "name", "context", "prompts", "in", "out"].map((word) => t(`own.proxy.${word}`)), rows.map(({ cells }) => cells));
  const lines = [...drawn.querySelectorAll("tbody tr")];
  const fits = (place) => found.models[place].wire_model.toLowerCase().includes(search.value.trim().toLowerCase());
  search.addEventListener("input", () => lines.forEach((row, place) => row.toggleAttribute("hidden", !fits(place))));
  drawn.addEventListener("change", count);
  const all = act(t("own.proxy.all"), () => {
    rows.forEach(({ box }, place) => box && fits(place) && (box.checked = true));
    count();
  });
  count();
  const parts = [...notes(found), ...found.twins.slice(0, 3).map((pair) => twins(pair, found.calls, compare))];
  if (rows.length) parts.push(search, drawn);
  if (open.length) parts.push(told, element("p", { class: "a-acts" }, press, all));
  return [panel("proxy-models", t("own.proxy.list"), ...parts)];
}

function notes({ models, gone, remarks }) {
  const fresh = models.filter((model) => !model.registered).length;
  const said = models.length ? [t("own.proxy.new", { count: number(fresh), all: number(models.length) })] : [];
  said.push(...remarks.map(problemOf), ...gone.map((name) => t("own.proxy.gone", { name })));
  return said.map((text) => element("p", { class: "a-hint" }, text));
}

// Two names that may be one model, and the comparison of their answers, whose cost stands on its button.
function twins(pair, calls, compare) {
  const told = element("span", { role: "status", class: "a-saved" });
  const press = act(t("own.proxy.compare", { count: number(calls) }), async () => {
    press.disabled = true;
    told.textContent = t("own.proxy.comparing");
    const { ok, data, problem } = await compare(pair);
    press.disabled = false;
    if (!ok) told.textContent = problemText(problem);
    else if (data.problem) told.textContent = problemOf({ code: data.problem });
    else told.textContent = t(data.differ ? "own.proxy.differ" : "own.proxy.alike", { p: number(data.p_value, 4) });
  }, { name: "compare-twins" });
  return element("p", { class: "a-hint" }, t("own.proxy.twins", pair), " ", press, " ", told);
}

// One model: its cells, its box if it may be chosen, and what is sent for it.
function offer(model, place) {
  const money = (price) => (price === null ? "" : number(price, 4));
  const free = !model.registered && model.name !== null;
  const id = `proxy-${place}`;
  const box = free ? /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id })) : null;
  const name = free ? /** @type {HTMLInputElement} */ (element("input", { type: "text", value: model.name, maxlength: 72, "aria-label": t("own.proxy.name.of", { model: model.wire_model }), autocomplete: "off" })) : null;
  const label = box ? element("label", { for: id, class: "a-pick" }, box, model.wire_model) : model.wire_model;
  const here = name ?? (model.registered ? model.name : t("own.proxy.unnamed"));
  const prompts = model.modalities.map((word) => t(`own.proxy.kind.${word}`)).join(" · ");
  const context = model.context_tokens === null ? "" : number(model.context_tokens);
  const { wire_model, context_tokens, price_in, price_out } = model;
  const asked = () => ({ name: name?.value.trim(), wire_model, context_tokens, price_in, price_out, vision: model.modalities.includes("image") });
  return { box, asked, cells: [label, here, context, prompts, money(price_in), money(price_out)] };
}

// The probes of all that were registered, until the last has ended; the first problem of one that failed is its line.
async function follow(owner, gone, place, results) {
  const lines = results.map((result) => ({ ...result, state: null, told: result.problem ? problemText(result.problem) : "" }));
  const status = element("p", { role: "status", class: "a-hint" });
  const body = element("div");
  renew(place, panel("proxy-results", t("own.proxy.results"), status, body));
  const waits = () => lines.filter((one) => one.endpoint !== null && (one.state === null || one.state === "probing"));
  while (!gone()) {
    const answer = await owner.call("GET", "/endpoints");
    if (gone()) return;
    if (answer.ok) await settle(owner, lines, new Map(answer.data.map((view) => [view.id, view.state])));
    status.textContent = t("own.proxy.progress", { done: number(lines.length - waits().length), all: number(lines.length) });
    renew(body, table(t("own.proxy.results"), ["name", "result", "told"].map((word) => t(`own.proxy.${word}`)), lines.map(cellsOf)));
    if (!waits().length) return;
    await new Promise((next) => setTimeout(next, PAUSE));
  }
}

async function settle(owner, lines, states) {
  for (const one of lines) {
    const now = states.get(one.endpoint);
    if (now === FAILED && one.state !== FAILED) {
      const answer = await owner.call("GET", `/endpoints/${one.endpoint}`);
      const [problem] = answer.data?.probes?.[0]?.report.problems ?? [];
      one.told = problem ? problemOf(problem) : "";
    }
    one.state = now ?? one.state;
  }
}

function cellsOf({ endpoint, name, state: now, told }) {
  if (endpoint === null) return [name, t("own.proxy.refused"), told];
  return [element("a", { href: `/owners#endpoint-${endpoint}` }, name), now ? state(now) : "", told];
}
