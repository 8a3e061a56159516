// Solves a challenge of the bot check in ALTCHA's format: the number whose derived key has the given prefix.

/** @typedef {{ nonce: string, salt: string, cost: number, keyLength: number, keyPrefix: string }} Derivation */

export {};

const MOST = 100_000;

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {ArrayBuffer} buffer */
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * @param {Derivation} parameters
 * @param {number} counter
 */
async function derived({ nonce, salt, cost, keyLength }, counter) {
  const start = bytes(nonce);
  const password = new Uint8Array(start.length + 4);
  password.set(start);
  new DataView(password.buffer).setUint32(start.length, counter);
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
  return hexOf(await crypto.subtle.deriveBits(how, key, keyLength * 8));
}

/** @param {{ data: { parameters: Derivation, signature: string } }} message */
onmessage = async ({ data: challenge }) => {
  for (let counter = 0; counter < MOST; counter += 1) {
    const derivedKey = await derived(challenge.parameters, counter);
    if (!derivedKey.startsWith(challenge.parameters.keyPrefix)) continue;
    return postMessage(btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } })));
  }
  postMessage(null);
};
