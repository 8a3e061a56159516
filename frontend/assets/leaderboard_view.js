// What the reader has chosen to see. It lives in the address, so that a link shows the same, and survives every repaint.

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
};
export const FEW = 30;
const SIZES = { small: (b) => b < 10, medium: (b) => b >= 10 && b < 40, large: (b) => b >= 40 };
export const sizes = Object.keys(SIZES);

export const view = { ...FIELDS };
export const sorting = () => ({ key: view.sort.replace(/^-/, ""), down: view.sort.startsWith("-") });

export function read() {
  const query = new URL(location.href).searchParams;
  for (const [name, usual] of Object.entries(FIELDS)) view[name] = query.get(name) ?? usual;
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

// The part of the address that the API needs.
export function asked(fields = view) {
  const query = new URLSearchParams();
  for (const name of ["category", "language"]) if (fields[name]) query.set(name, fields[name]);
  return query.size ? `?${query}` : "";
}

export const young = (row) => row.battles < FEW;

// Billions of parameters: told by the owner, or else by the name, as in "7b" or "8x7B".
export function billions(row) {
  if (row.billions !== null && row.billions !== undefined) return row.billions;
  const found = /(?:^|[^\d.])(?:(\d+)x)?(\d+(?:\.\d+)?)b(?![a-z])/i.exec(row.name);
  return found ? Number(found[1] ?? 1) * Number(found[2]) : null;
}

const TESTS = {
  q: (row, wanted) => `${row.name}\n${row.owner}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase()),
  weights: (row, wanted) => row.open_weights === (wanted === "open"),
  owner: (row, wanted) => row.owner === wanted,
  size: (row, wanted) => {
    const known = billions(row);
    return wanted === "unknown" ? known === null : known !== null && Boolean(SIZES[wanted]?.(known));
  },
  demo: (row, wanted) => row.demo === (wanted === "only"),
  young: (row) => !young(row),
};

export function filtered(rows) {
  const active = Object.entries(TESTS).filter(([name]) => view[name]);
  return rows.filter((row) => active.every(([name, test]) => test(row, view[name])));
}

export const narrowed = () => Object.keys(TESTS).some((name) => name !== "q" && view[name]);
