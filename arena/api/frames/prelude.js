(() => {
  "use strict";
  // Storage that lasts as long as the page, so that honest pages do not die where there is none.
  const storage = () => {
    const kept = new Map();
    const made = {
      getItem: (key) => (kept.has(String(key)) ? kept.get(String(key)) : null),
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (place) => [...kept.keys()][place] ?? null,
    };
    Object.defineProperty(made, "length", { get: () => kept.size });
    return new Proxy(made, {
      get: (target, key) => (key in target ? target[key] : typeof key === "string" && kept.has(key) ? kept.get(key) : undefined),
      set: (_, key, value) => (kept.set(String(key), String(value)), true),
      deleteProperty: (_, key) => (kept.delete(String(key)), true),
    });
  };
  for (const name of ["localStorage", "sessionStorage"]) {
    const value = storage();
    Object.defineProperty(window, name, { get: () => value });
  }
  const cookies = new Map();
  Object.defineProperty(Document.prototype, "cookie", {
    get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    set(text) {
      const [name, ...value] = String(text).split(";")[0].split("=");
      cookies.set(name.trim(), value.join("="));
    },
  });
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"])
    try {
      delete window[name];
    } catch {
      // A browser that keeps it has the policy too.
    }
  // A frame inside the page would have again what is taken from it here, and could load nothing: there are none. The page
  // may change every method later, so that those of the browser are kept.
  const INNER = "iframe, frame, object, embed, fencedframe";
  const { apply } = Reflect;
  const { attachShadow, matches, querySelectorAll, remove } = Element.prototype;
  const drop = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (apply(matches, node, [INNER])) apply(remove, node, []);
    const inner = apply(querySelectorAll, node, [INNER]);
    for (let place = 0; place < inner.length; place++) apply(remove, inner[place], []);
  };
  const { observe } = MutationObserver.prototype;
  const observer = new MutationObserver((changes) => {
    for (let number = 0; number < changes.length; number++) {
      const { addedNodes } = changes[number];
      for (let place = 0; place < addedNodes.length; place++) drop(addedNodes[place]);
    }
  });
  const watch = (root) => apply(observe, observer, [root, { childList: true, subtree: true }]);
  watch(document);
  Element.prototype.attachShadow = function attach(how) {
    const root = apply(attachShadow, this, [how]);
    watch(root);
    return root;
  };
  // One channel, handed over at the start: errors go out, and the answer to the arena's question whether the page lives.
  const say = MessagePort.prototype.postMessage;
  // What a reader sees once the page has settled; a page may lie here, the check of its source does not ask it.
  const [SETTLED, LONGEST] = [2000, 4000];
  const read = () => `${document.title}\n${document.body?.innerText ?? ""}`.slice(0, LONGEST);
  const [EACH, MOST] = [1000, 10];
  let port = null;
  let sent = 0;
  let since = 0;
  const tell = (message) => {
    const now = Date.now();
    if (now - since >= EACH) [since, sent] = [now, 0];
    if (port && sent++ < MOST) say.call(port, message);
  };
  parent.postMessage("begun", "*");
  const early = [];
  const fault = (text) => {
    const error = { error: String(text).slice(0, 300) };
    if (port) tell(error);
    else if (early.length < MOST) early.push(error);
  };
  addEventListener("error", (event) => event.message && fault(event.message), true);
  addEventListener("unhandledrejection", (event) => fault(event.reason), true);
  addEventListener("message", function begin(event) {
    if (event.source !== parent || !event.ports.length || port) return;
    event.stopImmediatePropagation();
    removeEventListener("message", begin, true);
    [port] = event.ports;
    port.onmessage = () => say.call(port, { alive: true });
    early.forEach(tell);
    setTimeout(() => tell({ text: read() }), SETTLED);
  }, true);
})();
