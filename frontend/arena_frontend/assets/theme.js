// Sets light or dark before the page is painted; shell.js changes it later.
(() => {
  const stored = () => {
    try {
      return localStorage.getItem("arena_theme");
    } catch {
      return null; // site data are blocked
    }
  };
  const theme = stored();
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
