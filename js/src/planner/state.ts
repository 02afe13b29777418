/** State of the planner: a widget with a picture. */
import type { HostModel } from "../core/host.js";
import { browser, type Screen } from "../plot/screen.js";
import { createPlotState, type State as PlotState } from "../plot/state.js";
import * as wire from "./wire.js";

export type State = PlotState<wire.Inputs, wire.Frame, wire.Catalog>;

/** Adds a version below the others. */
export function addRelease(state: State, { version, released }: { version: string; released: string }): void {
  const row = wire.CELLS.map(
    (name, i) => ({ version, released })[name as string] ?? wire.emptyRow()[i] ?? "",
  );
  state.edit({ versions: [...wire.trimmed(state.inputs()).versions, row] });
  state.say(`v${version} added, released ${released}`);
}

/** Removes a version, also as the one whose headers are shown. Returns the row that takes its place. */
export function removeRow(state: State, at: number): number {
  const { versions, version } = state.inputs();
  const remaining = versions.toSpliced(at, 1);
  const shown = version && wire.rowName(version, 0) === wire.rowName(versions[at]?.[0] ?? "", at);
  state.edit({
    versions: remaining.length ? remaining : [wire.emptyRow()],
    ...(shown && { version: "" }),
  });
  return Math.max(0, Math.min(at, remaining.length - 1));
}

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
        install: before.install,
      }),
    },
    model,
    ends,
    screen,
  );
}
