// The reader's selection. It is stored in the URL, so that a link shows the same, and survives every update.

import { billions } from "./leaderboard_facts.js";

const FIELDS = {
  category: "",
  language: "",
  sort: "rank",
  q: "",
  weights: "",
  owner: "",
  size: "",
  demo: "",
  young: "",
  style: "",
  more: "",
  picture: "",
  against: "price",
};
const MORE = "arena_board_more";
export const FEW = 30;
const SIZES = { small: (b) => b < 10, medium: (b) => b >= 10 && b < 40, large: (b) => b >= 40 };
export const sizes = Object.keys(SIZES);

export const view = { ...FIELDS };
export const sorting = () => ({ key: view.sort.replace(/^-/, ""), down: view.sort.startsWith("-") });

export function read() {
  const query = new URL(location.href).searchParams;
  for (const [name, usual] of Object.entries(FIELDS)) view[name] = query.get(name) ?? usual;
  if (!query.has("more")) view.more = localStorage.getItem(MORE) ?? "";
}

// Whoever wants more columns wants them next time too.
export function keep(more) {
  if (more) localStorage.setItem(MORE, "1");
  else localStorage.removeItem(MORE);
}

export function change(fields) {
  Object.assign(view, fields);
  history.replaceState(history.state, "", address());
}

export function address() {
  const url = new URL(location.href);
  for (const [name, usual] of Object.entries(FIELDS))
    if (view[name] === usual) url.searchParams.delete(name);
    else url.searchParams.set(name, view[name]);
  return url;
}

// The part of the URL that the API needs.
export function asked(fields = view) {
  const query = new URLSearchParams();
  for (const name of ["category", "language"]) if (fields[name]) query.set(name, fields[name]);
  return query.size ? `?${query}` : "";
}

export const young = (row) => row.battles < FEW;

// On boards of one category most newcomers have few votes, so they are shown there on request only.
const waits = (rows) => (view.young ? view.young === "hide" : Boolean(view.category) && !rows.every(young));
export const hidden = (rows) => (waits(rows) ? rows.filter(young).length : 0);

const TESTS = {
  q: (row, wanted) => `${row.name}\n${row.owner}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase()),
  weights: (row, wanted) => row.open_weights === (wanted === "open"),
  owner: (row, wanted) => row.owner === wanted,
  size: (row, wanted) => {
    const known = billions(row);
    return wanted === "unknown" ? known === null : known !== null && Boolean(SIZES[wanted]?.(known));
  },
  demo: (row, wanted) => row.demo === (wanted === "only"),
};

export function filtered(rows) {
  const active = Object.entries(TESTS).filter(([name]) => view[name]);
  const away = waits(rows);
  return rows.filter((row) => !(away && young(row)) && active.every(([name, test]) => test(row, view[name])));
}

export const narrowed = () => ["young", ...Object.keys(TESTS)].some((name) => name !== "q" && view[name]);
