// What hostile answers may do to the page: an expression, whose functions `test_markup.py` calls.
({
  // What an answer must leave as it is.
  around() {
    const style = (name) => {
      const { position, zIndex, display, visibility } = getComputedStyle(document.querySelector(name));
      return [name, position, zIndex, display, visibility].join(" ");
    };
    const ground = (part) => getComputedStyle(part).backgroundImage + getComputedStyle(part).fontFamily;
    const kind = (name) => [name, Object.prototype.toString.call(window[name]), document[name]?.tagName ?? typeof document[name]].join(" ");
    const parts = ["#bar", "#votes", "#vote_a", "#vote_b", "#vote_tie", "#vote_both_bad", "#composer", "#prompt", "#send", "#foot"];
    return {
      ids: [...document.querySelectorAll("[id]")].filter((part) => !part.closest("[id^=chat_]")).map((part) => part.id),
      looks: parts.map(style),
      words: [...document.querySelectorAll("#votes button")].map((part) => part.innerText),
      sheets: [...document.styleSheets].map((sheet) => sheet.href ?? "").filter((href) => href && !href.startsWith(location.origin)),
      forms: document.forms.length,
      base: document.baseURI,
      title: document.title,
      grounds: [document.body, document.documentElement].map(ground),
      globals: ["arena", "vote_a", "vote_b", "send", "prompt", "parent", "top", "forms", "body"].map(kind),
      narrow: document.documentElement.scrollWidth <= innerWidth,
    };
  },

  // What leaves the box of its answer, or has a name that the page's own parts could have.
  within() {
    const found = [];
    const clips = (part) => getComputedStyle(part).overflowX !== "visible" || getComputedStyle(part).contain.includes("paint");
    const clipped = (part, box) => clips(part) || (part !== box && clipped(part.parentElement, box));
    for (const box of document.querySelectorAll(":is(#chat_a, #chat_b) :is(.a-prompt, .a-answer)")) {
      const side = box.closest("#side_a, #side_b").getBoundingClientRect();
      for (const part of box.querySelectorAll("*")) {
        const say = (what) => found.push(`${what} ${part.outerHTML.slice(0, 120)}`);
        const { left, right } = part.getBoundingClientRect();
        if (["fixed", "sticky"].includes(getComputedStyle(part).position) && !part.closest(".a-code")) say("pinned");
        if (part.id || part.getAttribute("name")) say("named");
        if ((left < side.left - 2 || right > side.right + 2) && !clipped(part, box)) say("wide");
      }
    }
    return found.slice(0, 5);
  },

  // Controls that lie below an answer.
  reached() {
    const covered = [];
    const controls = "#votes button, #send, #skip, #prompt textarea, #bar a, #bar button";
    const high = document.documentElement.scrollHeight;
    for (let place = 0; place <= 4; place += 1) {
      scrollTo(0, (high * place) / 4);
      for (const part of document.querySelectorAll(controls)) {
        const { left, top, width, height } = part.getBoundingClientRect();
        const hit = part.checkVisibility() && document.elementFromPoint(left + width / 2, top + height / 2);
        if (hit?.closest?.("[id^=chat_]")) covered.push(`${part.outerHTML.slice(0, 80)} below ${hit.outerHTML.slice(0, 120)}`);
      }
    }
    return covered.slice(0, 5);
  },

  press() {
    const own = ".a-code button, .a-code button *";
    for (const part of document.querySelectorAll(`:is(#chat_a, #chat_b) :is(.a-prompt, .a-answer) :not(${own})`))
      for (const kind of ["mouseover", "focus", "click", "auxclick"]) part.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true }));
  },

  // What could be followed, pressed or reached by keys.
  live() {
    const own = "button:not(.a-code button), iframe, form, [tabindex]:not(pre, table, p, .a-answer)";
    const found = document.querySelectorAll(`:is(#chat_a, #chat_b) :is(.a-prompt, .a-answer) :is(a[href], [*|href], .a-address[data-address], ${own})`);
    return [...found].map((part) => part.outerHTML.slice(0, 120));
  },
})
