/** Tabs: the picture as a table, all metrics, sample responses, code, formulas. */
import { type ComponentChildren, Fragment, h } from "preact";
import { signal } from "../../core/signals.js";
import { Facts } from "../../plot/view/Facts.js";
import { createSamples } from "../../plot/view/Samples.js";
import { Button, Chip, HeaderTable, Pre, TabPanel, Tabs } from "../../ui/controls.js";
import type { Frame } from "../wire.js";
import { createConfig } from "./Config.js";
import type { View } from "./view.js";

const PANELS: [id: string, title: string, draw: (frame: Frame, tools: Tools) => ComponentChildren][] = [
  [
    "table",
    "Table",
    ({ table }, { save }) => (
      <div class="hw-stack">
        <div class="hw-row">{save()}</div>
        <Facts {...table} />
      </div>
    ),
  ],
  ["figures", "All numbers", ({ figures }) => <Facts {...figures} />],
  ["headers", "Response headers", ({ headers }) => <Answers answers={headers} />],
  [
    "code",
    "Use it",
    (_frame, { samples, config }) => (
      <div class="hw-stack">
        {config()}
        {samples()}
      </div>
    ),
  ],
  ["metrics", "Formulas", ({ metrics }) => <Metrics metrics={metrics} />],
];
const REASONS: Record<number, string> = { 200: "OK", 429: "Too Many Requests", 503: "Service Unavailable" };

interface Tools {
  samples: () => ComponentChildren;
  save: () => ComponentChildren;
  config: () => ComponentChildren;
}

function Answers({ answers }: { answers: Frame["headers"] }) {
  return (
    <div class="hw-stack">
      {answers.map(({ title, status, lines, body }) => (
        <div class="hw-answer" key={title}>
          <div class="hw-line">
            {status > 0 && (
              <Chip tone={status < 400 ? "ok" : "bad"}>{`${status} ${REASONS[status] ?? ""}`}</Chip>
            )}
            <h3>{title}</h3>
          </div>
          {lines.length > 0 && <HeaderTable rows={lines.map(([name, value]) => ({ name, value }))} />}
          {body && <Pre label={`Body: ${title}`}>{body}</Pre>}
        </div>
      ))}
    </div>
  );
}

function Metrics({ metrics }: { metrics: Frame["metrics"] }) {
  return (
    <dl class="hw-formulas">
      {metrics.map(({ title, value, formula, inputs, source }) => (
        <div key={title}>
          <dt>
            {title} <b>{value}</b>
          </dt>
          <dd class="hw-mono">{formula}</dd>
          {inputs && <dd class="hw-hint hw-mono">{inputs}</dd>}
          {source && <dd class="hw-hint">{source}</dd>}
        </div>
      ))}
    </dl>
  );
}

export function createDetails(view: View) {
  const { state, id, root } = view;
  const current = signal("table");
  const samples = createSamples({ state, root }, () => state.frames.frame()?.code ?? [], state.frames.whole);
  const save = () => (
    <Button disabled={!state.frames.whole()} onClick={() => state.download({ format: "csv" })}>
      Save CSV
    </Button>
  );
  const panels = id("panel");
  const config = createConfig(view);
  return () => {
    const frame = state.frames.frame();
    if (!frame) return null;
    return (
      <>
        <Tabs
          label="Details"
          panels={panels}
          current={current()}
          onPick={current.set}
          tabs={PANELS.map(([name, title]) => [name, title])}
        />
        {PANELS.map(([name, , draw]) => (
          <TabPanel key={name} panels={panels} id={name} current={current()}>
            {name === current() && (
              <div class={state.frames.textsStale() ? "hw-late" : ""}>
                {draw(frame, { samples, save, config })}
              </div>
            )}
          </TabPanel>
        ))}
      </>
    );
  };
}
