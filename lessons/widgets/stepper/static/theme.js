// Light or dark: JupyterLab's own background decides, elsewhere what the reader has chosen.

/** Keep `data-theme` of `root` in step with the page; returns what ends the watching. */
export function watchTheme(root) {
  const system = matchMedia("(prefers-color-scheme: dark)");

  function look() {
    const page = getComputedStyle(document.body);
    const ground = page.getPropertyValue("--jp-layout-color1").trim();
    const dark = ground ? isDark(ground, root) : system.matches;
    root.dataset.theme = dark ? "dark" : "light";
  }

  const observer = new MutationObserver(look);
  const watched = { attributes: true, attributeFilter: ["class", "data-jp-theme-name", "data-jp-theme-light", "style"] };
  observer.observe(document.body, watched);
  system.addEventListener("change", look);
  // JupyterLab names the theme before its style sheet has come.
  document.addEventListener("load", look, true);
  look();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", look);
    document.removeEventListener("load", look, true);
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
