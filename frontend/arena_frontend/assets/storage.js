// What the browser keeps for this site; where it keeps nothing, as with site data blocked, for this visit alone.

/** @typedef {{ getItem: (name: string) => string | null, setItem: (name: string, value: string) => void, removeItem: (name: string) => void }} Store */

/** @type {() => Store} */
function memory() {
  const values = new Map();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, String(value)),
    removeItem: (name) => values.delete(name),
  };
}

// Merely to name it throws where it is blocked, and writing throws where it is full.
/** @type {(open: () => Storage) => Store} */
function store(open) {
  const visit = memory();
  const act = (kept, own) => {
    try {
      return kept(open());
    } catch {
      return own();
    }
  };
  return {
    getItem: (name) => visit.getItem(name) ?? act((place) => place.getItem(name), () => null),
    setItem: (name, value) => act((place) => place.setItem(name, value), () => visit.setItem(name, value)),
    removeItem(name) {
      visit.removeItem(name);
      act((place) => place.removeItem(name), () => {});
    },
  };
}

export const tab = store(() => sessionStorage);
export const browser = store(() => localStorage);
