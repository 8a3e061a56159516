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
  // Firefox and WebKit let a frame lead the whole tab back, away from its battle.
  const stay = () => {};
  Object.assign(History.prototype, { back: stay, forward: stay, go: stay });
  // Frames inside the page are removed, since they would have what is deleted here. The page may replace any method, getter
  // or constructor later: those in use are saved first, dictionaries have no prototype, and no record or list is read.
  const INNER = "iframe, frame, object, embed, fencedframe";
  const { apply } = Reflect;
  const { attachShadow, remove } = Element.prototype;
  const Observer = MutationObserver;
  const { observe } = Observer.prototype;
  const watch = (root, find) => {
    const clear = () => {
      for (let inner; (inner = apply(find, root, [INNER])); ) apply(remove, inner, []);
    };
    apply(observe, new Observer(clear), [root, { __proto__: null, childList: true, subtree: true }]);
  };
  const { querySelector: findInRoot } = DocumentFragment.prototype;
  watch(document, document.querySelector);
  // A clone of a shadow root is not watched.
  Element.prototype.attachShadow = function attach(how) {
    const root = apply(attachShadow, this, [{ __proto__: null, ...how, clonable: false }]);
    watch(root, findInRoot);
    return root;
  };
  // Nor is a root that the parser makes: sources have none (see `framed`), and no method may parse the attribute that asks
  // for one. What is written in pieces could continue an attribute: a space ends it.
  const ASKS = "shadowrootmode";
  const [BEFORE, Refusal] = [" \t\n\f\r/\"'", TypeError];
  const { endsWith, includes, slice, toLowerCase } = String.prototype;
  const checked = (text) => {
    if (apply(includes, apply(toLowerCase, text, []), [ASKS])) throw new Refusal("Declarative shadow roots are not available here");
    return text;
  };
  const ended = (text) => {
    const lower = apply(toLowerCase, text, []);
    for (let length = ASKS.length - 1; length; length--) {
      if (!apply(endsWith, lower, [apply(slice, ASKS, [0, length])])) continue;
      if (length === lower.length || apply(includes, BEFORE, [lower[lower.length - length - 1]])) return `${text} `;
    }
    return text;
  };
  const { write } = Document.prototype;
  const writing = (end) =>
    function writePieces(...pieces) {
      let text = "";
      for (let place = 0; place < pieces.length; place++) text += `${pieces[place]}`;
      apply(write, this, [ended(checked(text + end))]);
    };
  Object.assign(Document.prototype, { write: writing(""), writeln: writing("\n") });
  for (const owner of [Element, CharacterData, DocumentType, DocumentFragment, ShadowRoot, Document].flatMap((type) => [type, type.prototype]))
    for (const name of Object.getOwnPropertyNames(owner).filter((name) => name.endsWith("HTMLUnsafe"))) {
      const parse = owner[name];
      if (name.startsWith("stream")) delete owner[name];
      else owner[name] = function parseChecked(html, options) {
        return apply(parse, this, [checked(`${html}`), options]);
      };
    }
  // The port that the arena's page hands over: it takes errors and the visible text, and answers whether the page runs.
  const say = MessagePort.prototype.postMessage;
  // The visible text after SETTLED milliseconds; a page may falsify it, and the check of its source does not use it.
  const [SETTLED, MAX_TEXT] = [2000, 4000];
  const read = () => `${document.title}\n${document.body?.innerText ?? ""}`.slice(0, MAX_TEXT);
  const [WINDOW, MAX_MESSAGES] = [1000, 10];
  let port = null;
  let sent = 0;
  let since = 0;
  const tell = (message) => {
    const now = Date.now();
    if (now - since >= WINDOW) [since, sent] = [now, 0];
    if (port && sent++ < MAX_MESSAGES) say.call(port, message);
  };
  parent.postMessage("begun", "*");
  const early = [];
  const fault = (text) => {
    const error = { error: String(text).slice(0, 300) };
    if (port) tell(error);
    else if (early.length < MAX_MESSAGES) early.push(error);
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
