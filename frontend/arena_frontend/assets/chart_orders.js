// Effect of the order of votes on a model (LLMEval, figures 5 and 6): its Elo and rank along the log and over random
// orders, compared with points and Bradley–Terry, which do not depend on the order.

import { element } from "./dom.js";
import { percent, tenth, whole } from "./numbers.js";
import { legend } from "./chart_history.js";
import { canvas, levels, marks, path, scale, svg, title } from "./svg.js";
import { t } from "./texts.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [560, 230, 46, 12, 24, 28];
const METHODS = ["elo", "points", "bt"];

let chosen = null;

export function orders(place, table, names) {
  const known = names.filter((name) => table.rows.some((row) => row.name === name));
  if (!known.length) return place.replaceChildren(element("p", { class: "a-note" }, t("chart.orders.soon")));
  if (!known.includes(chosen)) chosen = known[0];
  const focused = place.contains(document.activeElement);
  const select = element("select", { "data-act": "order" }, known.map((name) => element("option", { value: name, selected: name === chosen }, name)));
  select.addEventListener("change", () => {
    chosen = select.value;
    orders(place, table, names);
  });
  place.replaceChildren(element("label", { class: "a-pick" }, element("span", {}, t("chart.orders.pick")), select), ...pictures(table));
  if (focused) select.focus({ preventScroll: true });
}

function pictures(table) {
  const row = table.rows.find(({ name }) => name === chosen);
  const along = table.paths.find(({ name }) => name === chosen);
  const values = { name: chosen, mean: whole(row.mean), spread: tenth(row.spread), low: whole(row.low), high: whole(row.high), orders: whole(table.orders), best: row.rank_best, worst: row.rank_worst };
  return [
    element("p", { class: "a-note" }, t("chart.orders.text", values)),
    element(
      "div",
      { class: "a-halves" },
      along ? half(t("chart.orders.along"), ranks(along, table.ends), rating(along, table.ends)) : null,
      half(t("chart.orders.over", { orders: whole(table.orders) }), shares(row)),
    ),
    legend(METHODS.map((method) => t(`chart.orders.${method}`))),
  ];
}

const half = (title_, ...drawings) => element("div", {}, element("h3", {}, title_), drawings);

const axis = (ends, x) =>
  [0, ends.length - 1].map((index) => svg("text", { class: "a-mark-text", x: x(index), y: HEIGHT - 8, "text-anchor": index ? "end" : "start" }, t("chart.orders.votes", { count: whole(ends[index]) })));

// A model that joined late has a single point, which no line would show.
const drawn = (values, number, x, y) =>
  svg(
    "g",
    { class: "a-line", "data-colour": number },
    svg("path", { d: path(values, x, y) }),
    values.map((value, place) => (value === null ? null : svg("circle", { cx: x(place), cy: y(value), r: values.length > 30 ? 1 : 3 }))),
  );

function ranks(along, ends) {
  const all = METHODS.map((method) => along[`${method}_rank`]);
  const worst = Math.max(2, ...all.flat().filter((rank) => rank !== null));
  const x = scale(0, Math.max(1, ends.length - 1), LEFT, WIDTH - RIGHT);
  const y = scale(1, worst, TOP, HEIGHT - BOTTOM);
  const whole_ = marks(1, worst, 4).filter(Number.isInteger);
  return canvas(
    WIDTH,
    HEIGHT,
    t("chart.orders.ranks"),
    svg("text", { class: "a-mark-text", x: 4, y: 10 }, t("col.rank")),
    levels([...new Set([1, ...whole_])], y, LEFT, WIDTH - RIGHT),
    axis(ends, x),
    all.map((values, number) => drawn(values, number, x, y)),
  );
}

function rating(along, ends) {
  const values = [along.elo, null, along.bt];
  const known = values.filter(Boolean).flat().filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const pad = Math.max(5, (high - low) * 0.08);
  const x = scale(0, Math.max(1, ends.length - 1), LEFT, WIDTH - RIGHT);
  const y = scale(low - pad, high + pad, HEIGHT - BOTTOM, TOP);
  return canvas(
    WIDTH,
    HEIGHT,
    t("chart.orders.ratings"),
    svg("text", { class: "a-mark-text", x: 4, y: 10 }, t("chart.orders.rating")),
    levels(marks(low - pad, high + pad, 4), y, LEFT, WIDTH - RIGHT),
    axis(ends, x),
    values.map((line, number) => (line ? drawn(line, number, x, y) : null)),
  );
}

// Columns: share of the orders in which Elo gave each rank; marks: the ranks that do not depend on the order.
function shares(row) {
  const [first, last] = [Math.min(row.rank_best, row.points_rank, row.bt_rank), Math.max(row.rank_worst, row.points_rank, row.bt_rank)];
  const x = scale(first - 0.5, last + 0.5, LEFT, WIDTH - RIGHT);
  const most = Math.max(...row.rank_share);
  const y = scale(0, most, HEIGHT - BOTTOM - 18, TOP + 14);
  const wide = Math.min(48, (x(1) - x(0)) * 0.7);
  const every = Math.max(1, Math.ceil((last - first) / 12));
  const columns = row.rank_share.map((part, place) => {
    const rank = row.rank_best + place;
    const words = t("chart.orders.share", { rank, share: percent(part) });
    return svg("g", { class: "a-column" }, svg("rect", { x: x(rank) - wide / 2, y: y(part), width: wide, height: Math.max(0.5, y(0) - y(part)), rx: 3 }, title(words)), part > 0.005 && wide > 26 ? svg("text", { class: "a-mark-text", x: x(rank), y: y(part) - 4, "text-anchor": "middle" }, percent(part)) : null);
  });
  const labels = Array.from({ length: last - first + 1 }, (_, place) => first + place).filter((rank) => (rank - first) % every === 0);
  return canvas(
    WIDTH,
    HEIGHT,
    t("chart.orders.over", { orders: "" }),
    columns,
    labels.map((rank) => svg("text", { class: "a-mark-text", x: x(rank), y: HEIGHT - 26, "text-anchor": "middle" }, String(rank))),
    [["points", row.points_rank, 1], ["bt", row.bt_rank, 2]].map(([method, rank, number]) =>
      svg("g", { class: "a-line", "data-colour": number }, svg("path", { d: `M${x(rank) + (number - 1.5) * 14} ${HEIGHT - 20}l6 11h-12z`, class: "a-pointer" }, title(`${t(`chart.orders.${method}`)}: ${rank}`))),
    ),
  );
}
