// The page's words, put into it by the gate: t("vote.a"), t("notice.retry", {seconds: 5}).

const table = JSON.parse(document.getElementById("arena-texts").textContent);

export const raw = (key) => table[key];
export const language = table["lang.code"];

// With `values.count` of one, a text may have its singular under the same key with ".one" behind it.
export function t(key, values = {}) {
  const words = (values.count === 1 && table[`${key}.one`]) || (table[key] ?? key);
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// A problem of the API in the reader's language; a code this page does not know falls back to the server's title.
export function problemText(problem) {
  const key = `error.${problem.code}`;
  const text = key in table ? t(key, { detail: problem.detail ?? "" }) : problem.title || t("error.internal");
  return problem.retry_after ? `${text} ${t("notice.retry", { seconds: problem.retry_after })}` : text;
}

// The owner of the built-in models is the arena itself, so its name is a word and not a name.
export const ownerName = (owner) => (owner === "Arena demo" ? t("owner.demo") : owner);
