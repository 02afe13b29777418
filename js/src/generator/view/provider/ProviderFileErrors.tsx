/** Provider files of the user's that cannot be used, and why, until they can. */
import { Button, h } from "../../../core/lazy-exports.js";
import type { View } from "../view.js";

export function createFaulty({ state, root, id }: View) {
  const again = async () => {
    await state.askCatalog();
    const left = state.catalog()?.problems.length ?? 0;
    if (!left) root.querySelector<HTMLElement>(`#${id("provider")}`)?.focus(); // the button goes
    state.say(left ? "There still are files that cannot be used." : "All provider files can be used.");
  };
  return () => (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div class="hw-faulty" role="group" aria-label="Provider files that cannot be used">
      {state.catalog()?.problems.map(([where, text]) => (
        <p class="hw-alert hw-warn" title={where}>
          This file cannot be used: {text}
        </p>
      ))}
      <Button onClick={again}>Look again</Button>
    </div>
  );
}
