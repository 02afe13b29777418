/** Long work in slices, so that the page stays alive meanwhile. */

/** As long as a page can be busy without anybody noticing, in milliseconds. */
const SLICE_MS = 25;

/** To be awaited between pieces of the work; it lets the page go on whenever a slice is over, and tells before. */
export function yieldToMain(onSlice = () => {}): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    onSlice();
    await breath();
    began = performance.now();
  };
}

/** Not a timer: browsers slow those of a hidden tab down to one a second, and it may hold the only secret. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
