/**
 * Inputs of a widget whose kernel went away, kept by the page until the same cell has run again.
 *
 * The widget of the next run has a model and a module of its own, so this hangs on a symbol of the page. A key is
 * what the cell makes its widget with, a value what that widget puts back. No secret is in it.
 */
const KEPT = Symbol.for("hook_widgets.kept");
const page = globalThis as { [KEPT]?: Map<string, object> };

page[KEPT] ??= new Map();
export const savedInputs = page[KEPT];
