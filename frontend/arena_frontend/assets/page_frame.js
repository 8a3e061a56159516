// One page made by a model, in a frame that reaches nothing. The arena hears three things of it by a channel of its own:
// errors, its text after two seconds, and that it still answers. A page that does not answer for three seconds is taken away.

import { element } from "./dom.js";

const BEAT = 1000;
const MISSED = 3;
// Beats in which a page has to begin: over a slow line it is still loading.
const SLOW = 10;
const MOST = 10;
const LONGEST = 4000;
// Halves of characters, which no API takes.
const HALVES = /[\ud800-\udfff]/gu;

export class PageFrame {
  /**
   * @param {HTMLElement} place
   * @param {{ address: string, title: string, ended: (why: string) => void, failed: (text: string) => void, read: (text: string) => void }} how
   */
  constructor(place, { address, title, ended, failed, read }) {
    this.ended = ended;
    this.failed = failed;
    this.read = read;
    this.port = null;
    this.missed = 0;
    this.heard = 0;
    this.element = element("iframe", { sandbox: "allow-scripts", referrerpolicy: "no-referrer", allow: "", title, src: address });
    this.listen = (event) => this.begin(event);
    addEventListener("message", this.listen);
    place.replaceChildren(this.element);
    this.timer = setInterval(() => this.beat(), BEAT);
  }

  get answers() {
    return this.port !== null && this.missed < 2;
  }

  // The only message of a window that is read at all: it says nothing but that the channel may be handed over, once.
  begin({ source, data }) {
    if (source !== this.element.contentWindow || data !== "begun") return;
    removeEventListener("message", this.listen);
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.missed = 0;
    port1.onmessage = ({ data: said }) => this.hear(said);
    this.element.contentWindow.postMessage("arena", "*", [port2]);
    port1.postMessage(0);
  }

  hear(said) {
    if (++this.heard > MOST) return;
    this.missed = 0;
    if (typeof said?.error === "string") this.failed(said.error.slice(0, 300));
    if (typeof said?.text === "string") this.read(said.text.slice(0, LONGEST).replace(HALVES, ""));
  }

  beat() {
    this.heard = 0;
    if (++this.missed > (this.port ? MISSED : SLOW)) return this.end("silent");
    this.port?.postMessage(0);
  }

  end(why) {
    clearInterval(this.timer);
    removeEventListener("message", this.listen);
    this.port?.close();
    this.element.remove();
    if (why) this.ended(why);
  }
}
