/** Calls in an access log, by version, client and day. */
import { Fragment, h } from "preact";
import { signal } from "../../core/signals.js";
import { browser } from "../../plot/screen.js";
import { Facts } from "../../plot/view/Facts.js";
import { createSource } from "../../plot/view/Source.js";
import { createTask } from "../../plot/view/task.js";
import { Button, createCopy, Hint, Lines } from "../../ui/controls.js";
import { trimmed, type Usage, usage } from "../wire.js";
import type { View } from "./view.js";

const PRIVACY =
  "The log goes to the kernel, which counts the calls and forgets it. Neither the log nor the result is saved in the notebook.";
const FORMATS =
  "Paste lines, drop a file here, or choose one: common or combined log format, or JSON lines, up to 20 MB.";

export function createCallers(view: View) {
  const { state } = view;
  const result = signal<{ value: Usage; files: Uint8Array[]; of: string } | null>(null);
  const log = createSource(view, "log", "Access log", () => {
    result.set(null);
    task.clear();
  });
  const text = (at: number) => new TextDecoder().decode(result.peek()?.files[at]);
  const copy = createCopy(view, "Markdown", () => text(1));
  /** Returns the inputs that decide version and day of a call. */
  const counted = () => {
    const { versions, prefix, vendor, zone } = state.inputs();
    return JSON.stringify([versions.map((row) => row[0]), prefix, vendor, zone]);
  };

  const task = createTask(state, ["Count calls", "Counting…"], async () => {
    const of = counted();
    const name = await log.send();
    const inputs = trimmed(state.inputs());
    const reply =
      name && (await state.request("usage", { inputs, log: name }, usage, { slow: true }, task.fail));
    if (!reply) return task.failure() || state.trouble();
    result.set({ value: reply.value, files: reply.buffers, of });
    state.say(reply.value.summary);
    return "";
  });

  return () => {
    const shown = result();
    return (
      <div class="hw-tool">
        <Hint>{PRIVACY}</Hint>
        {log.draw(FORMATS)}
        <div class="hw-row hw-middle">
          {task.button(!log.empty())}
          {shown && (
            <>
              <Button
                onClick={() =>
                  browser.download(shown.files[0] ?? new Uint8Array(), "calls-by-version.csv", "text/csv")
                }
              >
                Save CSV
              </Button>
              {copy({})}
            </>
          )}
        </div>
        {task.failed()}
        {shown && (
          <div class={`hw-tool ${shown.of === counted() ? "" : "hw-stale"}`}>
            <p>{shown.value.summary}</p>
            {shown.value.trends.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <Lines lines={shown.value.samples} />
            {shown.value.tables.map((each) => (
              <Facts key={each.caption} {...each} />
            ))}
          </div>
        )}
      </div>
    );
  };
}
