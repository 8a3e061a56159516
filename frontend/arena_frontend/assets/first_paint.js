// Before the first paint of a page: light or dark, which shell.js changes later. On the page of a conversation, who comes
// back to one does not see the start page (a link that names models opens a new one); Enter or Send is kept for the engine, which takes it over, and so are images.
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
  const isDark = theme === "dark" || theme === "light" ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "dark" : "light";
  if (!("phase" in dataset)) return;
  const isNew = new URLSearchParams(location.search).has("model");
  if (!isNew && read(`arena_${dataset.conversation}`)) dataset.phase = "starting";
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
  // Images that somebody chooses, pastes into the box or drops on the page are kept by the chooser, and then taken from it.
  /** @type {() => HTMLInputElement} */
  const chooser = () => document.querySelector("#image-file");
  const take = (event, files) => {
    if (!files.length) return;
    event.preventDefault(); // dropped beside the box, a file would replace the page
    const all = new DataTransfer();
    for (const file of [...chooser().files, ...files]) all.items.add(file);
    chooser().files = all.files;
    chooser().dispatchEvent(new Event("change"));
  };
  const isImage = ({ type }) => type.startsWith("image/");
  addEventListener("click", (event) => around(event, ".a-attach") && chooser().click());
  addEventListener("paste", (event) => around(event, "#prompt") && take(event, [...(event.clipboardData?.files ?? [])].filter(isImage)));
  addEventListener("drop", (event) => take(event, [...(event.dataTransfer?.files ?? [])]));
  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
})();
