/** Splits long computations, so that the page stays responsive. */

/** Longest computation without a break, in milliseconds. */
const SLICE_MS = 25;

/**
 * Returns a function to await between steps: it yields to the page after each time slice, and calls `onSlice`
 * before.
 */
export function yieldToMain(onSlice = () => {}): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    onSlice();
    await nextTask();
    began = performance.now();
  };
}

/** Uses a message channel, because browsers throttle timers of a hidden tab to one a second. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
