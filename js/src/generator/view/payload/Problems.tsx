/** Problems in the payload, each with a button that goes there. */
import { errorAt, h } from "../../lazy-exports.js";
import type { View } from "../view.js";

export interface ProblemsProps {
  /** Reason why a rewrite was rejected. */
  rejection: string;
  goTo: (line: number, column: number) => void;
}

export function createProblems({ state }: View) {
  return ({ rejection, goTo }: ProblemsProps) => {
    const listed = state.draft()?.problems ?? [];
    const error = errorAt(state, "body");
    if (listed.length === 0 && !rejection && !error) return null;
    return (
      <ul class={`hw-problems ${state.draftFresh() ? "" : "hw-stale"}`} aria-label="Problems in the payload">
        {rejection && (
          <li>
            <span class="hw-bad">Not changed.</span> {rejection}
          </li>
        )}
        {error && <li>{error}</li>}
        {listed.map(({ line, column, message, level }) => (
          <li>
            <button type="button" onClick={() => goTo(line, column)}>
              <span class={level === "error" ? "hw-bad" : "hw-warn"}>
                Line {line}, column {column}
              </span>
              {message}
            </button>
          </li>
        ))}
      </ul>
    );
  };
}
