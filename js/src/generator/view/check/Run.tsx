/** Sends several events of the provider, and negative tests of each. */
import type { ComponentChildren } from "preact";
import { isUnexpected, sendAgain, sendAll, stop } from "../../batch.js";
import { Button, Chip, count, duration, Fragment, Hint, h, signal, TextField } from "../../lazy-exports.js";
import { sentence } from "../../replies.js";
import type { Plan, Step } from "../../sending.js";
import type { Fault } from "../../wire.js";
import { createActions } from "../history/actions.js";
import { createConfirm } from "../request/Confirm.js";
import { createVerifyRequest, Result } from "../verify/Result.js";
import type { View } from "../view.js";
import { requestsOf, sizeOf } from "./plan.js";

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
  const actions = createActions(view);
  const verify = createVerifyRequest(view, true);
  /** Number of the delivery whose response is shown below the table. */
  const open = signal(0);
  const chain = signal(false);
  const filter = signal("");
  const chosen = signal<ReadonlySet<string>>(new Set());
  /** Names of the selected faults; they stay selected when the provider changes. */
  const wrong = signal<ReadonlySet<string>>(new Set());
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

  const negativeTests = () => {
    const faults = state.provider()?.faults ?? [];
    const possible = faults.filter(({ problem }) => !problem).map(({ name }) => name);
    const all = possible.every((name) => wrong().has(name));
    const tick = (names: readonly string[], on: boolean) =>
      wrong.set(new Set([...wrong()].filter((name) => !names.includes(name)).concat(on ? names : [])));
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
            box(title, [name], wrong().has(name), problem || `expect ${expected}`, !problem),
          )}
        </fieldset>
      )
    );
  };

  const cell = ({ progress, delivery, failure, fault }: Step) => {
    const { ok, text } = delivery?.assessment ?? { ok: null, text: "" };
    const tone = delivery ? (ok === null ? "warn" : ok ? "ok" : "bad") : "plain";
    const status = delivery?.status ? `${delivery.status} ${delivery.reason}` : "No response";
    const chip = <Chip tone={progress === "Not sent" ? "bad" : tone}>{delivery ? status : progress}</Chip>;
    const isOpen = delivery?.n === open();
    return (
      <>
        {delivery ? (
          <Button
            look="quiet"
            expanded={isOpen}
            controls={id("run-response")}
            onClick={() => open.set(isOpen ? 0 : delivery.n)}
          >
            {chip}
          </Button>
        ) : (
          chip
        )}
        {delivery && <span class="hw-dim">{duration(delivery.elapsed_s)}</span>}
        <span class={ok === false ? "hw-bad" : "hw-dim"}>
          {text || sentence(failure) || `expect ${fault?.expected ?? "2xx"}`}
        </span>
      </>
    );
  };

  const response = (steps: readonly Step[]) => {
    const step = steps.find(({ delivery }) => delivery?.n === open());
    if (!step?.delivery) return null;
    const { n } = step.delivery;
    return (
      <section id={id("run-response")} class="hw-run-response" aria-label={`Response ${n}`}>
        <p>
          <b class="hw-mono">{step.event}</b> {step.fault?.title ?? "Valid"}
        </p>
        <Result record={step.delivery} verify={verify} />
        <div class="hw-row">
          <Button onClick={() => actions.copyCurl(n)}>Copy as curl</Button>
          <Button onClick={() => actions.openInEditor(n)}>Open in Generate</Button>
        </div>
        {actions.failure() && <p class="hw-alert hw-bad">{actions.failure()}</p>}
      </section>
    );
  };

  const results = (steps: readonly Step[]) => {
    const sent = steps.filter(({ delivery }) => delivery);
    const expected = sent.filter(({ delivery }) => delivery?.assessment?.ok);
    const unexpected = steps.filter(isUnexpected).length;
    const faults = new Map<string, Fault | null>(steps.map(({ fault }) => [fault?.name ?? "", fault]));
    const rounds = Math.max(...steps.map(({ round }) => round));
    const rows = new Map<string, Step[]>();
    for (const step of steps) {
      const key = `${step.round} ${step.event}`;
      rows.set(key, [...(rows.get(key) ?? []), step]);
    }
    return (
      <>
        <div class="hw-row hw-middle">
          <p>
            {expected.length} of {count(sent.length, "response")} as expected
            {sent.length < steps.length && `, ${steps.length - sent.length} not sent`}
          </p>
          {unexpected > 0 && !sender.running() && (
            <Button onClick={() => sendAgain(sender)}>Send the {unexpected} unexpected again</Button>
          )}
        </div>
        {/* biome-ignore lint/a11y: scrolls by itself, so the keyboard must reach it */}
        <div class="hw-scroll" role="region" aria-label="Table of results" tabIndex={0}>
          <table class="hw-table hw-run-results" aria-label="Results">
            <thead>
              <tr>
                <th scope="col">Event</th>
                {[...faults.values()].map((fault) => (
                  <th scope="col" key={fault?.name ?? ""}>
                    {fault?.title ?? "Valid"}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...rows].map(([key, cells]) => (
                <tr key={key}>
                  <th scope="row" class="hw-mono">
                    {cells[0]?.event}
                    {rounds > 1 && <span class="hw-dim"> #{cells[0]?.round}</span>}
                  </th>
                  {cells.map((step) => (
                    <td key={step.fault?.name ?? ""} data-label={step.fault?.title ?? "Valid"}>
                      {cell(step)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {response(steps)}
      </>
    );
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
      faults: (state.provider()?.faults ?? []).filter(({ name, problem }) => !problem && wrong().has(name)),
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
          {negativeTests()}
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
