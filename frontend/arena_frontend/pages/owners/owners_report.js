// The probe's report with what to do, and the proof that a server belongs to its owner.

import { element } from "./dom.js";
import { copyable, moment, newestFirst, number, panel, seconds } from "./owner_components.js";
import { raw, t } from "./texts.js";

const CHECKS = ["reachable", "tls", "auth", "proof"];

const sign = (good) => (good === null || good === undefined ? "none" : good ? "good" : "bad");

const result = (good, text) => element("li", { "data-result": sign(good) }, element("span", { class: "a-say" }, t(`own.check.${sign(good)}`)), " ", text);

// A problem in the reader's language by its code, or else in the server's words.
export const problemOf = (problem) => (raw(`own.problem.${problem.code}`) ? t(`own.problem.${problem.code}`, problem) : problem.title);

export function probing() {
  const steps = ["reach", "ask", "judge"].map((step) => element("li", {}, t(`own.probing.${step}`)));
  return element("div", { class: "a-probing", role: "status" }, element("p", {}, element("strong", {}, t("own.probing.title"))), element("ul", {}, steps));
}

export function reports(probes) {
  if (!probes.length) return [element("p", { class: "a-hint" }, t("own.probe.none"))];
  const [newest, ...older] = newestFirst(probes);
  const rest = older.length ? element("details", { class: "a-more" }, element("summary", {}, t("own.probe.older", { count: older.length })), older.map(report)) : null;
  return [report(newest), rest].filter(Boolean);
}

function report({ at, passed, report: found }) {
  const checks = CHECKS.filter((name) => found[name] !== null && found[name] !== undefined);
  const problems = (found.problems ?? []).map((problem) => element("li", {}, problemOf(problem)));
  return element(
    "article",
    { class: "a-report", "data-passed": passed },
    element("p", { class: "a-verdict" }, element("strong", {}, t(passed ? "own.probe.passed" : "own.probe.failed")), " ", moment(at)),
    problems.length ? element("ul", { class: "a-problems" }, problems) : null,
    element("ul", { class: "a-checks" }, checks.map((name) => result(found[name], t(`own.check.${name}.${sign(found[name])}`))), (found.prompts ?? []).map(asked)),
  );
}

function asked(prompt) {
  const facts = [
    [prompt.first_token_ms, () => t("own.prompt.first", { time: seconds(prompt.first_token_ms) })],
    [prompt.total_ms, () => t("own.prompt.total", { time: seconds(prompt.total_ms) })],
    [prompt.characters_per_second, () => t("own.prompt.speed", { count: number(prompt.characters_per_second) })],
    [prompt.pieces || null, () => t(prompt.streams ? "own.prompt.streams" : "own.prompt.whole", { count: number(prompt.pieces) })],
    [prompt.finish, () => t(`own.finish.${prompt.finish}`)],
    [prompt.error, () => t("own.prompt.failed")],
  ];
  const told = facts.filter(([value]) => value !== null && value !== undefined).map(([, words]) => words());
  return result(prompt.ok, [element("b", {}, t(`own.prompt.${prompt.kind}`)), " ", element("span", {}, told.join(" · "))]);
}

// Until the host is proven: the file to serve, and its content.
export function challenge({ url, token }) {
  return panel(
    "challenge",
    t("own.proof.title"),
    element("p", {}, t("own.proof.why")),
    element(
      "ol",
      { class: "a-steps" },
      element("li", {}, t("own.proof.file"), copyable("challenge-url", t("own.proof.url"), url)),
      element("li", {}, t("own.proof.text"), copyable("challenge-token", t("own.proof.token"), token)),
      element("li", {}, t("own.proof.again")),
    ),
    element("p", { class: "a-hint" }, t("own.proof.key")),
  );
}
