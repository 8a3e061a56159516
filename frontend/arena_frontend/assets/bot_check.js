// The bot check: solves one challenge a day in a web worker while the visitor reads, without a widget or another host.

import { call } from "./api.js";

const PLACE = "/bot-check";
let begun = false;

/** Once per page; without WebCrypto, as on plain http in a local network, the verdict stays unknown. */
export async function prove() {
  if (begun || !globalThis.crypto?.subtle || typeof Worker === "undefined") return;
  begun = true;
  const { data } = await call("GET", PLACE);
  if (!data?.challenge) return;
  const worker = new Worker(new URL("./bot_check_worker.js", import.meta.url), { type: "module" });
  worker.onmessage = async ({ data: payload }) => {
    worker.terminate();
    if (payload) await call("POST", PLACE, { body: { payload } });
  };
  worker.onerror = () => worker.terminate();
  worker.postMessage(data.challenge);
}
