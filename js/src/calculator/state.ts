/** State of the calculator: a widget with a picture, and presets. */
import { list, record, text } from "../core/decoders.js";
import type { HostModel } from "../core/host.js";
import { type Computed, signal } from "../core/signals.js";
import { browser, type Screen } from "../plot/screen.js";
import { createPlotState, type State as PlotState } from "../plot/state.js";
import * as wire from "./wire.js";

export interface State extends PlotState<wire.Inputs, wire.Frame, wire.Catalog> {
  /** Label of each input of the form. */
  readonly labels: Record<string, string>;
  /** True if the picture shows rejections against the limit instead of the run; not saved. */
  readonly sweep: Computed<boolean>;
  toggleSweep(): void;
  /** Sets the inputs of a preset. */
  choose(preset: string): Promise<void>;
  /** Sets the inputs that the kernel derives from a log or headers; returns its notes and the previous inputs. */
  measure(
    op: "log" | "headers",
    args: Record<string, unknown>,
    failed: (text: string) => void,
  ): Promise<Measured | null>;
}

/** Notes on a log or headers, and the previous inputs. */
export interface Measured {
  sentences: string[];
  before: Partial<wire.Inputs>;
}

const between = (low: number, value: number, high: number) =>
  Math.round(Math.min(high, Math.max(low, value)));

/** Height of a picture; a comparison stacks five panels. */
export function heightFor(width: number, compare: boolean): number {
  return compare ? between(440, width * 0.8, 640) : between(300, width * 0.6, 460);
}

export function createState(model: HostModel, ends: AbortSignal, screen: Screen = browser): State {
  const labels = wire.inputLabels(model.get("input_labels"));
  const readers = wire.inputsNamed(Object.keys(labels));
  const presetReply = record({ inputs: readers.some });
  const sweep = signal(false);
  const swept = () => (sweep.peek() ? { sweep: true } : {});
  const measured = record({ inputs: readers.some, sentences: list(text) });
  const state = createPlotState<wire.Inputs, wire.Frame, wire.Catalog>(
    {
      name: "calculator",
      inputs: readers,
      /** Removes empty rows at the end. */
      trimmed(inputs) {
        const last = inputs.limits.findLastIndex(([name, rate]) => name || rate);
        return { ...inputs, limits: inputs.limits.slice(0, Math.max(1, last + 1)) };
      },
      catalog: wire.catalog,
      frame: wire.frame,
      exported: wire.exported,
      extraArgs: ({ compare }, width) => ({
        height: heightFor(width, compare && !sweep.peek()),
        ...swept(),
      }),
      slow: sweep.peek,
      mergeQuick: (before, { status, cards }) => ({ ...before, status, cards, overlay: null }),
    },
    model,
    ends,
    screen,
  );
  const { inputs, edit } = state;
  return {
    ...state,
    labels,
    sweep,
    toggleSweep() {
      sweep.set(!sweep.peek());
      state.refresh();
    },
    download: (args) => state.download({ ...args, ...swept() }),
    async choose(preset) {
      if (!preset) {
        const [first, ...others] = inputs().limits;
        // The form shows no name of a single limit, so the one of the preset goes.
        return edit(first && !others.length ? { preset, limits: [["", first[1]]] } : { preset });
      }
      const before = inputs();
      edit({ preset }, "type"); // outputs are stale from now on; saved with all inputs of the preset
      const reply = await state.request("preset", { name: preset }, presetReply);
      const now = inputs();
      if (now.preset !== preset || ends.aborted) return; // another preset was selected meanwhile
      if (!reply) return edit({ preset: before.preset });
      // Inputs edited meanwhile stay.
      const free = Object.entries(reply.value.inputs).filter(([name]) => now[name] === before[name]);
      edit({ ...Object.fromEntries(free), preset });
    },
    async measure(op, args, failed) {
      const options = { ...args, inputs: inputs() };
      const reply = await state.request(op, options, measured, { slow: true }, failed);
      if (!reply || ends.aborted) return null;
      const { inputs: read, sentences } = reply.value;
      const now = inputs();
      edit(read);
      state.say(sentences[0] ?? "");
      return { sentences, before: Object.fromEntries(Object.keys(read).map((name) => [name, now[name]])) };
    },
  };
}
