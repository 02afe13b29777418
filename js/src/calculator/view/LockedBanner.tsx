/** One banner that lists the inputs locked by the notebook's author. */
import { h } from "preact";
import type { State } from "../state.js";
import { where } from "./view.js";

/** Maximum number of names; each locked field has an icon as well. */
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
