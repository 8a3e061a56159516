// Texts of the page, embedded by the gate: t("vote.a"), t("notice.retry", {seconds: 5}).

import { filled } from "./plurals.js";

const table = JSON.parse(document.getElementById("arena-texts").textContent);

export const raw = (key) => table[key];
export const language = table["lang.code"];

export const t = (key, values = {}) => filled(table[key] ?? key, values, language);

// For a wait of hours the problem's own text is used.
export const short = (seconds) => seconds > 0 && seconds <= 3600;

// Parameters of a server's sentence in the reader's language: numbers in its format, shares as per cent, lists with
// commas, and the arena's terms such as names of fields and states.
const WORDS = { field: "own.field", fields: "own.field", error: "own.kind", problem: "own.problem", state: "own.state", after: "own.state" };
const SHARES = ["share", "most"];

function filling(name, value) {
  if (Array.isArray(value)) return new Intl.ListFormat(language, { style: "narrow" }).format(value.map((each) => filling(name, each)));
  if (typeof value !== "number") return raw(`${WORDS[name]}.${value}`) ?? value;
  return new Intl.NumberFormat(language, { style: SHARES.includes(name) ? "percent" : "decimal", maximumFractionDigits: 3 }).format(value);
}

export const said = (key, params) => t(key, Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, filling(name, value)])));

// The text of a code with its parameters, preferably that of its rule; null for an unknown code.
export function ruled(key, params) {
  const found = [`${key}.${params?.rule}`, key].find((name) => name in table);
  return found ? said(found, params) : null;
}

// A problem of the API in the reader's language; for an unknown code the server's text.
export function problemText({ code, title, detail, params, problems, retry_after: seconds }) {
  const one = (each) => {
    const text = code === "invalid" && !each ? detail : ruled(`error.${code}`, each);
    return text && each?.field ? `${filling("field", each.field)}: ${text}` : text;
  };
  const text = (problems ?? [params]).map(one).filter(Boolean).join(" ") || title || t("error.internal");
  return short(seconds) ? `${text} ${t("notice.retry", { seconds })}` : text;
}

// Owners that are no people, whose names are translated: of the built-in models, and of those known from imported votes.
const OWNERS = { "Arena demo": "owner.demo", imported: "owner.imported" };

export const ownerName = (owner) => (Object.hasOwn(OWNERS, owner) ? t(OWNERS[owner]) : owner);
