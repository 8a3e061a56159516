// The editor of the operator's pages: a text in Markdown by page and language, and what a reader will see of it.

import { element } from "./dom.js";
import { calling, line } from "./owner_components.js";
import { t } from "./texts.js";

const PAGES = ["imprint", "privacy", "terms"];
const LANGUAGES = ["en", "zh", "zh-TW"];
const TAGS = ["h2", "h3", "h4", "p", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em", "del", "hr", "br", "table", "thead", "tbody", "tr", "th", "td"];

/**
 * @param {() => any} told the site as the API has told it last
 * @param {(change: object) => Promise<any>} save
 * @param {(text: string) => Promise<any>} parse
 */
export function editor(told, save, parse) {
  const page = choice("operator-page", PAGES, (name) => t(`nav.${name}`));
  const language = choice("operator-page-language", LANGUAGES, (code) => t(`op.pages.${code}`));
  const box = element("textarea", { id: "operator-page-text", rows: 14, maxlength: 20_000, spellcheck: "false" });
  const state = element("p", { class: "a-hint", id: "operator-page-state", role: "status" });
  const seen = element("div", { id: "operator-page-preview", class: "a-preview", role: "region", "aria-label": t("op.pages.preview"), hidden: true });
  const wrong = line("operator-page-wrong");
  const texts = () => told().site.pages[page.value] ?? {};
  const open = () => {
    const published = texts()[language.value];
    const newest = told().history.find((version) => version.page === page.value);
    box.value = published ?? told().drafts[page.value]?.[language.value] ?? "";
    state.textContent = published ? t("op.pages.published", { version: newest.version, date: newest.published_at.slice(0, 10) }) : t("op.pages.draft");
    seen.hidden = true;
  };
  const preview = async () => {
    const answer = await parse(box.value);
    if (answer.ok) seen.replaceChildren(...answer.data.map(drawn));
    seen.hidden = !answer.ok;
    return answer;
  };
  const publish = async (text) => {
    const { [language.value]: _, ...others } = texts();
    const answer = await save({ pages: { [page.value]: text.trim() ? { ...others, [language.value]: text } : others } });
    if (answer.ok) open();
    return answer;
  };
  page.addEventListener("change", open);
  language.addEventListener("change", open);
  const acts = [
    calling(t("op.pages.preview"), preview, wrong, { name: "page-preview" }),
    calling(t("op.pages.publish"), () => publish(box.value), wrong, { name: "page-publish", kind: "primary" }),
    calling(t("op.pages.withdraw"), () => publish(""), wrong, { name: "page-withdraw", kind: "danger" }),
  ];
  open();
  return element("div", { class: "a-pages" }, element("p", { class: "a-acts" }, page, language), state, element("label", { for: "operator-page-text" }, t("op.pages.text")), box, wrong, element("p", { class: "a-acts" }, acts), seen);
}

const choice = (id, names, text) => element("select", { id, "aria-label": t(`op.pages.${id === "operator-page" ? "page" : "language"}`) }, names.map((name) => element("option", { value: name }, text(name))));

// Elements of a page as the server lists them; any other would be text alone.
function drawn({ tag, text, href, children }) {
  if (!tag) return document.createTextNode(text);
  const inner = children.map(drawn);
  if (tag === "a") return element("a", { href, rel: "noopener noreferrer nofollow", target: "_blank" }, inner);
  return TAGS.includes(tag) ? element(tag, {}, inner) : element("span", {}, inner);
}
