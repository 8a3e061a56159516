// The appearance before anything is seen; shell.js changes it later.
(() => {
  const wish = localStorage.getItem("arena_theme");
  const dark = wish ? wish === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
