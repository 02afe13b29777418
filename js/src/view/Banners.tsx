/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/** What the kernel is doing, and what was kept over its restart. */
import { Fragment, h } from "preact";
import type { KernelState } from "../line.js";
import type { Computed, Signal } from "../signals.js";
import { Button } from "./ui.js";

interface Told<C> {
  kernel: Computed<KernelState>;
  heard: Computed<boolean>;
  trouble: Computed<string>;
  typedBefore: Signal<C | null>;
  edit(change: C): void;
}

/** `saved` says what is left to see without a kernel. They are always there: see `App`. */
export function Banners<C>({ state, saved }: { state: Told<C>; saved: string }) {
  const kernel = state.kernel();
  const waiting =
    "Waiting for the kernel; what you type is kept. If it was shut down, start it and run the cell again.";
  const banner = {
    ready: "",
    waiting: state.heard() ? waiting : `${waiting} A saved page has no kernel: then ${saved}.`,
    gone: "The kernel was restarted: run the cell again. What you typed is kept.",
    none: `There is no kernel behind this page: ${saved}.`,
  }[kernel];
  const typed = state.typedBefore();
  const putBack = () => {
    if (typed) state.edit(typed);
    state.typedBefore.set(null);
  };
  return (
    <>
      <p class={`hw-banner hw-${kernel === "gone" ? "bad" : "warn"}`} hidden={!banner}>
        {banner}
      </p>
      <p class="hw-banner hw-bad" hidden={!state.trouble()}>
        {state.trouble()}
      </p>
      <p class="hw-banner hw-warn" hidden={!typed}>
        What you typed before the restart is kept.{" "}
        <Button look="quiet" onClick={putBack}>
          Put it back
        </Button>
        <Button look="quiet" onClick={() => state.typedBefore.set(null)}>
          Drop it
        </Button>
      </p>
    </>
  );
}
