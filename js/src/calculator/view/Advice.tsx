/** The verdict and at most three actions; the reasons unfold. */
import { h } from "preact";
import { Hint } from "../../ui/controls.js";
import type { State } from "../state.js";

export function Advice({ state }: { state: State }) {
  const frame = state.frames.frame();
  if (!frame) return null;
  const { verdict, actions, reasons } = frame.advice;
  if (!verdict) return <Hint>No advice for these inputs.</Hint>;
  const items = (lines: string[]) => lines.map((line) => <li key={line}>{line}</li>);
  return (
    <div class={`hw-advice ${state.frames.textsStale() ? "hw-late" : ""}`}>
      <p class="hw-verdict">{verdict}</p>
      {actions.length > 0 && <ol aria-label="What to do">{items(actions)}</ol>}
      {reasons.length > 0 && (
        <details class="hw-details">
          <summary>{`Reasons (${reasons.length})`}</summary>
          <ul>{items(reasons)}</ul>
        </details>
      )}
    </div>
  );
}
