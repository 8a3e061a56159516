// Numbers in the format of the reader's language.

import { language } from "./texts.js";

const format = (most, least = most) => new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most }).format;

export const whole = format(0);
export const tenth = format(1);
export const cents = format(2);
export const plain = format(1, 0);
