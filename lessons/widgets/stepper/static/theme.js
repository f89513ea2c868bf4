// Light or dark: in JupyterLab its background decides, elsewhere the setting of the reader's system.

/** Keep `data-theme` of `root` the same as the page's theme; returns a function that stops this. */
export function watchTheme(root) {
  const system = matchMedia("(prefers-color-scheme: dark)");

  function setTheme() {
    const page = getComputedStyle(document.body);
    const background = page.getPropertyValue("--jp-layout-color1").trim();
    const dark = background ? isDark(background, root) : system.matches;
    root.dataset.theme = dark ? "dark" : "light";
  }

  const observer = new MutationObserver(setTheme);
  const watched = { attributes: true, attributeFilter: ["class", "data-jp-theme-name", "data-jp-theme-light", "style"] };
  observer.observe(document.body, watched);
  system.addEventListener("change", setTheme);
  // JupyterLab names the new theme before its style sheet has loaded.
  document.addEventListener("load", setTheme, true);
  setTheme();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", setTheme);
    document.removeEventListener("load", setTheme, true);
  };
}

function isDark(color, root) {
  const probe = document.createElement("span");
  probe.style.color = color;
  (root.isConnected ? root : document.body).append(probe);
  const numbers = getComputedStyle(probe).color.match(/[\d.]+/g)?.map(Number) ?? [255, 255, 255];
  probe.remove();
  const [red, green, blue] = numbers;
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}
