/** Differences between two history entries, as unified diffs. */

import { Pre } from "../../../ui/output.js";
import { createAttempts } from "../../attempts.js";
import { Button, createCopy, h, signal } from "../../lazy-exports.js";
import { type Comparison, comparison } from "../../replies.js";
import { Failure } from "../parts.js";
import type { View } from "../view.js";

const MARKS: Record<string, string> = { "+": "hw-ins", "-": "hw-del", "@": "hw-dim" };
const GROUPS = [
  ["headers", "Request headers"],
  ["body", "Request body"],
  ["response", "Response"],
] as const;

export function createComparison(view: View) {
  const { state } = view;
  const shown = signal<{ a: number; b: number; value: Comparison } | null>(null);
  const { failure, attempt } = createAttempts(state.say);
  const text = () =>
    GROUPS.flatMap(([name, title]) => [`# ${title}`, ...(shown()?.value[name] ?? [])]).join("\n");
  const copy = createCopy(view, "differences", text);

  const show = (a: number, b: number) =>
    attempt(async () => {
      const { value } = await state.rpc.request("compare", { a, b }, comparison, { slow: true });
      shown.set({ a, b, value });
      const parts = GROUPS.filter(([name]) => value[name].length > 0).map(([, title]) => title);
      state.say(parts.length ? `Different: ${parts.join(", ")}` : "No differences");
    });

  const draw = () => {
    const current = shown();
    if (failure()) return <Failure text={failure()} />;
    if (!current) return null;
    const { a, b, value } = current;
    return (
      <section class="hw-comparison" aria-label="Comparison">
        <div class="hw-row hw-middle">
          <strong>
            #{a} and #{b} compared
          </strong>
          {copy()}
          <Button look="quiet" onClick={() => shown.set(null)}>
            Close
          </Button>
        </div>
        {value.signature && <p>{value.signature}</p>}
        {value.notes.map((note) => (
          <p key={note} class="hw-hint">
            {note}
          </p>
        ))}
        {GROUPS.map(([name, title]) => (
          <div key={name}>
            <p class="hw-diff-title">
              {title} {value[name].length === 0 && <span class="hw-dim">same</span>}
            </p>
            {value[name].length > 0 && (
              <Pre label={`Differences: ${title}`}>
                {value[name].map((line, i) => (
                  <span key={`${i} ${line}`} class={MARKS[line[0] ?? ""] ?? ""}>{`${line}\n`}</span>
                ))}
              </Pre>
            )}
          </div>
        ))}
      </section>
    );
  };
  return { show, draw, close: () => shown.set(null) };
}
