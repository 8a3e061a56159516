// Before the page's scripts are there: who comes back to a battle does not see the start page, and Enter or Send is kept
// for the engine, which takes it over.
(() => {
  const { dataset } = document.documentElement;
  const stored = () => {
    try {
      return sessionStorage.getItem("arena_battle") ?? localStorage.getItem("arena_battle");
    } catch {
      return null; // site data are blocked
    }
  };
  if (stored()) dataset.phase = "starting";
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
