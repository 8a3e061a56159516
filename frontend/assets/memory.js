// What a tab keeps over a reload: its own battle and the draft in its box. A new tab takes up the battle that was
// begun last in this browser; a tab that has left its battle keeps an empty note, so that it takes up no other one.

const BATTLE = "arena_battle";
const DRAFT = "arena_draft";
const TERMS = "arena_terms";

export const battle = () => sessionStorage.getItem(BATTLE) ?? localStorage.getItem(BATTLE);

export function keepBattle(id) {
  sessionStorage.setItem(BATTLE, id);
  localStorage.setItem(BATTLE, id);
}

export const takeUp = (id) => sessionStorage.setItem(BATTLE, id);

export function dropBattle(id) {
  sessionStorage.setItem(BATTLE, "");
  if (localStorage.getItem(BATTLE) === id) localStorage.removeItem(BATTLE);
}

export const terms = () => Number(localStorage.getItem(TERMS));

export const keepTerms = (version) => localStorage.setItem(TERMS, version);

// After "forget me": nothing of this browser's person stays here.
export function forget() {
  for (const key of [BATTLE, TERMS]) localStorage.removeItem(key);
  for (const key of [BATTLE, DRAFT]) sessionStorage.removeItem(key);
}

export const draft = () => sessionStorage.getItem(DRAFT) ?? "";

export function keepDraft(text) {
  if (text) sessionStorage.setItem(DRAFT, text);
  else sessionStorage.removeItem(DRAFT);
}
