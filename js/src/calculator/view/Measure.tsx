/** Derives inputs from measurements: traffic from an access log, limits from response headers. */
import { type ComponentChildren, Fragment, h } from "preact";
import { capitalized } from "../../core/bytes.js";
import { signal } from "../../core/signals.js";
import { createSource } from "../../plot/view/Source.js";
import { createTask } from "../../plot/view/task.js";
import { Button, Field, Lines } from "../../ui/controls.js";
import type { Measured } from "../state.js";
import type { View } from "./view.js";

const LOG_HELP =
  "Common or combined log format, CSV with a header, or JSON lines, up to 20 MB and 20 s. The kernel reads the log and forgets it; it is not saved.";
const HEADERS_HELP =
  "As a browser, program or curl -i shows them: RateLimit-Policy, X-RateLimit-Limit and others.";

interface Kind {
  op: "log" | "headers";
  title: string;
  button: string;
  empty(): boolean;
  /** Arguments of the request; null if the document could not be sent. */
  args(): Promise<Record<string, unknown> | null>;
  draw(): ComponentChildren;
}

/** Button that unfolds a panel with the results, which can restore the previous inputs. */
function createMeasure({ state, id }: View, kind: Kind) {
  const isOpen = signal(false);
  const result = signal<Measured | null>(null);
  const panel = id(`measure-${kind.op}`);

  const task = createTask(state, [kind.button, "Reading…"], async () => {
    let failure = "";
    const args = await kind.args();
    const read =
      args &&
      (await state.measure(kind.op, args, (text) => {
        failure = capitalized(text);
      }));
    if (read) result.set(read);
    else if (failure) state.say(failure);
    else failure = "Nothing was read; the inputs are as they were.";
    return failure;
  });
  const restore = (before: Measured["before"]) => {
    state.edit(before);
    state.say("Restored what was entered");
    result.set(null);
  };
  const draw = () => {
    const read = result();
    return (
      <>
        <div class="hw-add">
          <Button look="quiet" expanded={isOpen()} controls={panel} onClick={() => isOpen.set(!isOpen())}>
            {kind.title}
          </Button>
        </div>
        {isOpen() && (
          <div class="hw-tool hw-measure" id={panel}>
            {kind.draw()}
            <div class="hw-row hw-middle">
              {task.button(!kind.empty())}
              {read && <Button onClick={() => restore(read.before)}>Restore what was entered</Button>}
            </div>
            {task.failed() || (read && <Lines lines={read.sentences} />)}
          </div>
        )}
      </>
    );
  };
  return { draw, clear: task.clear };
}

export function createLogPanel(view: View) {
  const source = createSource(view, "log", "Access log", () => panel.clear());
  const panel = createMeasure(view, {
    op: "log",
    title: "Load access log…",
    button: "Read log",
    empty: source.empty,
    async args() {
      const log = await source.send();
      return log ? { log } : null;
    },
    draw: () => source.draw(LOG_HELP),
  });
  return panel.draw;
}

export function createHeadersPanel(view: View) {
  const { id } = view;
  const typed = signal("");
  const panel = createMeasure(view, {
    op: "headers",
    title: "Paste response headers…",
    button: "Read headers",
    empty: () => !typed().trim(),
    args: async () => ({ text: typed.peek() }),
    draw: () => (
      <Field id={id("headers")} label="Headers to read" hint={HEADERS_HELP}>
        <textarea
          id={id("headers")}
          class="hw-input hw-mono"
          rows={4}
          spellcheck={false}
          autocomplete="off"
          value={typed()}
          aria-describedby={id("headers-hint")}
          onInput={(event) => {
            typed.set(event.currentTarget.value);
            panel.clear();
          }}
        />
      </Field>
    ),
  });
  return panel.draw;
}
