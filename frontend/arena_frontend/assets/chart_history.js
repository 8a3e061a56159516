// Ratings over time, a line per model, for the best-ranked of the shown models.

import { element } from "./dom.js";
import { date, day, whole } from "./numbers.js";
import { canvas, levels, marks, path, scale, svg, title } from "./svg.js";
import { t } from "./texts.js";

const MOST = 8;
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [560, 300, 46, 12, 12, 30];

// `names` in the order of their colours.
export function history(place, { moments, courses }, names, field = "bt") {
  const wanted = names.slice(0, MOST);
  const shown = wanted.map((name) => courses.find((course) => course.name === name)).filter(Boolean);
  const values = shown.flatMap((course) => course[field]).filter((value) => value !== null);
  if (moments.length < 2 || !values.length) return place.replaceChildren(element("p", { class: "a-note" }, t("chart.history.soon")));
  const times = moments.map((moment) => new Date(moment.created_at).getTime());
  const x = scale(times[0], times.at(-1), LEFT, WIDTH - RIGHT);
  const pad = Math.max(5, (Math.max(...values) - Math.min(...values)) * 0.06);
  const [low, high] = [Math.min(...values) - pad, Math.max(...values) + pad];
  const y = scale(low, high, HEIGHT - BOTTOM, TOP);
  const spread = times.at(-1) - times[0];
  const label = spread > 172_800_000 ? day : date;
  place.replaceChildren(
    canvas(
      WIDTH,
      HEIGHT,
      t("chart.history"),
      levels(marks(low, high), y, LEFT, WIDTH - RIGHT),
      [0, times.length - 1].map((index) => svg("text", { class: "a-mark-text", x: x(times[index]), y: HEIGHT - 8, "text-anchor": index ? "end" : "start" }, label(times[index]))),
      shown.map((course, number) => line(course, number, field, moments, (index) => x(times[index]), y)),
    ),
    legend(shown.map((course) => course.name)),
    names.length > MOST ? element("p", { class: "a-note" }, t("chart.matrix.more", { count: MOST })) : "",
  );
}

function line(course, number, field, moments, x, y) {
  const points = course[field].map((value, index) =>
    value === null
      ? null
      : svg(
          "circle",
          { cx: x(index), cy: y(value), r: moments.length > 30 ? 2 : 3.5 },
          title(t("chart.history.item", { name: course.name, value: whole(value), votes: whole(moments[index].votes), date: date(moments[index].created_at) })),
        ),
  );
  return svg("g", { class: "a-line", "data-colour": number % 8 }, svg("path", { d: path(course[field], x, y) }), points);
}

export const legend = (names) =>
  element("ul", { class: "a-keys-list" }, names.map((name, number) => element("li", { "data-colour": number % 8 }, element("i"), element("bdi", {}, name))));
