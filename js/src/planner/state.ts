/** State of the planner: a widget with a picture. */
import type { HostModel } from "../core/host.js";
import { browser, type Screen } from "../plot/screen.js";
import { createPlotState, type State as PlotState } from "../plot/state.js";
import * as wire from "./wire.js";

export type State = PlotState<wire.Inputs, wire.Frame, wire.Catalog>;

export function createState(model: HostModel, ends: AbortSignal, screen: Screen = browser): State {
  return createPlotState<wire.Inputs, wire.Frame, wire.Catalog>(
    {
      name: "planner",
      inputs: wire.inputs,
      trimmed: wire.trimmed,
      catalog: wire.catalog,
      frame: wire.frame,
      exported: wire.exported,
      mergeQuick: (before, quick) => ({
        ...quick,
        texts: before.texts,
        table: before.table,
        others: before.others,
        events: before.events,
      }),
    },
    model,
    ends,
    screen,
  );
}
