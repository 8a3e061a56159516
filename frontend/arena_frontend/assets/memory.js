// State that a tab keeps over a reload: its battle or chat, the draft in its text box, and what could not be sent yet. A new tab resumes the most
// recent one of this browser; a tab that has left its own stores an empty entry, so that it does not resume another.

const TERMS = "arena_terms";
const RECEIPTS = "arena_receipts";
const KINDS = { battle: "arena_draft", side_by_side: "arena_side_by_side_draft", direct: "arena_direct_draft" };
const place = (kind) => `arena_${kind}`;
const unsent = (kind) => `arena_unsent_${kind}`;
const put = (key, value) => (value ? sessionStorage.setItem(key, value) : sessionStorage.removeItem(key));

export function keeper(kind) {
  const held = place(kind);
  return {
    held: () => sessionStorage.getItem(held) ?? localStorage.getItem(held),
    keep(id) {
      sessionStorage.setItem(held, id);
      localStorage.setItem(held, id);
    },
    drop(id) {
      sessionStorage.setItem(held, "");
      if (localStorage.getItem(held) === id) localStorage.removeItem(held);
    },
    draft: () => sessionStorage.getItem(KINDS[kind]) ?? "",
    keepDraft: (text) => put(KINDS[kind], text),
    unsent: () => JSON.parse(sessionStorage.getItem(unsent(kind)) ?? "null"),
    keepUnsent: (request) => put(unsent(kind), request && JSON.stringify(request)),
  };
}

export const select = (kind, id) => sessionStorage.setItem(place(kind), id);

export const terms = () => Number(localStorage.getItem(TERMS));

export const keepTerms = (version) => localStorage.setItem(TERMS, version);

// After "forget me": deletes everything stored in this browser.
export function forget() {
  const held = Object.keys(KINDS).map(place);
  for (const key of [...held, TERMS, RECEIPTS]) localStorage.removeItem(key);
  for (const key of [...held, ...Object.keys(KINDS).map(unsent), ...Object.values(KINDS)]) sessionStorage.removeItem(key);
}
