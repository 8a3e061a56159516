// Solves a challenge of the bot check in ALTCHA's format: the number whose derived key has the given prefix.

/** @typedef {{ nonce: string, salt: string, cost: number, keyLength: number, keyPrefix: string }} Derivation */

export {};

const LIMIT = 100_000;

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {ArrayBuffer} buffer */
const toHex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @type {(parameters: Derivation, counter: number) => Promise<string>} */
async function deriveKey({ nonce, salt, cost, keyLength }, counter) {
  const start = bytes(nonce);
  const password = new Uint8Array(start.length + 4);
  password.set(start);
  new DataView(password.buffer).setUint32(start.length, counter);
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
  return toHex(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8));
}

/** @param {{ data: { parameters: Derivation, signature: string } }} message */
onmessage = async ({ data: challenge }) => {
  for (let counter = 0; counter < LIMIT; counter += 1) {
    const derivedKey = await deriveKey(challenge.parameters, counter);
    if (!derivedKey.startsWith(challenge.parameters.keyPrefix)) continue;
    return postMessage(btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } })));
  }
  postMessage(null);
};
