/** Panels of the other tabs and the outcome of a delivery, loaded after the first draft. */
import { type ComponentChildren, h } from "preact";
import { effect, signal } from "../../core/signals.js";
// Upward import of a type: the entry is the list of the lazy panels.
import type * as Factories from "../../entries/panels.js";
import { Button } from "../../ui/controls.js";
import * as shared from "../lazy-exports.js";
import type { ProblemsProps } from "./payload/Problems.js";
import type { ClockTimeProps } from "./provider/ClockTime.js";
import type { EvidenceProps } from "./provider/Evidence.js";
import type { FiltersProps } from "./provider/Providers.js";
import type { View } from "./view.js";

/** The lazy part; each widget links it once with the modules that both share. */
interface PanelsModule {
  default(require: () => typeof shared): typeof Factories;
}
type Panels = Record<
  | "tls"
  | "runbook"
  | "fileErrors"
  | "pretty"
  | "oddBytes"
  | "form"
  | "randomize"
  | "secret"
  | "request"
  | "outcome"
  | "verify"
  | "check"
  | "history",
  () => ComponentChildren
> & {
  clockTime(props: ClockTimeProps): ComponentChildren;
  evidence(props: EvidenceProps): ComponentChildren;
  filters(props: FiltersProps): ComponentChildren;
  problems(props: ProblemsProps): ComponentChildren;
};
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
      const { default: link } = await state.chunks.load<PanelsModule>("panels");
      const { style, ...factories } = link(() => shared);
      const sheet = root.ownerDocument.createElement("style");
      sheet.textContent = style;
      root.before(sheet);
      ends.addEventListener("abort", () => sheet.remove());
      const secret = factories.createSecret(view, "generate");
      panels.set({
        tls: factories.createTls(view),
        runbook: factories.createRunbook(view),
        fileErrors: factories.createProviderFileErrors(view),
        evidence: factories.Evidence,
        filters: factories.ProviderFilters,
        clockTime: factories.createClockTime(view),
        problems: factories.createProblems(view),
        oddBytes: factories.createOddBytes(view),
        pretty: factories.createPretty(view),
        form: factories.createFormTable(view),
        randomize: factories.createRandomize(view),
        secret() {
          const provider = state.provider();
          return provider && secret(provider.key, shared.factsOf(provider));
        },
        request: factories.createRequest(view),
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

  /** Says that the panels are loading, or why they are not there. */
  const status = () => {
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
  /** Draws a panel; until it is loaded, something else, or nothing for a part of a panel that is shown. */
  const draw = <K extends keyof Panels>(
    which: K,
    waiting: ComponentChildren = status(),
    ...props: Parameters<Panels[K]>
  ) => {
    const panel = panels()?.[which] as ((...props: Parameters<Panels[K]>) => ComponentChildren) | undefined;
    return panel ? panel(...props) : waiting;
  };
  return Object.assign(draw, { status });
}
