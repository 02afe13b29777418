/** A generator of which every input is locked: one button and the result, for people who are no developers. */
import { Chip, Hint, h, SendButton } from "../../lazy-exports.js";
import type { View } from "../view.js";
import { createOutcome } from "./Outcome.js";

export function createRunbook(view: View) {
  const { state, sender, whole } = view;
  const outcome = createOutcome(view);
  return () => {
    const { event, provider, url } = state.inputs;
    const result = outcome();
    const error = state.draftFresh() && state.draft()?.error;
    return (
      <section class="hw-section hw-runbook" aria-label="Runbook">
        <p>
          Sends <b class="hw-mono">{event()}</b> of {state.provider()?.title ?? provider()} to{" "}
          <span class="hw-mono">{url()}</span>
        </p>
        <div class="hw-row hw-middle">
          <SendButton view={view} disabled={Boolean(error)} onSend={() => sender.send()}>
            Send test payload
          </SendButton>
        </div>
        {error && (
          <p class="hw-line">
            <Chip tone="bad">Invalid request</Chip> {error.text}
          </p>
        )}
        {result ? <div class="hw-result">{result}</div> : <Hint>Not sent yet.</Hint>}
        <details class="hw-details" onToggle={() => whole.set(true)}>
          <summary>Details</summary>
        </details>
      </section>
    );
  };
}
