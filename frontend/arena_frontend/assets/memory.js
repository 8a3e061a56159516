// State that a tab keeps over a reload: its battle or chat, the draft in its text box, and what could not be sent yet. A
// new tab resumes the most recent conversation of this browser; one that has left its own stores an empty entry, so that
// it does not resume another.

import { browser, tab } from "./storage.js";

const TERMS = "arena_terms";
const RECEIPTS = "arena_receipts";
const DRAFTS = { battle: "arena_draft", side_by_side: "arena_side_by_side_draft", direct: "arena_direct_draft" };
const itemOf = (kind) => `arena_${kind}`;
const unsentOf = (kind) => `arena_unsent_${kind}`;
const put = (key, value) => (value ? tab.setItem(key, value) : tab.removeItem(key));

export function conversationMemory(kind) {
  const item = itemOf(kind);
  return {
    id: () => tab.getItem(item) ?? browser.getItem(item),
    storeId(id) {
      tab.setItem(item, id);
      browser.setItem(item, id);
    },
    forgetId(id) {
      tab.setItem(item, "");
      if (browser.getItem(item) === id) browser.removeItem(item);
    },
    draft: () => tab.getItem(DRAFTS[kind]) ?? "",
    storeDraft: (text) => put(DRAFTS[kind], text),
    unsent: () => JSON.parse(tab.getItem(unsentOf(kind)) ?? "null"),
    storeUnsent: (request) => put(unsentOf(kind), request && JSON.stringify(request)),
  };
}

export const select = (kind, id) => tab.setItem(itemOf(kind), id);

export const terms = () => Number(browser.getItem(TERMS));

export const storeTerms = (version) => browser.setItem(TERMS, version);

// After "forget me": deletes everything stored in this browser.
export function forget() {
  const items = Object.keys(DRAFTS).map(itemOf);
  for (const key of [...items, TERMS, RECEIPTS]) browser.removeItem(key);
  for (const key of [...items, ...Object.keys(DRAFTS).map(unsentOf), ...Object.values(DRAFTS)]) tab.removeItem(key);
}
