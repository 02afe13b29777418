/** Changes of the body by the kernel, with undo. */

import type { Reader } from "../core/decoders.js";
import { signal } from "../core/signals.js";
import type { State } from "./state.js";

/** Maximum number of rewrites that can be undone. */
const KEPT = 10;

export type Rewrites = ReturnType<typeof createRewrites>;

export function createRewrites(state: State) {
  const past = signal<{ of: string; what: string; bytes: Uint8Array }[]>([]);
  const shown = () => `${state.inputs.provider()} ${state.inputs.event()}`;
  const last = () => past().findLast(({ of }) => of === shown());

  return {
    /** Name of the last rewrite of the shown event's body; "" if there is none to undo. */
    last: () => last()?.what ?? "",
    /** Runs the operation in the kernel; `what` is its name in the user interface. */
    async run<T>(what: string, op: string, args: Record<string, unknown>, reader: Reader<T>): Promise<T> {
      await state.upToDate(); // save pending edits first: the kernel rewrites its own copy
      const before = { of: shown(), what, bytes: state.body().bytes };
      const value = await state.rewrite(op, args, reader);
      if (before.bytes !== state.body().bytes) past.set([...past(), before].slice(-KEPT));
      return value;
    },
    undo() {
      const rewrite = last();
      if (!rewrite) return;
      past.set(past().filter((each) => each !== rewrite));
      state.edit({ body: rewrite.bytes });
    },
  };
}
