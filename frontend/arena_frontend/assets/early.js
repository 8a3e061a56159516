// The first view before any other script: keeps what is typed, chosen or dropped, and starts Gradio's engine, whose parts
// lie in a template, at the visitor's first sign of life; at once where there is a conversation or request to resume.
(() => {
  const INPUT_EVENTS = ["pointermove", "pointerdown", "touchstart", "wheel", "keydown", "input", "click", "dragenter"];
  // Browsers report a pointer that lies still when the page under it is laid out.
  const isStill = ({ type, movementX, movementY }) => type === "pointermove" && !movementX && !movementY;
  const startEngine = (event) => {
    if (event && isStill(event)) return;
    for (const name of INPUT_EVENTS) removeEventListener(name, startEngine, true);
    if (document.readyState === "loading") return addEventListener("DOMContentLoaded", startEngine);
    const parts = /** @type {HTMLTemplateElement | null} */ (document.getElementById("engine-parts"));
    if (parts) document.body.append(parts.content);
    parts?.remove();
  };
  const form = /** @type {HTMLFormElement & import("./first_view.js").Early} */ (document.getElementById("early"));
  if (sessionStorage.getItem("arena_battle") ?? localStorage.getItem("arena_battle")) {
    form.closest("main").hidden = true;
    form.remove();
    return startEngine();
  }
  const [file, box, send, fileNames] = /** @type {any} */ (form.elements);
  Object.assign(form, { images: [], isBusy: false, lastInput: -Infinity });
  const fitHeight = () => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
  };
  const noteInput = () => (form.lastInput = performance.now());
  const setBusy = (isBusy) => () => {
    form.isBusy = isBusy;
    noteInput();
  };
  for (const name of ["compositionstart", "pointerdown"]) addEventListener(name, setBusy(true), true);
  for (const name of ["compositionend", "pointerup", "pointercancel"]) addEventListener(name, setBusy(false), true);
  box.value = sessionStorage.getItem("arena_draft") ?? "";
  box.oninput = () => {
    noteInput();
    sessionStorage.setItem("arena_draft", box.value);
    fitHeight();
  };
  box.onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    form.requestSubmit();
  };
  const addImages = (event, files) => {
    if (!files.length) return;
    event.preventDefault();
    form.images.push(...files);
    fileNames.value = form.images.map(({ name }) => name).join(", ");
  };
  file.onchange = (event) => {
    addImages(event, file.files);
    file.value = "";
  };
  box.onpaste = (event) => addImages(event, event.clipboardData.files);
  form.ondragover = (event) => event.preventDefault();
  form.ondrop = (event) => addImages(event, event.dataTransfer.files);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!box.value.trim()) return box.focus();
    form.dataset.sent = "";
    box.readOnly = send.disabled = true;
  };
  if (box.value) fitHeight();
  if (matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
  for (const name of INPUT_EVENTS) addEventListener(name, startEngine, { capture: true, passive: true });
  if (sessionStorage.getItem("arena_unsent_battle") || "now" in form.dataset) startEngine();
})();
