/** Outputs of the kernel for the current inputs: draft and signature, and whether they are fresh. */

import type { KernelState } from "../core/connection.js";
import type { Reader } from "../core/decoders.js";
import { PATIENCE_MS, type Rpc, RpcError } from "../core/rpc.js";
import { type Computed, effect, type Signal, signal } from "../core/signals.js";
import { type Inputs, TYPING_MS } from "./inputs.js";
import * as wire from "./wire.js";

interface Sources extends Pick<Inputs, "inputs" | "body" | "save" | "confirm"> {
  rpc: Rpc;
  kernel: Computed<KernelState>;
}

export function createOutputs({ inputs, body, save, confirm, rpc, kernel }: Sources) {
  const draft = signal<wire.Draft | null>(null);
  const signature = signal<{ of: wire.Draft | null; signed: wire.Signed; body: Uint8Array | null } | null>(
    null,
  );
  const rewriting = signal(0);

  const isCurrent = (revision: string | undefined) => revision === inputs.revision();
  const draftCurrent = () => isCurrent(draft()?.revision);
  const draftFresh = () => rewriting() === 0 && draftCurrent();
  const signedFresh = () =>
    draftFresh() && signature()?.of === draft() && isCurrent(signature()?.signed.revision);

  /** Resolves when the kernel has the current inputs; rejects without a kernel. */
  const upToDate = () => {
    save();
    return new Promise<void>((resolve, reject) => {
      const stop = effect(() => {
        const lost = kernel() === "gone" || kernel() === "none";
        if (lost) reject(new RpcError("gone", "No kernel: run the cell again."));
        else if (draftCurrent()) resolve();
        else return;
        queueMicrotask(() => stop());
      });
    });
  };

  const outputs = {
    draft,
    signed: () => signature()?.signed ?? null,
    /** The signed body; null if it contains the signature and the kernel has not sent it yet. */
    sentBody: () => (signature()?.signed.body_note ? signature()?.body : body().bytes) ?? null,
    draftFresh,
    signedFresh,
    upToDate,
    /** Runs a request by which the kernel changes inputs; outputs are stale until the reply. */
    async rewrite<T>(op: string, args: Record<string, unknown>, reader: Reader<T>): Promise<T> {
      rewriting.set(rewriting() + 1);
      try {
        await upToDate(); // save pending edits first: the kernel rewrites its own copy
        return (await rpc.request(op, args, reader)).value;
      } finally {
        rewriting.set(rewriting() - 1);
      }
    },
  };
  return {
    outputs,
    /** Handlers of the kernel's notifications. */
    notifications: {
      draft(content: unknown) {
        const next = wire.draft(content);
        confirm(next.revision);
        draft.set(next);
      },
      signed(content: unknown, [signedBody]: Uint8Array[]) {
        signature.set({ of: draft(), signed: wire.signed(content), body: signedBody ?? null });
      },
    },
    /** Sets `overdue` while a draft takes long; returns a function that ends this. */
    watchOverdue(overdue: Signal<boolean>, connected: boolean): () => void {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = effect(() => {
        clearTimeout(timer);
        if (inputs.revision() === "" || !connected || draftFresh() || rewriting() > 0) overdue.set(false);
        else timer = setTimeout(() => overdue.set(true), PATIENCE_MS + TYPING_MS);
      });
      return () => {
        stop();
        clearTimeout(timer);
      };
    },
  };
}
