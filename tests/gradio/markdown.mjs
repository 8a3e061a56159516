// The HTML that Gradio makes of messages before its sanitiser reads it: `node markdown.mjs < lines of JSON texts`.
//
// Gradio renders by marked 12 and sets formulae aside meanwhile; up to 6.20 it puts them back unescaped. After
// `process_message` in js/markdown-code/MarkdownCode.svelte of the package @gradio/markdown-code (Apache-2.0).

import { createInterface } from "node:readline";
import { Marked } from "marked";

const DELIMITERS = [["$$", "$$"], ["\\[", "\\]"], ["\\(", "\\)"]];
const marked = new Marked({ gfm: true, breaks: true });

function escaped(delimiter) {
  return delimiter.replace(/[$()[\]\\]/g, "\\$&");
}

function html(text) {
  const formulae = [];
  for (const [left, right] of DELIMITERS) {
    text = text.replace(new RegExp(`${escaped(left)}([\\s\\S]+?)${escaped(right)}`, "g"), (formula) => {
      formulae.push(formula);
      return `%%%LATEX_BLOCK_${formulae.length - 1}%%%`;
    });
  }
  return marked.parse(text).replace(/%%%LATEX_BLOCK_(\d+)%%%/g, (_, index) => formulae[Number(index)]);
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(html(JSON.parse(line))));
}
