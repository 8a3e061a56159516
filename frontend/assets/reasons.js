// Why an endpoint took a step: the sentences that the arena writes, in the reader's language. What somebody typed stays.

import { kind } from "./parts.js";
import { raw, t } from "./texts.js";

const SENTENCES = {
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

const NO_MORE = /^by (its owner|the operator)$/;
const fieldOf = (name) => raw(`own.field.${name}`) ?? name;

// Empty where the reason says no more than who it was.
export function reasonOf(text) {
  if (NO_MORE.test(text)) return "";
  const [name, shape] = Object.entries(SENTENCES).find(([, sentence]) => sentence.test(text)) ?? [];
  if (!name) return text;
  const { fields, error, ...found } = shape.exec(text).groups ?? {};
  if (fields) found.what = fields.split(", ").map(fieldOf).join(", ");
  if (error) found.what = kind(error);
  return t(`own.reason.${name}`, found);
}
