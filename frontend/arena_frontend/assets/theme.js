// Sets light or dark before the page is painted; shell.js changes it later.
(() => {
  const theme = localStorage.getItem("arena_theme");
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
