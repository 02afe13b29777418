/** Errors of the user's provider files. */
import { Button, h } from "../../lazy-exports.js";
import type { View } from "../view.js";

export function createProviderFileErrors({ state, root, id }: View) {
  const again = async () => {
    await state.askCatalog();
    const remaining = state.catalog()?.problems.length ?? 0;
    if (!remaining) root.querySelector<HTMLElement>(`#${id("provider")}`)?.focus(); // the button may disappear
    state.say(remaining ? "Some provider files are still invalid." : "All provider files are valid.");
  };
  return () => (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div class="hw-faulty" role="group" aria-label="Invalid provider files">
      {state.catalog()?.problems.map(([where, text]) => (
        <p class="hw-alert hw-warn" title={where}>
          Invalid provider file: {text}
        </p>
      ))}
      <Button onClick={again}>Reload files</Button>
    </div>
  );
}
