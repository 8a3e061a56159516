// The bot check: solves one challenge a day in a web worker while the visitor reads, without a widget or another host.

import { call } from "./api.js";
import { scriptAddress } from "./trusted.js";

const PLACE = "/bot-check";
let checkedDay = ""; // in UTC

// Runs once per page and day, and again after a failure; without WebCrypto, as on plain http in a local network, the
// verdict stays unknown.
export async function prove() {
  const day = new Date().toISOString().slice(0, 10);
  if (checkedDay === day || !globalThis.crypto?.subtle || typeof Worker === "undefined") return;
  checkedDay = day;
  const retry = () => (checkedDay = "");
  const { ok, data } = await call("GET", PLACE);
  if (!ok) return retry();
  if (!data.challenge) return;
  const worker = new Worker(scriptAddress(new URL("./bot_check_worker.js", import.meta.url)), { type: "module" });
  worker.onmessage = async ({ data: payload }) => {
    worker.terminate();
    if (!payload || !(await call("POST", PLACE, { body: { payload } })).ok) retry();
  };
  worker.onerror = () => {
    worker.terminate();
    retry();
  };
  worker.postMessage(data.challenge);
}
