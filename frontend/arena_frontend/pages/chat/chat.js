// The pages of chats, side by side and with one model: models chosen by name, an opinion on their answers that may be changed, and no rating.

import { call, insist } from "./api.js";
import * as composer from "./composer.js";
import { adopt, commonControls, current, lastTurn, path, reset, showProblem, shownAnswers, start, updateControls } from "./conversation.js";
import * as view from "./conversation_view.js";
import { OUTCOMES, SIDES, at, conversationMemory, element, on } from "./shell.js";
import { t } from "./texts.js";

// The choice of models: a list per side with those that can be asked, at first at random.

const lists = () => SIDES.map((side) => /** @type {HTMLSelectElement} */ (at(`model_${side}`)));
const valuesOf = (options) => options.map(({ value }) => value);
/** @type {string[]} */
let names = [];
/** @type {string[]} */
let randomPool = [];
let shown = null; // the models of the shown chat
const NAME = 72; // characters of a model's name

// The chosen names, or null unless there is a different one for each side.
function chosen() {
  const values = lists().map((list) => list?.value);
  return values.every(Boolean) && new Set(values).size === values.length ? values : null;
}

function choose(values) {
  setModels(values);
  allowImages();
}

// Images are offered where all chosen models read them.
function allowImages() {
  const blind = lists().map((list) => list.selectedOptions[0]).find((option) => option && !("sees" in option.dataset));
  composer.allowImages(!blind, blind && t("error.model_blind", { name: blind.value }));
}

// Also models that are no longer available may be those of the shown chat.
function setModels(values) {
  lists().forEach((list, index) => {
    const value = values[index];
    if (!valuesOf([...list.options]).includes(value)) list.append(element("option", { value }, value));
    list.value = list.dataset.previous = value;
  });
}

// Different models at random, which know the language of the page if there are enough of those.
function random() {
  const pool = [...randomPool];
  return SIDES.map(() => pool.splice(Math.floor(Math.random() * pool.length), 1)[0]);
}

// Links may name the models: /side-by-side?model=one&model=two. They open a new chat; the last one of this browser stays.
const namesInAddress = () => new URL(location.href).searchParams.getAll("model");

function fromAddress() {
  const known = namesInAddress().filter((name) => names.includes(name));
  return known.length ? [...new Set([...known, ...random(), ...names])].slice(0, SIDES.length) : null;
}

// Says what a link cannot open, and where the chat is that the page would show without it.
function tellOfAddress() {
  const missing = namesInAddress().find((name) => !names.includes(name));
  const parts = [];
  if (missing) parts.push(t("error.model_away", { name: missing.slice(0, NAME) }));
  if (namesInAddress().length && kind.memory.id()) parts.push(t("choice.kept"), element("a", { href: location.pathname }, t("choice.resume")));
  if (parts.length) composer.note(parts.flatMap((part) => [part, " "]));
}

// From here on a reload shows this chat.
function clearAddress() {
  if (namesInAddress().length) history.replaceState(history.state, "", location.pathname + location.hash);
}

// The sides never have the same model: choosing the other side's model swaps both.
function keepDifferent({ target }) {
  const other = lists().find((list) => list !== target && list.value === target.value);
  if (other) other.value = other.dataset.previous = target.dataset.previous;
  target.dataset.previous = target.value;
}

function onChoice() {
  composer.clearNotice("warn");
  allowImages();
  updateControls();
}

// Begins when the lists have their models; those that know the language of the page are marked.
function beginChoice() {
  const options = [...lists()[0].options];
  const speakers = valuesOf(options.filter(({ dataset }) => "speaks" in dataset));
  names = valuesOf(options);
  randomPool = speakers.length < SIDES.length ? names : speakers;
  if (names.length < SIDES.length) return composer.warn(t("notice.few"));
  for (const list of lists()) {
    list.disabled = false;
    list.addEventListener("change", (event) => {
      keepDifferent(event);
      onChoice();
    });
  }
  on("shuffle", () => {
    choose(random());
    onChoice();
  });
  choose(shown ?? fromAddress() ?? random());
  tellOfAddress();
}

// The conversation.

// The common controls and new chat.
function controls(state, { value, blocked }) {
  const hasModels = state.phase === "ready" || chosen() !== null;
  const { buttons, ...rest } = commonControls(state, state.phase === "void", { value, blocked: blocked || !hasModels });
  return { ...rest, buttons: { ...buttons, new_round: { isVisible: ["running", "ready", "void"].includes(state.phase) } } };
}

function onAdopt({ models }) {
  clearAddress();
  const namesOf = Object.fromEntries(SIDES.map((side) => [side, models[side].name]));
  shown = Object.values(namesOf);
  if (names.length) choose(shown);
  Object.assign(current(), { names: namesOf, outcome: lastTurn().outcome });
  return false;
}

// One after the other, so that the last opinion stays.
let saving = Promise.resolve();
const vote = (outcome, shown = shownAnswers()) => (saving = saving.then(() => judge(outcome, shown)));

async function judge(outcome, shown) {
  if (current().phase !== "ready" || !OUTCOMES.includes(outcome)) return;
  const { id } = current();
  composer.clearNotice();
  const post = () => call("POST", path("/vote"), { body: { outcome, ...shown } });
  const answer = await composer.deliver(kind.memory, { id, outcome, shown }, post, async () => null);
  if (current().id !== id || current().phase !== "ready") return;
  if (!answer.ok) return showProblem(answer);
  await adopt(answer.data);
  view.say(t("say.judged"));
}

function leave() {
  if (current().phase === "running") insist("POST", path("/stop"));
  composer.clearNotice();
  reset();
}

// The chosen opinion stays pressed and can be changed.
function onShow({ outcome }) {
  for (const name of OUTCOMES) at(`vote_${name}`)?.setAttribute("aria-pressed", String(name === outcome));
}

function opening() {
  const models = chosen();
  if (!models) composer.warn(t("choice.none"));
  return models && { models };
}

const page = SIDES.length > 1 ? "side_by_side" : "direct";

const kind = {
  name: page,
  place: "/chats",
  memory: conversationMemory(page),
  isNew: () => namesInAddress().length > 0,
  opening,
  hasLinks: () => true,
  controls,
  onStart: beginChoice,
  onShow,
  onAdopt,
  names: ({ models = [] }) => Object.fromEntries(SIDES.map((side, index) => [side, models[index]])),
  acts: { vote, new_round: leave },
};

start(kind);
