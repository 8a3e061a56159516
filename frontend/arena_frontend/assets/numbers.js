// Numbers in the format of the reader's language.

import { language } from "./texts.js";

const format = (digits, style) => new Intl.NumberFormat(language, { style, maximumFractionDigits: digits, minimumFractionDigits: digits });
const formats = { whole: format(0), tenth: format(1), cents: format(2), share: format(0, "percent"), percent: format(1, "percent") };

export const whole = (value) => formats.whole.format(value);
export const tenth = (value) => formats.tenth.format(value);
export const cents = (value) => formats.cents.format(value);
export const share = (value) => formats.share.format(value);
export const percent = (value) => formats.percent.format(value);
export const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
export const date = (value) => new Date(value).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
export const day = (value) => new Date(value).toLocaleDateString(language, { dateStyle: "medium" });
