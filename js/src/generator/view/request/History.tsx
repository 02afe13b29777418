/** Every delivery of this widget, newest first. */
import { Button, clockTime, duration, h, signal } from "../../../core/lazy-exports.js";
import { createVerifyRequest, Result, StatusChip } from "../verify/Result.js";
import type { View } from "../view.js";

export function createHistory(view: View) {
  const { state, sender } = view;
  const open = signal(0);
  const verify = createVerifyRequest(view);
  return () => {
    const records = state.deliveries();
    if (records.length === 0) {
      return <p class="hw-empty">No deliveries yet. The history is cleared when the kernel restarts.</p>;
    }
    return (
      <ol class="hw-history">
        {records.map((record) => {
          const { n, event, provider, url, at, elapsed_s } = record;
          const shown = open() === n;
          return (
            <li key={n}>
              <div class="hw-entry">
                <button
                  type="button"
                  class="hw-disclose"
                  aria-expanded={shown}
                  onClick={() => open.set(shown ? 0 : n)}
                >
                  <span class="hw-dim">#{n}</span>
                  <StatusChip record={record} />
                  <span class="hw-mono">{event || provider}</span>
                  <span class="hw-mono hw-dim hw-where">{url}</span>
                  <span class="hw-dim">
                    {clockTime(at)} · {duration(elapsed_s)}
                  </span>
                </button>
                <Button
                  disabled={sender.since() !== null}
                  title="Same payload and URL, with a new signature"
                  onClick={() => sender.send(n)}
                >
                  <span>
                    Resend<span class="hw-offscreen"> delivery {n}</span>
                  </span>
                </Button>
              </div>
              {shown && <Result record={record} verify={verify} />}
            </li>
          );
        })}
      </ol>
    );
  };
}
