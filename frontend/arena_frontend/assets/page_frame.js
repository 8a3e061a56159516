// One page made by a model, in a sandboxed frame. It sends three things by a channel of its own: errors, its text after two
// seconds, and answers to a heartbeat. A page that does not answer for three seconds is removed.

import { element } from "./dom.js";

const BEAT = 1000;
// Heartbeats that a page may miss, and those in which it has to load.
const [MISSED, LOADING] = [3, 10];
const MESSAGES = 10; // read per heartbeat
const LONGEST = 4000;
// Lone surrogates, which the API refuses.
const SURROGATES = /[\ud800-\udfff]/gu;

export class PageFrame {
  /**
   * @param {HTMLElement} container
   * @param {{ address: string, title: string, onEnd: (reason: string) => void, onError: (text: string) => void, onText: (text: string) => void }} options
   */
  constructor(container, { address, title, onEnd, onError, onText }) {
    this.onEnd = onEnd;
    this.onError = onError;
    this.onText = onText;
    this.port = null;
    this.missed = 0;
    this.messages = 0;
    this.element = element("iframe", { sandbox: "allow-scripts", referrerpolicy: "no-referrer", allow: "", title, src: address });
    this.listen = (event) => this.begin(event);
    addEventListener("message", this.listen);
    container.replaceChildren(this.element);
    this.timer = setInterval(() => this.beat(), BEAT);
  }

  get isAnswering() {
    return this.port !== null && this.missed < 2;
  }

  // The only window message that is read: the page has loaded, and gets its channel, once.
  begin({ source, data }) {
    if (source !== this.element.contentWindow || data !== "begun") return;
    removeEventListener("message", this.listen);
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.missed = 0;
    port1.onmessage = ({ data }) => this.receive(data);
    this.element.contentWindow.postMessage("arena", "*", [port2]);
    port1.postMessage(0);
  }

  receive(message) {
    if (++this.messages > MESSAGES) return;
    this.missed = 0;
    if (typeof message?.error === "string") this.onError(message.error.slice(0, 300));
    if (typeof message?.text === "string") this.onText(message.text.slice(0, LONGEST).replace(SURROGATES, ""));
  }

  beat() {
    this.messages = 0;
    if (++this.missed > (this.port ? MISSED : LOADING)) return this.end("silent");
    this.port?.postMessage(0);
  }

  end(reason) {
    clearInterval(this.timer);
    removeEventListener("message", this.listen);
    this.port?.close();
    this.element.remove();
    if (reason) this.onEnd(reason);
  }
}
