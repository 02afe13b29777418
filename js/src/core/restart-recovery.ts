/**
 * Inputs that outlive a kernel restart: the page keeps them until the same cell has run again.
 *
 * The widget of the next run has its own model and its own copy of this module, so the map is a symbol property of
 * the page. The key is the widget's initial inputs, the value its edited ones. It contains no secret.
 */
const KEPT = Symbol.for("hook_widgets.kept");
const page = globalThis as { [KEPT]?: Map<string, object> };

page[KEPT] ??= new Map();
export const savedInputs = page[KEPT];
