/** Derives inputs from measurements: traffic from an access log, limits from response headers. */
import { type ComponentChildren, Fragment, h } from "preact";
import { signal } from "../../core/signals.js";
import { createSource } from "../../plot/view/Source.js";
import { Button, Hint } from "../../ui/controls.js";
import type { Measured } from "../state.js";
import type { View } from "./view.js";

const LOG_HELP =
  "Common or combined log format, CSV with a header, or JSON lines, up to 20 MB and 20 s. The kernel reads the log and forgets it; it is not saved.";
const HEADERS_HELP =
  "As your client or curl -i shows them, one a line: RateLimit-Policy, X-RateLimit-Limit and others.";

interface Kind {
  op: "log" | "headers";
  title: string;
  button: string;
  empty(): boolean;
  /** Arguments of the request; null if the document could not be sent. */
  args(): Promise<Record<string, unknown> | null>;
  draw(): ComponentChildren;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Button that unfolds a panel with the results, which can restore the previous inputs. */
function createMeasure({ state, id }: View, kind: Kind) {
  const isOpen = signal(false);
  const running = signal(false);
  const result = signal<Measured | null>(null);
  const failure = signal("");
  const panel = id(`measure-${kind.op}`);

  const fail = (text: string) => {
    failure.set(sentence(text));
    if (text) state.say(sentence(text));
  };

  const run = async () => {
    if (running.peek()) return;
    running.set(true);
    failure.set("");
    state.settle();
    const args = await kind.args();
    const read = args && (await state.measure(kind.op, args, fail));
    running.set(false);
    if (read) result.set(read);
    else if (!failure.peek()) failure.set("Nothing was read; the inputs are as they were.");
  };
  const restore = (before: Measured["before"]) => {
    state.edit(before);
    state.say("Restored what was entered");
    result.set(null);
  };
  const reset = () => {
    failure.set("");
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
              <Button
                look="primary"
                disabled={running() || kind.empty() || state.kernel() === "none"}
                onClick={run}
              >
                {running() ? "Reading…" : kind.button}
              </Button>
              {read && <Button onClick={() => restore(read.before)}>Restore what was entered</Button>}
            </div>
            {failure() && <p class="hw-alert hw-bad">{failure()}</p>}
            {read && (
              <ul class="hw-lines">
                {read.sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
          </div>
        )}
      </>
    );
  };
  return { draw, reset };
}

export function createLogPanel(view: View) {
  const source = createSource(view, "log", "Access log", () => panel.reset());
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
      <div class="hw-field">
        <label for={id("headers")}>Headers to read</label>
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
            panel.reset();
          }}
        />
        <div id={id("headers-hint")}>
          <Hint>{HEADERS_HELP}</Hint>
        </div>
      </div>
    ),
  });
  return panel.draw;
}
