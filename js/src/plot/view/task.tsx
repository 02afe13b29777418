/** Work that a primary button starts, one at a time. */
import { h } from "preact";
import { capitalized } from "../../core/bytes.js";
import { signal } from "../../core/signals.js";
import { Button } from "../../ui/controls.js";
import type { State } from "../state.js";

/** `work` returns why it failed; "" if it did not. */
export function createTask(
  state: Pick<State, "settle" | "kernel" | "say">,
  [title, busy]: [title: string, busy: string],
  work: () => Promise<string>,
) {
  const running = signal(false);
  const failure = signal("");
  const run = async () => {
    if (running.peek()) return;
    running.set(true);
    failure.set("");
    state.settle();
    failure.set(await work());
    running.set(false);
  };
  return {
    failure,
    /** Shows an error of a request here, in place of a banner above the widget. */
    fail(text: string) {
      failure.set(text);
      if (text) state.say(text);
    },
    clear: () => failure.set(""),
    button: (ready: boolean) => (
      <Button look="primary" disabled={running() || !ready || state.kernel() === "none"} onClick={run}>
        {running() ? busy : title}
      </Button>
    ),
    failed: () => failure() && <p class="hw-alert hw-bad">{capitalized(failure())}</p>,
  };
}
