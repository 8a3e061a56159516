// Figures of an endpoint: results, errors, latency, today's budget, health, and its changes of state.

import { element } from "./dom.js";
import { kind, moment, newestFirst, number, pairs, reasonOf, seconds, share } from "./owner_components.js";
import { t } from "./texts.js";

const NONE = "–";

export function record({ stats }) {
  const { battles, votes, win_rate: rate, win_rate_low: low, win_rate_high: high } = stats;
  const range = low === null || low === undefined ? null : element("small", {}, ` ${share(low)} – ${share(high)}`);
  return pairs([
    stats.as_of && [t("own.stat.as_of"), moment(stats.as_of)],
    [t("own.stat.battles"), number(battles)],
    [t("own.stat.votes"), number(votes)],
    [t("own.stat.win"), rate === null || rate === undefined ? NONE : share(rate), range],
    [t("own.stat.calls"), number(stats.calls)],
    [t("own.stat.errors"), stats.calls ? share(stats.error_rate ?? 0) : NONE, errors(stats.errors ?? {})],
    [t("own.stat.first"), ...times(stats.first_token_ms)],
    [t("own.stat.total"), ...times(stats.total_ms)],
    typeof stats.slow === "boolean" && [t("own.stat.class"), t(stats.slow ? "own.stat.class.slow" : "own.stat.class.quick")],
  ]);
}

function errors(kinds) {
  const told = Object.entries(kinds).map(([name, count]) => `${kind(name)} ${number(count)}`);
  return told.length ? element("small", {}, ` ${told.join(" · ")}`) : null;
}

function times(found) {
  if (!found || found.p50 === null || found.p50 === undefined) return [NONE];
  return [seconds(found.p50), element("small", {}, ` ${t("own.stat.slow", { time: seconds(found.p95) })}`)];
}

export function today({ budget, health, fingerprint }) {
  return pairs([
    budget && [t("own.budget.calls"), ...used(budget.calls, budget.daily_calls)],
    budget && [t("own.budget.tokens"), ...used(budget.tokens, budget.daily_tokens)],
    health && [t("own.health"), t(`own.health.${health.state}`), health.since ? element("small", {}, " ", moment(health.since)) : null],
    health && [t("own.flight"), number(health.in_flight ?? 0)],
    fingerprint?.checked_at && [t("own.same"), t(fingerprint.flagged ? "own.same.flagged" : "own.same.fine"), element("small", {}, " ", moment(fingerprint.checked_at))],
  ]);
}

function used(count, cap) {
  if (!cap) return [number(count), element("small", {}, ` ${t("own.budget.free")}`)];
  const meter = element("meter", { min: 0, max: cap, value: count, high: cap * 0.9, "aria-hidden": "true" });
  return [t("own.budget.of", { count: number(count), cap: number(cap) }), " ", meter];
}

const by = (actor, reason) => (reason ? t("own.change.by", { actor: t(`own.actor.${actor}`), reason }) : t(`own.actor.${actor}`));

export function life(changes) {
  const rows = newestFirst(changes).map((change) => {
    const { before, after, actor, at } = change;
    const step = before && before !== after ? t("own.change.step", { before: t(`own.state.${before}`), after: t(`own.state.${after}`) }) : t(`own.state.${after}`);
    return element("li", {}, moment(at), " ", element("b", {}, step), " ", element("span", {}, by(actor, reasonOf(change))));
  });
  return element("ol", { class: "a-life" }, rows);
}
