// Before the first paint of a page: light or dark, which shell.js changes later. On the page of a conversation, who comes
// back to one does not see the start page, and Enter or Send is kept for the engine, which takes it over.
(() => {
  const { dataset } = document.documentElement;
  const read = (name) => {
    try {
      return sessionStorage.getItem(name) ?? localStorage.getItem(name);
    } catch {
      return null; // site data are blocked
    }
  };
  const theme = read("arena_theme");
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "dark" : "light";
  if (!("phase" in dataset)) return;
  if (read(`arena_${dataset.conversation}`)) dataset.phase = "starting";
  dataset.early = "";
  const keep = (event, isSent) => {
    if (!("early" in dataset) || !isSent) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    dataset.early = "sent";
  };
  const around = ({ target }, selector) => target instanceof Element && target.closest(selector);
  addEventListener("keydown", (event) => keep(event, event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229 && around(event, "#prompt")), true);
  addEventListener("click", (event) => keep(event, around(event, "#send")), true);
})();
