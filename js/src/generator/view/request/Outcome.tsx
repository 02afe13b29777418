/** Outcome of a delivery: first a confirmation, then the elapsed seconds, then the response. */
import { Button, Chip, effect, Fragment, Hint, h, signal } from "../../../core/lazy-exports.js";
import { createVerifyRequest, Elapsed, Result } from "../verify/Result.js";
import type { View } from "../view.js";

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
  return () => {
    const latest = state.deliveries()[0];
    const busy = sender.since() !== null;
    const quiet = busy || sender.rejection() || sender.question();
    const stale = latest !== undefined && latest.revision !== state.inputs.revision();
    return (
      <>
        {confirm()}
        {busy && waiting()}
        {sender.rejection() && (
          <p class="hw-line">
            <Chip tone={sender.byHand() ? "warn" : "bad"}>Not sent</Chip> {sender.rejection()}
            {sender.byHand() && <Button onClick={showCurl}>Show curl command</Button>}
          </p>
        )}
        {latest && !quiet && stale && <Hint>Response to another request than the one shown now.</Hint>}
        {latest && !quiet && (
          <div class={stale ? "hw-stale" : ""}>
            <Result record={latest} verify={verify} />
          </div>
        )}
      </>
    );
  };
}

/** The first delivery to a host outside this machine is confirmed by name. */
function createConfirm({ sender, root }: View) {
  // The focus goes to the question, and back when it is answered.
  const focus = (bar: HTMLElement | null) => {
    const button = () =>
      (bar ?? root.querySelector(".hw-send"))?.querySelector<HTMLElement>(".hw-btn")?.focus();
    setTimeout(button);
  };
  return () => {
    const question = sender.question();
    if (!question) return null;
    return (
      // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
      <div class="hw-confirm" role="group" aria-label="Confirm host" ref={focus}>
        <span>{question.text}</span>
        <span class="hw-right">
          <Button look="primary" onClick={() => sender.send(question.again, question.host)}>
            Send to {question.host}
          </Button>
          <Button onClick={() => sender.question.set(null)}>Cancel</Button>
        </span>
      </div>
    );
  };
}

/** The seconds that a delivery takes, while it takes them. */
function createWaiting({ state, sender }: View) {
  const now = signal(0);
  let timer: ReturnType<typeof setInterval> | undefined;
  effect(() => {
    clearInterval(timer);
    if (sender.since() !== null) timer = setInterval(() => now.set(performance.now()), 200);
  });
  return () => (
    <p class="hw-line">
      <Chip>Waiting for the {state.kernel() === "waiting" ? "kernel" : "receiver"}</Chip>
      <Elapsed seconds={Math.max(0, (now() - (sender.since() ?? 0)) / 1000)} />
    </p>
  );
}
