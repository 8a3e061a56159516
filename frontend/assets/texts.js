// The page's words, put into it by the gate: t("vote.a"), t("notice.retry", {seconds: 5}).

const table = JSON.parse(document.getElementById("arena-texts").textContent);

export const raw = (key) => table[key];
export const language = table["lang.code"];

export function t(key, values = {}) {
  const words = table[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// A problem of the API in the reader's language; a code this page does not know falls back to the server's title.
export function problemText(problem) {
  const key = `error.${problem.code}`;
  const text = key in table ? t(key) : problem.title || t("error.internal");
  return problem.retry_after ? `${text} ${t("notice.retry", { seconds: problem.retry_after })}` : text;
}
