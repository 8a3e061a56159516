(() => {
  "use strict";
  // Storage in memory: a page without an origin has no other, and many fail without any.
  const storage = () => {
    const items = new Map();
    const methods = {
      getItem: (key) => (items.has(String(key)) ? items.get(String(key)) : null),
      setItem: (key, value) => void items.set(String(key), String(value)),
      removeItem: (key) => void items.delete(String(key)),
      clear: () => items.clear(),
      key: (place) => [...items.keys()][place] ?? null,
    };
    Object.defineProperty(methods, "length", { get: () => items.size });
    return new Proxy(methods, {
      get: (target, key) => (key in target ? target[key] : typeof key === "string" && items.has(key) ? items.get(key) : undefined),
      set: (_, key, value) => (items.set(String(key), String(value)), true),
      deleteProperty: (_, key) => (items.delete(String(key)), true),
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
  // Frames inside the page are removed, since they would have what is deleted here. The page may replace the methods of
  // the browser later, so that they are saved first.
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
  // The port that the arena's page hands over: it takes errors and the visible text, and answers whether the page runs.
  const say = MessagePort.prototype.postMessage;
  // The visible text after SETTLED milliseconds; a page may falsify it, and the check of its source does not use it.
  const [SETTLED, LONGEST] = [2000, 4000];
  const read = () => `${document.title}\n${document.body?.innerText ?? ""}`.slice(0, LONGEST);
  const [WINDOW, MOST] = [1000, 10];
  let port = null;
  let sent = 0;
  let since = 0;
  const tell = (message) => {
    const now = Date.now();
    if (now - since >= WINDOW) [since, sent] = [now, 0];
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
