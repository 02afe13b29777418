/** Sends several events of the provider, and negative tests of each. */
import type { ComponentChildren } from "preact";
import type { Signal } from "../../../core/signals.js";
import { sendAll, stop } from "../../batch.js";
import { Button, Chip, Hint, h, signal, TextField } from "../../lazy-exports.js";
import { sentence } from "../../replies.js";
import type { Plan } from "../../sending.js";
import type { Fault } from "../../wire.js";
import { createConfirm } from "../request/Confirm.js";
import type { View } from "../view.js";
import { requestsOf, sizeOf } from "./plan.js";
import { createRunResults } from "./RunResults.js";

/** Maximum number of requests in a run, so that the receiver is not flooded. */
const MOST = 50;
const FEW = 5;
const MOST_SECONDS = 60;
/** The kernel's own limit. */
const MOST_AT_ONCE = 4;

const within = (text: string, least: number, most: number) =>
  Math.min(most, Math.max(least, Number.parseFloat(text) || 0));

export function createRun(view: View) {
  const { state, sender, id } = view;
  const confirm = createConfirm(view, ".hw-run-go");
  const repeat = signal("1");
  const interval = signal("0");
  const atOnce = signal("1");
  const results = createRunResults(view);
  const chain = signal(false);
  const filter = signal("");
  const chosen = signal<ReadonlySet<string>>(new Set());
  /** Names of the selected faults; they stay selected when the provider changes. */
  const selectedFaults = signal<ReadonlySet<string>>(new Set());
  /** The event clicked last; Shift selects the range from it. */
  let anchor = "";
  let provider = "";

  const choose = (names: readonly string[], event: MouseEvent, name: string) => {
    const { checked } = event.currentTarget as HTMLInputElement;
    const [from, to] = [names.indexOf(anchor), names.indexOf(name)].sort((a, b) => a - b) as [number, number];
    const range = event.shiftKey && from >= 0 ? names.slice(from, to + 1) : [name];
    const next = new Set(chosen());
    for (const each of range) checked ? next.add(each) : next.delete(each);
    chosen.set(next);
    anchor = name;
  };

  return (todo: string, secret: ComponentChildren) => {
    if (provider !== state.inputs.provider()) {
      provider = state.inputs.provider();
      chosen.set(new Set());
      anchor = "";
    }
    const all = state.provider()?.events ?? [];
    const words = filter().toLowerCase().split(/\s+/);
    const names = all
      .filter(({ name, title }) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word)))
      .map(({ name }) => name);
    // The events of a chain are ordered, and the tab asks about one token at a time.
    const single = chain() || state.draft()?.reveals_secret === true;
    const plan: Plan = {
      // In list order, not click order.
      events: all.map(({ name }) => name).filter((name) => chosen().has(name)),
      faults: (state.provider()?.faults ?? []).filter(
        ({ name, problem }) => !problem && selectedFaults().has(name),
      ),
      repeat: Math.floor(within(repeat(), 1, MOST)),
      intervalMs: 1000 * within(interval(), 0, MOST_SECONDS),
      chain: chain(),
      atOnce: single ? 1 : Math.floor(within(atOnce(), 1, MOST_AT_ONCE)),
    };
    const size = sizeOf(plan);
    const busy = sender.running() || sender.since() !== null;
    return (
      <div class="hw-check">
        <section class="hw-check-side" aria-label="Requests to send">
          {secret}
          <TextField id={id("several-filter")} label="Filter events" value={filter()} onText={filter.set} />
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a list that scrolls */}
          <div class="hw-run-events" role="group" aria-label="Events to send">
            {names.map((name) => (
              <label key={name} class="hw-run-tick">
                <input
                  type="checkbox"
                  class="hw-tick"
                  checked={chosen().has(name)}
                  onClick={(event) => choose(names, event, name)}
                />
                <span class="hw-mono">{name}</span>
              </label>
            ))}
          </div>
          <div class="hw-row">
            <Button onClick={() => chosen.set(new Set(names.slice(0, FEW)))}>First {FEW}</Button>
            <Button onClick={() => chosen.set(new Set(names.slice(0, MOST)))}>Select all</Button>
            <Button disabled={plan.events.length === 0} onClick={() => chosen.set(new Set())}>
              Select none
            </Button>
          </div>
          <Hint>Shift+click selects a range. Edited payloads are sent as edited, all others as samples.</Hint>
          {negativeTests(state.provider()?.faults ?? [], selectedFaults)}
        </section>
        <section class="hw-check-main hw-run-go" aria-label="Run">
          <div class="hw-row">
            <TextField
              id={id("run-repeat")}
              label="Repeat"
              type="number"
              value={repeat()}
              onText={repeat.set}
            />
            <TextField
              id={id("run-interval")}
              label="Interval (seconds)"
              type="number"
              value={interval()}
              onText={interval.set}
            />
            <TextField
              id={id("run-at-once")}
              label={`At once (1 to ${MOST_AT_ONCE})`}
              type="number"
              readOnly={single}
              value={single ? "1" : atOnce()}
              onText={atOnce.set}
            />
            <label class="hw-run-tick">
              <input
                type="checkbox"
                class="hw-tick"
                checked={chain()}
                onClick={({ currentTarget }) => chain.set(currentTarget.checked)}
              />
              <span>Chain: same customer and amount</span>
            </label>
            <span class="hw-right hw-row">
              {sender.running() && <Button onClick={() => stop(sender)}>Stop</Button>}
              <Button
                look="primary"
                disabled={size === 0 || size > MOST || busy || todo !== ""}
                title={todo}
                onClick={() => sendAll(state, sender, plan)}
              >
                Send {requestsOf(plan)}
              </Button>
            </span>
          </div>
          {todo && <Hint>{todo}</Hint>}
          {size > MOST && <span class="hw-hint">At most {MOST} requests at once.</span>}
          {confirm()}
          {sender.rejection() && (
            <p class="hw-line">
              <Chip tone="bad">Not sent</Chip> {sentence(sender.rejection())}
            </p>
          )}
          {sender.steps().length > 0 ? (
            results(sender.steps())
          ) : (
            <Hint>Choose events; the requests of each are sent one after another.</Hint>
          )}
        </section>
      </div>
    );
  };
}

/** Faults to put into a valid request of each event; `selected` has their names. */
function negativeTests(faults: readonly Fault[], selected: Signal<ReadonlySet<string>>) {
  const possible = faults.filter(({ problem }) => !problem).map(({ name }) => name);
  const all = possible.every((name) => selected().has(name));
  const tick = (names: readonly string[], on: boolean) =>
    selected.set(new Set([...selected()].filter((name) => !names.includes(name)).concat(on ? names : [])));
  const box = (title: string, names: readonly string[], on: boolean, note: string, usable = true) => (
    <label key={title} class="hw-run-tick">
      <input
        type="checkbox"
        class="hw-tick"
        disabled={!usable}
        checked={on && usable}
        onClick={({ currentTarget }) => tick(names, currentTarget.checked)}
      />
      <span>
        {title} <span class="hw-dim">{note}</span>
      </span>
    </label>
  );
  return (
    possible.length > 0 && (
      <fieldset class="hw-run-faults">
        <legend>Negative tests of each event</legend>
        {box("All that apply", possible, all, "")}
        {faults.map(({ name, title, expected, problem }) =>
          box(title, [name], selected().has(name), problem || `expect ${expected}`, !problem),
        )}
      </fieldset>
    )
  );
}
