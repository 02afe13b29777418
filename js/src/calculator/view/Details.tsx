/** The tabs under the picture: advice, the same facts as tables, the answers that a client sees, the formulas. */
import { type ComponentChildren, Fragment, h } from "preact";
import { signal } from "../../core/signals.js";
import { Facts } from "../../plot/view/Facts.js";
import { Chip, HeaderTable, Hint, Pre, TabPanel, Tabs } from "../../ui/controls.js";
import type { Frame } from "../wire.js";
import type { View } from "./view.js";

const PANELS: [id: string, title: string, draw: (frame: Frame) => ComponentChildren][] = [
  ["advice", "Advice", ({ advice }) => <Advice advice={advice} />],
  ["table", "Table", ({ table }) => <Facts {...table} />],
  ["figures", "All numbers", ({ figures }) => <Facts {...figures} />],
  ["headers", "Response headers", ({ headers }) => <Answers answers={headers} />],
  ["metrics", "Formulas", ({ metrics }) => <Metrics metrics={metrics} />],
];
const REASONS: Record<number, string> = { 200: "OK", 429: "Too Many Requests", 503: "Service Unavailable" };

function Advice({ advice: { verdict, actions, reasons } }: Pick<Frame, "advice">) {
  if (!verdict) return <Hint>No advice for these inputs.</Hint>;
  const items = (lines: string[]) => lines.map((line) => <li key={line}>{line}</li>);
  return (
    <div class="hw-advice">
      <p class="hw-verdict">{verdict}</p>
      <h3>Do this</h3>
      <ol>{items(actions)}</ol>
      <h3>Why</h3>
      <ul>{items(reasons)}</ul>
    </div>
  );
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

export function createDetails({ state, id }: View) {
  const current = signal("advice");
  const panels = id("panel");
  return () => {
    const frame = state.frames.frame();
    if (!frame) return null;
    return (
      <>
        <Tabs
          label="What it means"
          panels={panels}
          current={current()}
          onPick={current.set}
          tabs={PANELS.map(([name, title]) => [name, title])}
        />
        {PANELS.map(([name, , draw]) => (
          <TabPanel key={name} panels={panels} id={name} current={current()}>
            {name === current() && (
              <div class={`hw-below ${state.frames.whole() ? "" : "hw-stale"}`}>{draw(frame)}</div>
            )}
          </TabPanel>
        ))}
      </>
    );
  };
}
