// Who is signed in on this tab. The key stays in this tab's sessionStorage until the tab closes or its holder signs
// out; it is sent in a header and never stands in an address.

import { call } from "./api.js";

const BASE = "/api/v1";

export function session(place) {
  const key = () => sessionStorage.getItem(place) ?? "";
  return {
    key,
    keep: (value) => sessionStorage.setItem(place, value),
    drop: () => sessionStorage.removeItem(place),
    call: (method, path, body) => call(method, path, { body, bearer: key() }),
    save: (path, name) => save(path, name, key()),
  };
}

// A link cannot carry the header, so the file is fetched first. Answers like `call`.
async function save(path, name, bearer) {
  try {
    const answer = await fetch(BASE + path, { headers: { Authorization: `Bearer ${bearer}` }, cache: "no-store" });
    if (!answer.ok) return { ok: false, status: answer.status, problem: { code: "internal", ...(await answer.json()) } };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return { ok: true, status: answer.status, data: null };
  } catch {
    return { ok: false, status: 0, problem: { code: "network" } };
  }
}
