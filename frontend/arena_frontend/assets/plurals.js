// The blanks of a text: {votes} is a value, {votes|vote|votes} the word that goes with its number in the language.

const CLASSES = ["zero", "one", "two", "few", "many", "other"];
const rules = {};

// Words stand in the order of the language's classes: one and other in English, other alone in Chinese.
function form(words, number, language) {
  const rule = (rules[language] ??= new Intl.PluralRules(language));
  const classes = CLASSES.filter((name) => rule.resolvedOptions().pluralCategories.includes(/** @type {any} */ (name)));
  return words[classes.indexOf(rule.select(number))] ?? words.at(-1);
}

// A number as it is shown has separators of thousands.
const plain = (value) => Number(String(value).replace(/[\s,.\u00a0\u202f]/gu, ""));

export const filled = (text, values, language) =>
  text.replace(/\{(\w+)(?:\|([^{}]*))?\}/g, (whole, name, words) => {
    if (!(name in values)) return whole;
    return words === undefined ? String(values[name]) : form(words.split("|"), plain(values[name]), language);
  });
