/** One banner that names the inputs that the author of the notebook has locked. */
import { h } from "preact";
import type { State } from "../state.js";
import { where } from "./view.js";

/** More would be a list to search, and each field has its icon. */
const MOST_NAMES = 6;

export function LockedBanner({ state }: { state: State }) {
  const names = state
    .lockedNames()
    .map((name) => where(state, name))
    .filter(Boolean);
  return (
    <p class="hw-banner hw-plain" hidden={names.length === 0}>
      Locked by the author: {names.length > MOST_NAMES ? `${names.length} inputs` : names.join(", ")}.
    </p>
  );
}
