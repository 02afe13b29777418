/** Panels of the other tabs and the outcome of a delivery, loaded after the first draft. */
import { h, type VNode } from "preact";
import { effect, signal } from "../../core/signals.js";
import { Button } from "../../ui/controls.js";
import * as shared from "../lazy-exports.js";
import type { View } from "./view.js";

type Panels = Record<
  | "base"
  | "tls"
  | "runbook"
  | "fileErrors"
  | "pretty"
  | "randomize"
  | "curl"
  | "receiver"
  | "outcome"
  | "verify"
  | "check"
  | "history",
  () => VNode
>;
export type Lazy = ReturnType<typeof createLazy>;

export function createLazy(view: View) {
  const { state, root, ends } = view;
  const panels = signal<Panels | null>(null);
  const failure = signal("");
  let loading = false;

  const load = async () => {
    if (loading || panels.peek()) return;
    loading = true;
    failure.set("");
    try {
      const { default: link } = await state.chunks.load("panels");
      const { style, ...factories } = link(() => shared);
      const sheet = root.ownerDocument.createElement("style");
      sheet.textContent = style;
      root.before(sheet);
      ends.addEventListener("abort", () => sheet.remove());
      panels.set({
        base: factories.createBaseStrings(view),
        tls: factories.createTls(view),
        runbook: factories.createRunbook(view),
        fileErrors: factories.createProviderFileErrors(view),
        pretty: factories.createPretty(view),
        randomize: factories.createRandomize(view),
        curl: factories.createCurl(view),
        receiver: factories.createReceiver(view),
        outcome: factories.createOutcome(view),
        verify: factories.createVerify(view),
        check: factories.createCheck(view),
        history: factories.createHistory(view),
      });
    } catch (error) {
      failure.set((error as Error).message);
    } finally {
      loading = false;
    }
  };
  // Preloaded, because the kernel may be busy or gone when the panel is opened.
  ends.addEventListener(
    "abort",
    effect(() => void (state.draft() && load())),
  );

  return (which: keyof Panels) => {
    const drawn = panels()?.[which]();
    if (drawn) return drawn;
    if (state.kernel() === "none") {
      return <p class="hw-empty">No kernel: this panel is not available.</p>;
    }
    if (!failure()) return <p class="hw-empty">Loading…</p>;
    return (
      <p class="hw-empty">
        This panel could not be loaded. {failure()} <Button onClick={load}>Retry</Button>
      </p>
    );
  };
}
