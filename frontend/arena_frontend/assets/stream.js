// Follows the stream of a conversation's running turn. The browser reconnects by itself with the last event id; when it
// gives up (the turn has ended, or the server is unreachable), `lost` asks the API for the state.

import { stream } from "./api.js";

// `path` is that of the conversation, `query` asks for the form of its answers; `first` is called before the first event's own handler. An event's id begins with the
// turn and generation that it belongs to: those of another one, after a reconnection, are `lost` too, since the page shows
// neither its prompt nor an empty place for its text.
/** @type {(path: string, handlers: Record<string, (data?: any) => void>, query?: string) => EventSource} */
export function follow(path, { first, delta, blocks, ready, failed, sideDone, closing, waiting, open, lost }, query = "") {
  const source = stream(`${path}/stream${query}`);
  let generation = null;
  const listen = (name, handler, isLast = false) =>
    source.addEventListener(name, (event) => {
      const current = /^\d+\.\d+/.exec(event.lastEventId)?.[0] ?? generation ?? "";
      if (generation === null) first();
      else if (current !== generation) {
        source.close();
        return lost?.();
      }
      generation = current;
      if (isLast) source.close();
      handler?.(JSON.parse(event.data));
    });
  listen("delta", delta);
  listen("blocks", blocks);
  listen("side_done", sideDone);
  listen("turn_ready", ready, true);
  listen("turn_failed", failed, true);
  listen("closing", closing, true);
  source.onopen = open;
  source.onerror = () => (source.readyState === EventSource.CLOSED ? lost : waiting)?.();
  return source;
}
