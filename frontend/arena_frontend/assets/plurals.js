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
