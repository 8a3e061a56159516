// Follows the stream of a conversation's running turn. The browser reconnects by itself with the last event id; when it
// gives up (the turn has ended, or the server is unreachable), `lost` asks the API for the state.

import { stream } from "./api.js";

const ignore = (_event) => {};

export class Follower {
  constructor(path, { first, delta, ready, failed, sideDone = ignore, closing = ignore, waiting = ignore, open = ignore, lost = ignore }) {
    this.source = stream(`${path}/stream`);
    let isFirst = true;
    const listen = (name, handler, isLast = false) =>
      this.source.addEventListener(name, (event) => {
        if (isFirst) first();
        isFirst = false;
        if (isLast) this.close();
        handler(JSON.parse(event.data));
      });
    listen("delta", delta);
    listen("side_done", sideDone);
    listen("turn_ready", ready, true);
    listen("turn_failed", failed, true);
    listen("closing", closing, true);
    this.source.onopen = open;
    this.source.onerror = () => {
      (this.source.readyState === EventSource.CLOSED ? lost : waiting)();
    };
  }

  close() {
    this.source.close();
  }
}
