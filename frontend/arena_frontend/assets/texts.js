// The texts of the page, which its HTML contains: t("vote.a"), t("notice.retry", {seconds: 5}); numbers and times.

// Placeholders of a text: {votes} is a value, {votes|vote|votes} the word that agrees with its number in the language.

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];
const rules = {};

// Words stand in the order of the language's plural categories: one and other in English, other alone in Chinese.
function form(words, number, language) {
  const rule = (rules[language] ??= new Intl.PluralRules(language));
  const categories = CATEGORIES.filter((name) => rule.resolvedOptions().pluralCategories.includes(/** @type {any} */ (name)));
  return words[categories.indexOf(rule.select(number))] ?? words.at(-1);
}

// A formatted number has thousands separators.
const parse = (value) => Number(String(value).replace(/[\s,.\u00a0\u202f]/gu, ""));

export const filled = (text, values, language) =>
  text.replace(/\{(\w+)(?:\|([^{}]*))?\}/g, (whole, name, words) => {
    if (!(name in values)) return whole;
    return words === undefined ? String(values[name]) : form(words.split("|"), parse(values[name]), language);
  });

const table = JSON.parse(document.getElementById("arena-texts").textContent);

export const raw = (key) => table[key];
export const language = table["lang.code"];

export const t = (key, values = {}) => filled(table[key] ?? key, values, language);

// The seconds of a problem's wait if they can be counted down: the text of a longer one has the time itself.
export const waitOf = ({ retry_after: seconds }) => (seconds > 0 && seconds <= 3600 ? seconds : 0);

// Parameters of a problem in the reader's language: numbers in its format, shares as percentages, lists with commas, and
// the arena's terms such as names of fields and states, on pages that name them.
/** @type {Record<string, string>} of a parameter, or of one code's parameter, the beginning of its texts */
let terms = {};
/** @type {(beginnings: Record<string, string>) => unknown} */
export const nameTerms = (beginnings) => (terms = beginnings);
const SHARES = ["share", "most"];

// The words of a term; a text in one language, such as imprint.en, has that language's name besides.
function term(name, value, problem) {
  const [stem, code] = String(value).split(".");
  const begin = terms[`${problem}.${name}`] ?? terms[name];
  const [text, tongue] = [raw(`${begin}.${stem}`), raw(`op.pages.${code}`)];
  return raw(`${begin}.${value}`) ?? (text && tongue ? `${text} (${tongue})` : undefined);
}

function formatted(name, value, problem = "") {
  if (Array.isArray(value)) return new Intl.ListFormat(language, { style: "narrow" }).format(value.map((item) => formatted(name, item, problem)));
  if (typeof value !== "number") return term(name, value, problem) ?? value;
  return new Intl.NumberFormat(language, { style: SHARES.includes(name) ? "percent" : "decimal", maximumFractionDigits: 3 }).format(value);
}

// The parameters of the reason of one row of a file, among those of the file's problem.
const rowParams = (params) => Object.fromEntries(Object.entries(params).filter(([name]) => name.startsWith("row_")).map(([name, value]) => [name.slice(4), value]));

// The text of a problem's code with its parameters, preferably that of its rule; null for an unknown code.
export function ruled(key, params) {
  const name = [`${key}.${params?.rule}`, key].find((name) => name in table);
  const values = Object.fromEntries(Object.entries(params ?? {}).map(([param, value]) => [param, formatted(param, value, key)]));
  if (params?.row_rule) values.reason = ruled("op.row", rowParams(params)) ?? params.reason;
  return name ? t(name, values) : null;
}

// Codes without parameters of which the server's own sentence says more than any text could.
const EXPLAINED = ["invalid", "conflict"];

// A problem of the API in the reader's language; for an unknown code the server's text.
export function problemText({ code, title, detail, params, problems, retry_after }) {
  const seconds = waitOf({ retry_after });
  const sentence = (entry) => {
    const text = EXPLAINED.includes(code) && !entry ? detail : ruled(`error.${code}`, entry);
    return text && entry?.field ? `${formatted("field", entry.field)}: ${text}` : text;
  };
  const text = (problems ?? [params]).map(sentence).filter(Boolean).join(" ") || title || t("error.internal");
  return seconds ? `${text} ${t("notice.retry", { seconds })}` : text;
}

const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

// Writes times in the reader's own zone, which the server does not know.
/** @type {(container: ParentNode) => void} */
export function localizeTimes(container) {
  for (const time of container.querySelectorAll("time")) time.textContent = dates.format(new Date(time.dateTime));
}

// Owners whose names are translated: of the built-in models, and of those known from imported votes.
const OWNERS = { "Arena demo": "owner.demo", imported: "owner.imported", unknown: "owner.unknown" };

export const ownerName = (owner) => (Object.hasOwn(OWNERS, owner) ? t(OWNERS[owner]) : owner);

// Numbers in the format of the reader's language.

const format = (most, least = most) => new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most }).format;

// Says that a vote no longer counts, and why: an erasure has no reason of its own.
export const excludedText = (why) => (why === "erased" ? t("reveal.erased") : t("reveal.excluded", { why }));

export const listed = (names) => new Intl.ListFormat(language).format(names);
export const whole = format(0);
export const tenth = format(1);
export const cents = format(2);
export const plain = format(1, 0);
