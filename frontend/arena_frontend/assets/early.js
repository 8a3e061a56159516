// The first view before any other script: keeps what is typed, chosen or dropped, and calls Gradio's engine, whose parts
// lie in a template, as soon as somebody moves, presses or types; at once where there is something to go on with.
(() => {
  const STIRS = ["pointermove", "pointerdown", "touchstart", "wheel", "keydown", "input", "click", "dragenter"];
  // Browsers report a pointer that lies still when the page under it is laid out.
  const still = ({ type, movementX, movementY }) => type === "pointermove" && !movementX && !movementY;
  const wake = (event) => {
    if (event && still(event)) return;
    for (const kind of STIRS) removeEventListener(kind, wake, true);
    if (document.readyState === "loading") return addEventListener("DOMContentLoaded", wake);
    const parts = /** @type {HTMLTemplateElement | null} */ (document.getElementById("engine-parts"));
    if (parts) document.body.append(parts.content);
    parts?.remove();
  };
  const stored = (name) => sessionStorage.getItem(name) ?? localStorage.getItem(name);
  const form = /** @type {HTMLFormElement & import("./first_view.js").Early} */ (document.getElementById("early"));
  if (stored("arena_battle")) {
    form.closest("main").hidden = true;
    form.remove();
    return wake();
  }
  const [file, box, send, told] = /** @type {any} */ (form.elements);
  const grow = () => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
  };
  const wrote = () => (form.wrote = performance.now());
  Object.assign(form, { images: [], busy: false, wrote: -Infinity });
  const busy = (yes) => () => {
    form.busy = yes;
    wrote();
  };
  for (const kind of ["compositionstart", "pointerdown"]) addEventListener(kind, busy(true), true);
  for (const kind of ["compositionend", "pointerup", "pointercancel"]) addEventListener(kind, busy(false), true);
  box.value = sessionStorage.getItem("arena_draft") ?? "";
  box.oninput = () => {
    wrote();
    sessionStorage.setItem("arena_draft", box.value);
    grow();
  };
  box.onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    form.requestSubmit();
  };
  const keep = (event, files) => {
    if (!files.length) return;
    event.preventDefault();
    form.images.push(...files);
    told.value = form.images.map(({ name }) => name).join(", ");
  };
  file.onchange = (event) => {
    keep(event, file.files);
    file.value = "";
  };
  box.onpaste = (event) => keep(event, event.clipboardData.files);
  form.ondragover = (event) => event.preventDefault();
  form.ondrop = (event) => keep(event, event.dataTransfer.files);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!box.value.trim()) return box.focus();
    form.dataset.sent = "";
    box.readOnly = send.disabled = true;
  };
  if (box.value) grow();
  if (matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
  for (const kind of STIRS) addEventListener(kind, wake, { capture: true, passive: true });
  if (sessionStorage.getItem("arena_unsent_battle") || "now" in form.dataset) wake();
})();
