// Sentences that the arena writes in English, in the reader's language: why an endpoint took a step, and what is wrong
// with a field. What somebody typed, and what is not known here, stays as it is.

import { kind } from "./parts.js";
import { language, raw, t } from "./texts.js";

const REASONS = {
  registered: /^registered$/,
  probe: /^to be probed$/,
  command: /^by command$/,
  added: /^added by the operator$/,
  passed: /^passed its probe$/,
  failed: /^failed its probe: \w+$/,
  auto: /^approved automatically$/,
  listed: /^listed by its owner$/,
  unlisted: /^taken off the board$/,
  votes: /^listed: it has (?<what>\d+) counted votes$/,
  changed: /^changed (?<fields>[\w, ]+)$/,
  next: /^next version of (?<what>.+)$/,
  replaced: /^replaced by (?<what>.+)$/,
  swapped: /^another model seems to answer: twice p < [\d.]+ against the answers of its approval$/,
  failing: /^(?<share>[\d.]+%) of the last (?<calls>\d+) calls failed, more than (?<limit>\d+%); most often with (?<error>\w+)$/,
};

const DETAILS = {
  https: /^a public endpoint is asked over https on port 443/,
  bare: /^a public endpoint has a name, not a bare address/,
  inside: /^this name is known inside a network only/,
  host: /^the host is not a name that can be looked up/,
  address: /^an http or https address without user name, query or fragment$/,
  empty: /^cannot be empty$/,
  most: /^(?<limit>[\d,]+) (characters )?at most$/,
  version: /^the arena adds the version by itself; please leave it out$/,
  key: /^1 to (?<limit>[\d,]+) printable ASCII characters$/,
  line: /^1 to (?<limit>[\d,]+) printable characters, no space at either end$/,
  text: /^1 to (?<limit>[\d,]+) characters$/,
  number: /^a number from (?<low>[\d,.]+) to (?<high>[\d,.]+)$/,
};

const STATES = {
  next: /^A retired endpoint has no next version/,
  operator: /^The operator has suspended it/,
  probe: /^It is (?<state>\w+); a probe is for/,
  retired: /^A retired endpoint does not come back/,
  suspended: /^A suspended endpoint comes back/,
  key: /^A retired endpoint .+ takes no key\.$/,
  builtin: /^A built-in model takes no key\.$/,
  approval: /^'.*' is (?<state>\w+); only what has passed its probe/,
  imported: /^'.*' is known from imported votes only\.$/,
  waits: /^'.*' has passed its probe and waits/,
  step: /is (?<state>\w+), and cannot become (?<after>\w+)\.$/,
};

const NO_MORE = /^by (its owner|the operator)$/;
const fieldOf = (name) => raw(`own.field.${name}`) ?? name;

// Empty where the reason says no more than who it was.
export function reasonOf(text) {
  if (NO_MORE.test(text)) return "";
  const [name, { fields, error, ...found } = {}] = known(REASONS, text);
  if (fields) found.what = fields.split(", ").map(fieldOf).join(", ");
  if (error) found.what = kind(error);
  return name ? t(`own.reason.${name}`, found) : text;
}

export function detailOf(text) {
  const [name, found] = known(DETAILS, text);
  return name ? t(`own.detail.${name}`, found) : text;
}

// Why an endpoint's state forbids a step; one that is not known here is left out where nobody would read it.
export function stateOf(text) {
  const [name, found] = known(STATES, text);
  for (const word of ["state", "after"]) if (found[word]) found[word] = raw(`own.state.${found[word]}`) ?? found[word];
  return name ? t(`own.forbids.${name}`, found) : language === "en" ? text : "";
}

// Which of the sentences this is, and what stands in its blanks.
function known(sentences, text) {
  const [name, shape] = Object.entries(sentences).find(([, sentence]) => sentence.test(text)) ?? [];
  return [name, { ...shape?.exec(text).groups }];
}
