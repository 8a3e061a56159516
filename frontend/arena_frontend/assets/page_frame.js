// One page made by a model, in a sandboxed frame. It sends three things by a channel of its own: errors, its text after two
// seconds, and answers to a heartbeat. A page that does not answer for three seconds is removed, and so is one that floods
// the arena with messages or the tab's history with entries. The frame stands in a shadow tree, since windows of frames there
// are not in `length` or at an index of any window: no page can count, focus or call the others.

import { element } from "./dom.js";

const [BEAT, OFTEN] = [1000, 100];
// Heartbeats that a page may miss, and those in which it has to load.
const [MISSED, LOADING] = [3, 10];
const MESSAGES = 10; // read per heartbeat
const FLOOD = 1000; // messages per heartbeat that end a page
export const STEPS = 10; // entries of the tab's history that a page may make
const PRESSED_STEPS = 2; // more of them per heartbeat, while a person uses the page
const LONGEST = 4000;
// Lone surrogates, which the API refuses.
const SURROGATES = /[\ud800-\udfff]/gu;

export class PageFrame {
  /**
   * @param {HTMLElement} container
   * @param {{ address: string, title: string, onEnd: (reason: string) => void, onError: (text: string) => void, onText: (text: string) => void, steps?: number }} options
   */
  constructor(container, { address, title, onEnd, onError, onText, steps = STEPS }) {
    this.onEnd = onEnd;
    this.onError = onError;
    this.onText = onText;
    this.port = null;
    this.missed = 0;
    this.messages = 0;
    this.posted = 0;
    this.steps = history.length;
    this.limit = steps;
    this.element = element("iframe", { sandbox: "allow-scripts", referrerpolicy: "no-referrer", allow: "", part: "page", title, src: address });
    this.listen = (event) => this.hear(event);
    addEventListener("message", this.listen);
    this.container = container;
    this.root = container.shadowRoot ?? container.attachShadow({ mode: "open" });
    this.root.replaceChildren(this.element);
    this.timers = [setInterval(() => this.beat(), BEAT), setInterval(() => this.countSteps(), OFTEN)];
  }

  get isAnswering() {
    return this.port !== null && this.missed < 2;
  }

  get isUsed() {
    return navigator.userActivation?.isActive && this.root.activeElement === this.element;
  }

  hear({ source, data }) {
    if (source !== this.element.contentWindow) return;
    if (++this.posted > FLOOD) this.end("messages");
    else if (data === "begun" && !this.port) this.begin();
  }

  // After the only window message that is read: the page has loaded, and gets its channel, once.
  begin() {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.missed = 0;
    port1.onmessage = ({ data }) => this.receive(data);
    this.element.contentWindow.postMessage("arena", "*", [port2]);
    port1.postMessage(0);
  }

  receive(message) {
    if (++this.messages > FLOOD) return this.end("messages");
    if (this.messages > MESSAGES) return;
    this.missed = 0;
    if (typeof message?.error === "string") this.onError(message.error.slice(0, 300));
    if (typeof message?.text === "string") this.onText(message.text.slice(0, LONGEST).replace(SURROGATES, ""));
  }

  beat() {
    this.messages = this.posted = 0;
    if (this.isUsed) this.steps = Math.min(history.length, this.steps + PRESSED_STEPS);
    if (++this.missed > (this.port ? MISSED : LOADING)) return this.end("silent");
    this.port?.postMessage(0);
  }

  // A tab keeps fifty entries, so that they have to be counted before these are full.
  countSteps() {
    if (history.length - this.steps > this.limit) this.end("history");
  }

  end(reason) {
    this.timers.forEach(clearInterval);
    removeEventListener("message", this.listen);
    this.port?.close();
    this.element.remove();
    if (reason) this.onEnd(reason);
  }
}
