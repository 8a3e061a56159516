// Checks receipts of votes in this browser: the vote opens its leaf, the leaf leads to the root, the log's key has signed
// that root, and the log extends what this browser saw of it before. Nothing here trusts the server.

import { browser, storedObject } from "./shell.js";

const SEEN_KEY = "arena_log_seen";
const RECEIPTS_KEY = "arena_receipts";
const WIDTH = 256;
const HASH = 32;
const text = new TextEncoder();

/** @typedef {{ index: number, size: number, root: string, origin: string }} Place */
/** @typedef {{ state: "proven" | "waiting" | "unchecked" | "unreached" | "erased" | "wrong", why?: string, place?: Place }} Verdict */
// A file of the log, or the receipt, could not be read: nothing is known of what it proves.
class Unreached extends Error {}

// What this browser keeps; where its storage is broken or full that is nothing, and says nothing of the arena.
const stored = (name) => storedObject(browser, name);
const store = (name, values) => browser.setItem(name, JSON.stringify(values));

const ROOT = /^[A-Za-z0-9+/]{43}=$/;
const KEY = /^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/;

// The state of the log that this browser saw last.
function lastSeen(name) {
  const state = stored(SEEN_KEY)[name];
  return Number.isSafeInteger(state?.size) && state.size > 0 && ROOT.test(state.root) && KEY.test(state.key) ? state : null;
}

// Reads a response of the arena whole. Markup is none: it is of something on the way, such as a sign-in to a network.
/** @type {<T>(address: string, take: (response: Response) => Promise<T>, refused?: (response: Response) => Promise<T>) => Promise<T>} */
async function read(address, take, refused) {
  const response = await fetch(address, { cache: "no-store" }).catch(() => null);
  if (!response || response.headers.get("content-type")?.startsWith("text/html")) throw new Unreached();
  const use = response.ok ? take : refused;
  if (!use) throw new Unreached();
  return use(response).catch(() => {
    throw new Unreached();
  });
}

const bytes = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
const base64 = (data) => btoa(String.fromCharCode(...data));
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const half = (number) => Math.floor(number / 2);

// Not by a Blob, which asks another process for each hash.
const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts)));

const node = (left, right) => sha(Uint8Array.of(1), left, right);

// The root to which a path leads from a leaf; null if it is too short or too long.
async function rootOf(leaf, index, size, path) {
  let [hash, place, last] = [leaf, index, size - 1];
  for (const sibling of path) {
    if (last <= 0) return null;
    if (place % 2 || place === last) {
      hash = await node(sibling, hash);
      while (place % 2 === 0 && place) [place, last] = [half(place), half(last)];
    } else hash = await node(hash, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && index < size ? hash : null;
}

// The text of a note that this key has signed.
async function verify(note, vkey) {
  const [body, lines] = [note.slice(0, note.lastIndexOf("\n\n") + 1), note.slice(note.lastIndexOf("\n\n") + 2)];
  const [name, id] = vkey.split("+", 2);
  const key = bytes(vkey.slice(name.length + id.length + 2));
  const line = lines.split("\n").find((line) => line.startsWith(`— ${name} `));
  const signature = bytes(line?.slice(name.length + 3) ?? "");
  if (hex(signature.slice(0, 4)) !== id) throw new Error("key");
  const imported = await crypto.subtle.importKey("raw", key.slice(1), "Ed25519", false, ["verify"]);
  if (!(await crypto.subtle.verify("Ed25519", imported, signature.slice(4), text.encode(body)))) throw new Error("signature");
  return body;
}

function path(level, number, width) {
  const groups = String(number).padStart(Math.ceil(String(number).length / 3) * 3, "0").match(/.../g) ?? [];
  const last = groups.pop();
  return ["/log/tile", level, ...groups.map((group) => `x${group}`), last].join("/") + (width < WIDTH ? `.p/${width}` : "");
}

// Reads hashes of complete subtrees of a log of this size from its tiles.
function subtrees(size) {
  const rows = new Map();
  const fetchTile = async (level, number) => {
    const width = Math.min(WIDTH, Math.floor(size / WIDTH ** level) - number * WIDTH);
    return new Uint8Array(await read(path(level, number, width), (answer) => answer.arrayBuffer()));
  };
  return async (height, place) => {
    const [level, inner] = [Math.floor(height / 8), height % 8];
    const number = Math.floor((place * 2 ** inner) / WIDTH);
    const start = (place * 2 ** inner) % WIDTH;
    const name = `${level}/${number}`;
    if (!rows.has(name)) rows.set(name, fetchTile(level, number));
    const data = await rows.get(name);
    let hashes = Array.from({ length: 2 ** inner }, (_, at) => data.slice((start + at) * HASH, (start + at + 1) * HASH));
    while (hashes.length > 1) {
      hashes = await Promise.all(Array.from({ length: hashes.length / 2 }, (_, at) => node(hashes[2 * at], hashes[2 * at + 1])));
    }
    return hashes[0];
  };
}

const leftSize = (size) => 2 ** Math.ceil(Math.log2(size) - 1);

async function range(read, start, end) {
  const size = end - start;
  if (Number.isInteger(Math.log2(size))) return read(Math.log2(size), start / size);
  const middle = start + leftSize(size);
  return node(...(await Promise.all([range(read, start, middle), range(read, middle, end)])));
}

// Whether the log of `after` begins with that of `before`: one walk from the root gives both roots.
async function extendsLog(before, after) {
  if (before.size >= after.size) return before.size === after.size && before.root === after.root;
  const read = subtrees(after.size);
  const both = async (start, end) => {
    if (end <= before.size) {
      const hash = await range(read, start, end);
      return [hash, hash];
    }
    if (start >= before.size) return [null, await range(read, start, end)];
    const middle = start + leftSize(end - start);
    const [left, right] = await Promise.all([both(start, middle), both(middle, end)]);
    return [right[0] ? await node(left[0], right[0]) : left[0], await node(left[1], right[1])];
  };
  const [old, whole] = await both(0, after.size);
  return base64(old) === before.root && base64(whole) === after.root;
}

// The parts of a proof: the leaf's contents and index, the hashes above it, and the note with the signed root.
function parse(proof) {
  const cut = proof.indexOf("\n\n");
  const [first, extra, index, ...hashes] = proof.slice(0, cut).split("\n");
  if (first !== "c2sp.org/tlog-proof@v1" || !extra.startsWith("extra ")) throw new Error("form");
  const contents = new TextDecoder().decode(bytes(extra.slice(6)));
  return { contents, at: Number(index.slice(6)), hashes: hashes.map(bytes), note: proof.slice(cut + 2) };
}

// The state of the log that a proof shows from its leaf, by a root that this key has signed.
async function open({ at, hashes, note }, leaf, vkey) {
  const [origin, digits, root] = (await verify(note, vkey)).split("\n");
  const size = Number(digits);
  const computed = await rootOf(await sha(Uint8Array.of(0), text.encode(leaf)), at, size, hashes);
  if (origin !== vkey.split("+", 1)[0]) throw new Error("key");
  if (!computed || base64(computed) !== root) throw new Error("path");
  return { origin, size, root };
}

// The key that signs a log of this size, and the states of the log in whose leaves each key has announced the next one.
async function keyOf(size, known) {
  const announced = await read("/log/checkpoint.keys", (answer) => answer.json());
  const result = { key: known, states: [] };
  for (const proof of announced.map(parse)) {
    const { key, before, note } = JSON.parse(proof.contents);
    if (before !== result.key || proof.at >= size) continue;
    if ((await verify(note, before)) !== `arena log key\n${key}\n`) throw new Error("key");
    result.states.push(await open(proof, proof.contents, key));
    result.key = key;
  }
  return result;
}

async function prove(receipt, shownKey) {
  const proof = parse(receipt);
  const { leaf, nonce, vote } = JSON.parse(proof.contents);
  const isErased = nonce === undefined;
  if (!isErased && hex(await sha(unhex(nonce), text.encode(vote))) !== JSON.parse(leaf).commit) throw new Error("vote");
  const name = shownKey.split("+", 1)[0];
  const known = lastSeen(name);
  const { key, states } = await keyOf(Number(proof.note.split("\n")[1]), known?.key ?? shownKey);
  const now = await open(proof, leaf, key);
  if (now.origin !== name) throw new Error("key");
  for (const state of known ? [known, ...states] : states) {
    const [before, after] = state.size <= now.size ? [state, now] : [now, state];
    if (!(await extendsLog(before, after))) throw new Error("history");
  }
  if (!known || known.size < now.size) store(SEEN_KEY, { ...stored(SEEN_KEY), [now.origin]: { ...now, key } });
  return { isErased, place: { index: proof.at, size: now.size, root: now.root, origin: now.origin } };
}

// The receipt's text; "" if the arena itself says that there is none yet.
const receiptOf = (battle) =>
  read(
    `/api/v1/battles/${encodeURIComponent(battle)}/receipt`,
    (answer) => answer.text(),
    async (answer) => {
      if (typeof (await answer.json()).code !== "string" || answer.status >= 429) throw new Unreached();
      return "";
    },
  );

/** @type {(battle: string) => Promise<Verdict>} */
export async function check(battle) {
  try {
    // Before the receipt, since an earlier key leads to a later one, but not back.
    const shownKey = await read("/log/key", (answer) => answer.text()).catch(() => null);
    const proof = await receiptOf(battle);
    if (!proof) return { state: "waiting" };
    if (shownKey === null) throw new Unreached();
    store(RECEIPTS_KEY, { ...stored(RECEIPTS_KEY), [battle]: proof });
    const { isErased, place } = await prove(proof, shownKey.trim());
    return { state: isErased ? "erased" : "proven", place };
  } catch (error) {
    if (error instanceof Unreached) return { state: "unreached" };
    const isUnsupported = error instanceof DOMException && error.name === "NotSupportedError";
    return isUnsupported || !globalThis.crypto?.subtle ? { state: "unchecked" } : { state: "wrong", why: error instanceof Error ? error.message : "" };
  }
}
