// State that a tab keeps over a reload: its battle or chat, the draft in its text box, and what could not be sent yet. A
// new tab resumes the most recent conversation of this browser; one that has left its own stores an empty entry, so that
// it does not resume another.

const TERMS = "arena_terms";
const RECEIPTS = "arena_receipts";
const DRAFTS = { battle: "arena_draft", side_by_side: "arena_side_by_side_draft", direct: "arena_direct_draft" };
const itemOf = (kind) => `arena_${kind}`;
const unsentOf = (kind) => `arena_unsent_${kind}`;
const put = (key, value) => (value ? sessionStorage.setItem(key, value) : sessionStorage.removeItem(key));

export function conversationMemory(kind) {
  const item = itemOf(kind);
  return {
    id: () => sessionStorage.getItem(item) ?? localStorage.getItem(item),
    storeId(id) {
      sessionStorage.setItem(item, id);
      localStorage.setItem(item, id);
    },
    forgetId(id) {
      sessionStorage.setItem(item, "");
      if (localStorage.getItem(item) === id) localStorage.removeItem(item);
    },
    draft: () => sessionStorage.getItem(DRAFTS[kind]) ?? "",
    storeDraft: (text) => put(DRAFTS[kind], text),
    unsent: () => JSON.parse(sessionStorage.getItem(unsentOf(kind)) ?? "null"),
    storeUnsent: (request) => put(unsentOf(kind), request && JSON.stringify(request)),
  };
}

export const select = (kind, id) => sessionStorage.setItem(itemOf(kind), id);

export const terms = () => Number(localStorage.getItem(TERMS));

export const storeTerms = (version) => localStorage.setItem(TERMS, version);

// After "forget me": deletes everything stored in this browser.
export function forget() {
  const items = Object.keys(DRAFTS).map(itemOf);
  for (const key of [...items, TERMS, RECEIPTS]) localStorage.removeItem(key);
  for (const key of [...items, ...Object.keys(DRAFTS).map(unsentOf), ...Object.values(DRAFTS)]) sessionStorage.removeItem(key);
}
