/**
 * Detects the light or dark theme of the page and its changes.
 *
 * Hosts declare it in different places; VS Code declares it on the document around the widget's one. If no host
 * declares a theme, the system setting applies.
 */

export type Theme = "light" | "dark";
export interface Look {
  theme: Theme;
  /** True if the host asks for high contrast (VS Code); the system's contrast setting is left to CSS. */
  contrast: boolean;
}

const WATCHED = ["class", "data-jp-theme-light", "data-theme", "data-vscode-theme-kind", "theme"];

/** Documents around `el`, innermost first; those of another origin cannot be read. */
function documentsAround(el: Node): Document[] {
  const documents: Document[] = [];
  let view = el.ownerDocument?.defaultView ?? null;
  while (view) {
    try {
      documents.push(view.document);
      if (view === view.parent) break;
      view = view.parent as (Window & typeof globalThis) | null;
    } catch {
      break; // another origin
    }
  }
  return documents;
}

/** Returns the theme that an element declares, or null. */
function declaredTheme(el: Element | null): Look | null {
  const lab = el?.getAttribute("data-jp-theme-light");
  if (lab) return { theme: lab === "true" ? "light" : "dark", contrast: false };
  const marks = ["class", "data-vscode-theme-kind", "data-theme", "theme"]
    .map((name) => el?.getAttribute(name))
    .join(" ");
  const match = /(?:^|[\s-])(dark|light)(?:-theme)?(?=\s|$)|vscode-(high-contrast)(?=\s|$)/.exec(marks);
  if (!match) return null;
  return { theme: match[1] === "light" ? "light" : "dark", contrast: marks.includes("vscode-high-contrast") };
}

export function lookOf(el: Node): Look {
  for (const document of documentsAround(el)) {
    const look = declaredTheme(document.body) ?? declaredTheme(document.documentElement);
    if (look) return look;
  }
  const dark = el.ownerDocument?.defaultView?.matchMedia("(prefers-color-scheme: dark)").matches;
  return { theme: dark ? "dark" : "light", contrast: false };
}

/** Calls `show` now and after every change, until `signal` aborts. */
export function watchLook(el: Node, show: (look: Look) => void, signal: AbortSignal): void {
  const update = () => show(lookOf(el));
  const observer = new MutationObserver(update);
  for (const document of documentsAround(el)) {
    for (const target of [document.documentElement, document.body]) {
      if (target) observer.observe(target, { attributes: true, attributeFilter: WATCHED });
    }
  }
  const scheme = el.ownerDocument?.defaultView?.matchMedia("(prefers-color-scheme: dark)");
  scheme?.addEventListener("change", update, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
  update();
}
