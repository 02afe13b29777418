/** Banners about the kernel, and about inputs from before a restart. */
import { Fragment, h } from "preact";
import type { KernelState } from "../core/connection.js";
import type { Computed, Signal } from "../core/signals.js";
import { Button } from "./controls.js";

interface KernelStatus {
  kernel: Computed<KernelState>;
  contacted: Computed<boolean>;
}
interface BannerState<C> extends KernelStatus {
  trouble: Computed<string>;
  typedBefore: Signal<C | null>;
  edit(change: C): void;
}

/** Returns the text of the kernel banner; `saved` says what a page without a kernel shows. */
export function kernelNote(state: KernelStatus, saved: string): string {
  const waiting =
    "Waiting for the kernel. Your changes are kept. If the kernel was shut down, start it and run the cell again.";
  return {
    ready: "",
    waiting: state.contacted() ? waiting : `${waiting} On a saved page without a kernel, ${saved}.`,
    gone: "The kernel was restarted. Run the cell again; your changes are kept.",
    none: `No kernel: ${saved}.`,
  }[state.kernel()];
}

/** Always rendered, if hidden: see `App`. */
export function Banners<C>({ state, saved }: { state: BannerState<C>; saved: string }) {
  const banner = kernelNote(state, saved);
  const trouble = state.trouble();
  const typed = state.typedBefore();
  const discard = () => state.typedBefore.set(null);
  const restore = () => {
    if (typed) state.edit(typed);
    discard();
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
        You have unsaved changes from before the restart.{" "}
        <Button look="quiet" onClick={restore}>
          Restore
        </Button>
        <Button look="quiet" onClick={discard}>
          Discard
        </Button>
      </p>
    </>
  );
}
