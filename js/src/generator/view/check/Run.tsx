/** Sends several events of the provider, and negative tests of each. */
import type { ComponentChildren } from "preact";
import type { Signal } from "../../../core/signals.js";
import { sendAll } from "../../batch.js";
import { Button, Chip, Fragment, Hint, h, signal, TextField } from "../../lazy-exports.js";
import { sentence } from "../../replies.js";
import type { Plan } from "../../sending.js";
import type { Fault } from "../../wire.js";
import { breakable, Tick } from "../parts.js";
import { createConfirm } from "../request/Confirm.js";
import type { View } from "../view.js";
import { type Bounds, matchingEvents, outside, rangeOf, requestsOf, sizeOf, within } from "./plan.js";
import { createRunResults } from "./RunResults.js";

/** Maximum number of requests in a run, so that the receiver is not flooded. */
const MOST = 50;
const FEW = 5;
const REPEAT: Bounds = { least: 1, most: MOST, whole: true };
const INTERVAL_S: Bounds = { least: 0, most: 60, whole: false };
/** The kernel's own limit. */
const AT_ONCE: Bounds = { least: 1, most: 4, whole: true };

export function createRun(view: View) {
  const { state, sender } = view;
  const confirm = createConfirm(view, ".hw-run-go");
  const results = createRunResults(view);
  const events = createEvents(view);
  const pace = createPace(view);
  /** Names of the selected faults; they stay selected when the provider changes. */
  const selectedFaults = signal<readonly string[]>([]);

  return (todo: string, secret: ComponentChildren) => {
    const faults = state.provider()?.faults ?? [];
    const plan: Plan = {
      events: events.chosen(),
      faults: faults.filter(({ name, problem }) => !problem && selectedFaults().includes(name)),
      ...pace.plan(),
    };
    const size = sizeOf(plan);
    const busy = sender.running() || sender.since() !== null;
    return (
      <div class="hw-check">
        <section class="hw-check-side" aria-label="Requests to send">
          {secret}
          {events.draw()}
          <NegativeTests faults={faults} selected={selectedFaults} />
        </section>
        <section class="hw-check-main hw-run-go" aria-label="Run">
          <div class="hw-row">
            {pace.draw()}
            <span class="hw-right hw-row">
              {sender.running() && <Button onClick={sender.stop}>Stop</Button>}
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
          {size > MOST && (
            <span class="hw-hint">At most {MOST} requests a run; choose fewer events or repetitions.</span>
          )}
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

/** The provider's events with check boxes; Shift selects a range. */
function createEvents({ state, id }: View) {
  const filter = signal("");
  const chosen = signal<readonly string[]>([]);
  /** The event clicked last; Shift selects the range from it. */
  let anchor = "";
  let provider = "";

  const choose = (shown: readonly string[], name: string, checked: boolean, range: boolean) => {
    const names = range ? rangeOf(shown, anchor, name) : [name];
    const others = chosen().filter((each) => !names.includes(each));
    chosen.set(checked ? [...others, ...names] : others);
    anchor = name;
  };
  return {
    /** Returns the chosen events in list order, not click order. */
    chosen() {
      if (provider !== state.inputs.provider()) {
        provider = state.inputs.provider();
        chosen.set([]);
        anchor = "";
      }
      return (state.provider()?.events ?? [])
        .map(({ name }) => name)
        .filter((name) => chosen().includes(name));
    },
    draw() {
      const names = matchingEvents(state.provider()?.events ?? [], filter());
      return (
        <>
          <TextField id={id("several-filter")} label="Filter events" value={filter()} onText={filter.set} />
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a list that scrolls */}
          <div class="hw-run-events" role="group" aria-label="Events to send">
            {names.map((name) => (
              <Tick
                key={name}
                checked={chosen().includes(name)}
                onClick={(event) => choose(names, name, event.currentTarget.checked, event.shiftKey)}
              >
                <span class="hw-mono">{breakable(name)}</span>
              </Tick>
            ))}
          </div>
          <div class="hw-row">
            <Button onClick={() => chosen.set(names.slice(0, FEW))}>First {FEW}</Button>
            <Button onClick={() => chosen.set(names.slice(0, MOST))}>Select all</Button>
            <Button disabled={chosen().length === 0} onClick={() => chosen.set([])}>
              Select none
            </Button>
          </div>
          <Hint>Shift+click selects a range. Edited payloads are sent as edited, all others as samples.</Hint>
        </>
      );
    },
  };
}

/** Rounds, pause and order of the requests. */
function createPace({ state, id }: View) {
  const repeat = signal("1");
  const interval = signal("0");
  const atOnce = signal("1");
  const chain = signal(false);
  /** True if events are sent one by one: those of a chain are ordered, and the tab asks about one token at a time. */
  const single = () => chain() || state.draft()?.reveals_secret === true;
  const atOnceText = () => (single() ? "1" : atOnce());
  const number = (
    name: string,
    label: string,
    text: string,
    bounds: Bounds,
    onText: (text: string) => void,
  ) => ({
    id: id(name),
    label,
    type: "number" as const,
    value: text,
    onText,
    ...outside(text, bounds),
  });
  return {
    plan: () => ({
      repeat: within(repeat(), REPEAT),
      intervalMs: 1000 * within(interval(), INTERVAL_S),
      chain: chain(),
      atOnce: within(atOnceText(), AT_ONCE),
    }),
    draw: () => (
      <>
        <TextField {...number("run-repeat", "Repeat", repeat(), REPEAT, repeat.set)} />
        <TextField {...number("run-interval", "Interval (seconds)", interval(), INTERVAL_S, interval.set)} />
        <TextField
          {...number("run-at-once", `At once (1 to ${AT_ONCE.most})`, atOnceText(), AT_ONCE, atOnce.set)}
          readOnly={single()}
        />
        <Tick checked={chain()} onClick={({ currentTarget }) => chain.set(currentTarget.checked)}>
          <span>Chain: same customer and amount</span>
        </Tick>
      </>
    ),
  };
}

/** Faults to put into a valid request of each event; `selected` has their names. */
function NegativeTests({
  faults,
  selected,
}: {
  faults: readonly Fault[];
  selected: Signal<readonly string[]>;
}) {
  const possible = faults.filter(({ problem }) => !problem).map(({ name }) => name);
  if (possible.length === 0) return null;
  const box = (title: string, names: readonly string[], note: string, usable = true) => (
    <Tick
      key={title}
      disabled={!usable}
      checked={usable && names.every((name) => selected().includes(name))}
      onClick={({ currentTarget }) => {
        const others = selected().filter((name) => !names.includes(name));
        selected.set(currentTarget.checked ? [...others, ...names] : others);
      }}
    >
      <span>
        {title} <span class="hw-dim">{note}</span>
      </span>
    </Tick>
  );
  return (
    <fieldset class="hw-run-faults">
      <legend>Negative tests of each event</legend>
      {box("All that apply", possible, "")}
      {faults.map(({ name, title, expected, problem }) =>
        box(title, [name], problem || `expect ${expected}`, !problem),
      )}
    </fieldset>
  );
}
