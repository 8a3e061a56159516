// The surface of a page of Gradio's: its Chatbots paint the answers, and two of its listeners ask for what columns, text
// box and buttons show.

import * as links from "./answer_links.js";
import { beginTools } from "./answers.js";
import * as marks from "./answer_marks.js";
import { columns } from "./chatbot_messages.js";
import { takeOver, uncoverable } from "./first_view.js";
import { OUTCOMES, present } from "./shell.js";

const update = (values) => ({ __type__: "update", ...values });

// In the order of the listener's outputs: text box, votes, and the buttons in their order.
/** @type {(controls: import("./conversation.js").Controls) => object[]} */
function updates({ box, isVoteOpen, buttons }) {
  const { placeholder, value } = box;
  return [
    update(value === undefined ? { placeholder } : { placeholder, value }),
    ...OUTCOMES.map(() => update({ interactive: isVoteOpen })),
    ...Object.values(buttons).map(({ isVisible, isEnabled = true, text }) => update({ visible: isVisible ? true : "hidden", interactive: isEnabled, ...(text ? { value: text } : {}) })),
  ];
}

/** @type {(trigger: (event: string) => unknown, events: string[]) => import("./conversation.js").Surface} */
export function gradioSurface(trigger, events) {
  const raise = (name) => events.includes(name) && trigger(name);
  return {
    query: "",
    async prepare() {
      await present("say");
      await present("prompt");
      return uncoverable();
    },
    begin({ state, hasLinks, controls, writtenTurns, act }) {
      const hooks = {
        columns: () => columns(state().turns, hasLinks(), state().phase === "running"),
        controls: () => updates(controls()),
        paint: () => raise("paint"),
        act,
      };
      Object.assign(window, { arena: hooks });
      links.begin(hasLinks);
      marks.begin();
      beginTools(writtenTurns);
    },
    paint: () => raise("paint"),
    update: () => raise("phase"),
    takeOver,
  };
}
