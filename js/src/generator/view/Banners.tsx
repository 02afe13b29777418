/** Banners about the kernel, and about inputs kept over its restart. */
import { Fragment, h } from "preact";
import type { KernelState } from "../../core/connection.js";
import type { Computed, Signal } from "../../core/signals.js";
import { Button } from "../../ui/controls.js";

interface Heard {
  kernel: Computed<KernelState>;
  heard: Computed<boolean>;
}
interface Told<C> extends Heard {
  trouble: Computed<string>;
  typedBefore: Signal<C | null>;
  edit(change: C): void;
}

/** Banner about the kernel; `saved` names what can be seen without one. */
export function kernelNote(state: Heard, saved: string): string {
  const waiting =
    "Waiting for the kernel; what you type is kept. If it was shut down, start it and run the cell again.";
  return {
    ready: "",
    waiting: state.heard() ? waiting : `${waiting} A saved page has no kernel: then ${saved}.`,
    gone: "The kernel was restarted: run the cell again. What you typed is kept.",
    none: `There is no kernel behind this page: ${saved}.`,
  }[state.kernel()];
}

/** They are always there: see `App`. */
export function Banners<C>({ state, saved }: { state: Told<C>; saved: string }) {
  const banner = kernelNote(state, saved);
  const trouble = state.trouble();
  const typed = state.typedBefore();
  const drop = () => state.typedBefore.set(null);
  const putBack = () => {
    if (typed) state.edit(typed);
    drop();
  };
  return (
    <>
      <p class={`hw-banner hw-${state.kernel() === "gone" ? "bad" : "warn"}`} hidden={!banner}>
        {banner}
      </p>
      <p class="hw-banner hw-bad" hidden={!trouble}>
        {trouble}
      </p>
      <p class="hw-banner hw-warn" hidden={!typed}>
        What you typed before the restart is kept.{" "}
        <Button look="quiet" onClick={putBack}>
          Put it back
        </Button>
        <Button look="quiet" onClick={drop}>
          Drop it
        </Button>
      </p>
    </>
  );
}
