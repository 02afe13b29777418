/** Changes between two API documents: which are breaking, and the version that they require. */
import { Fragment, h } from "preact";
import { signal } from "../../core/signals.js";
import { Facts } from "../../plot/view/Facts.js";
import { createSource } from "../../plot/view/Source.js";
import { createTask } from "../../plot/view/task.js";
import { Button, Chip, createCopy, Hint, Lines } from "../../ui/controls.js";
import { addRelease } from "../state.js";
import { type Changes, changes, rowName, trimmed } from "../wire.js";
import type { View } from "./view.js";

const PRIVACY =
  "The documents go to the kernel, which compares them and forgets them. Neither they nor the result are saved in the notebook.";
const FORMATS =
  "Paste it, drop a file here, or choose one: OpenAPI or JSON Schema, as JSON or YAML, up to 20 MB.";

export function createChangeCheck(view: View) {
  const { state } = view;
  const result = signal<{ value: Changes; text: string } | null>(null);
  const reset = () => {
    result.set(null);
    task.clear();
  };
  const before = createSource(view, "old", "Old document", reset);
  const after = createSource(view, "new", "New document", reset);
  const copy = createCopy(view, "changes", () => result.peek()?.text ?? "");

  const task = createTask(state, ["Compare", "Comparing…"], async () => {
    reset();
    const old = await before.send();
    const now = old && (await after.send());
    const args = { inputs: trimmed(state.inputs()), old, new: now };
    const reply = now && (await state.request("changes", args, changes, { slow: true }, task.fail));
    if (!reply) return task.failure() || state.trouble();
    result.set({ value: reply.value, text: new TextDecoder().decode(reply.buffers[0]) });
    state.say(reply.value.verdict);
    return "";
  });

  return () => {
    const shown = result();
    const suggested = shown?.value.next;
    const isNew = state
      .inputs()
      .versions.every((row, at) => rowName(row[0] ?? "", at) !== `v${suggested?.version}`);
    const next = isNew && !state.fixed("versions") && suggested;
    return (
      <div class="hw-tool">
        <Hint>{PRIVACY}</Hint>
        <div class="hw-pair">
          {before.draw(FORMATS)}
          {after.draw("The document of the next version, in the same format or the other.")}
        </div>
        <div class="hw-row hw-middle">
          {task.button(!before.empty() && !after.empty())}
          {shown && copy({})}
        </div>
        {task.failed()}
        {shown && (
          <>
            <div class="hw-line">
              <Chip tone={shown.value.level}>{shown.value.verdict}</Chip>
              {next && (
                <Button
                  onClick={() => addRelease(state, next)}
                >{`Add v${next.version} as next release`}</Button>
              )}
            </div>
            <p>{shown.value.summary}</p>
            {shown.value.tables.map((each) => (
              <Facts key={each.caption} {...each} />
            ))}
            <Lines label="Not compared" lines={shown.value.not_compared} />
          </>
        )}
      </div>
    );
  };
}
