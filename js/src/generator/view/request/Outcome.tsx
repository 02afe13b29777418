/** Outcome of a delivery: confirmation, elapsed seconds, then the response. */
import { Button, Chip, effect, Fragment, Hint, h, signal } from "../../lazy-exports.js";
import { sentence } from "../../replies.js";
import type { Delivery } from "../../wire.js";
import { createVerifyRequest, Elapsed, Result } from "../verify/Result.js";
import type { View } from "../view.js";
import { createConfirm } from "./Confirm.js";
import { createWhy } from "./Why.js";

export function createOutcome(view: View) {
  const { state, sender, root, id } = view;
  const showCurl = () => {
    const tab = root.querySelector<HTMLElement>(`#${id("request")}-curl-tab`);
    tab?.click();
    tab?.focus();
  };
  const confirm = createConfirm(view);
  const waiting = createWaiting(view);
  const verify = createVerifyRequest(view);
  const why = createWhy(view, "outcome");
  const nextSteps = (record: Delivery) => (
    <>
      {why(record)}
      {verify(record)}
    </>
  );
  return () => {
    const latest = state.deliveries().find(({ imported }) => !imported);
    const busy = sender.since() !== null;
    const quiet = busy || sender.rejection() || sender.question();
    if (!quiet && !latest) return null;
    const stale = latest !== undefined && latest.revision !== state.inputs.revision();
    return (
      <>
        {confirm()}
        {busy && waiting()}
        {sender.rejection() && (
          <p class="hw-line">
            <Chip tone={sender.needsCurl() ? "warn" : "bad"}>Not sent</Chip> {sentence(sender.rejection())}
            {sender.needsCurl() && <Button onClick={showCurl}>Show curl command</Button>}
          </p>
        )}
        {latest && !quiet && stale && <Hint>Response to another request than the one shown now.</Hint>}
        {latest && !quiet && (
          <div class={stale ? "hw-stale" : ""}>
            <Result record={latest} verify={nextSteps} brief={latest.provider !== state.inputs.provider()} />
          </div>
        )}
      </>
    );
  };
}

/** Elapsed seconds of a running delivery. */
function createWaiting({ state, sender }: View) {
  const now = signal(0);
  let timer: ReturnType<typeof setInterval> | undefined;
  effect(() => {
    clearInterval(timer);
    if (sender.since() !== null) timer = setInterval(() => now.set(performance.now()), 200);
  });
  return () =>
    state.vault.slot(state.inputs.provider()).asking ? (
      <p class="hw-line">
        <Chip tone="warn">Waiting for your consent in the secret's field</Chip>
      </p>
    ) : (
      <p class="hw-line">
        <Chip>Waiting for the {state.kernel() === "waiting" ? "kernel" : "receiver"}</Chip>
        <Elapsed seconds={Math.max(0, (now() - (sender.since() ?? 0)) / 1000)} of={state.provider()} />
      </p>
    );
}
