// Uses of an endpoint beyond battles: its owner allows each, with a cap of calls of its own.

import { element } from "./dom.js";
import { fill, form } from "./forms.js";
import { number, panel } from "./owner_components.js";
import { t } from "./texts.js";

export function uses(owner, path, view, reload) {
  return panel("uses", t("own.uses"), element("p", { class: "a-hint" }, t("own.uses.help")), (view.uses ?? []).map((each) => choice(owner, path, each, reload)));
}

/** @import { Row } from "./forms.js" */

function choice(owner, path, known, reload) {
  const { use, calls } = known;
  /** @type {Row[]} */
  const fields = [
    ["allowed", { kind: "checkbox", words: use }],
    ["daily_calls", { kind: "number", min: 1, max: 1_000_000_000, step: 1, words: "use_calls" }],
  ];
  const made = form(`use-${use}`, fields, {
    label: t("own.use.save"),
    after: element("small", {}, t("own.use.calls", { count: number(calls) })),
    submit: async (said) => {
      const answer = await owner.call("PUT", `${path}/uses/${use}`, said);
      if (answer.ok) await reload();
      return answer;
    },
  });
  fill(made, known);
  return made;
}
