/** All deliveries of this widget and all imported requests, newest first. */
import {
  Button,
  Chip,
  clockTime,
  count,
  duration,
  Fragment,
  h,
  signal,
  TextField,
} from "../../lazy-exports.js";
import type { Delivery } from "../../wire.js";
import { Failure, Toggles } from "../parts.js";
import { createVerifyRequest, Result, StatusChip } from "../verify/Result.js";
import type { View } from "../view.js";
import { createActions } from "./actions.js";
import { createComparison } from "./Comparison.js";
import { createDetails } from "./Details.js";
import { createImport } from "./Import.js";
import { createSearch, OUTCOMES, outcomeOf } from "./search.js";

export function createHistory(view: View) {
  const { state, id } = view;
  const actions = createActions(view);
  const search = createSearch(state);
  const importing = createImport(view, actions);
  const selection = createSelection(view, actions);
  const entries = createEntries(view, actions, selection);

  const filters = (records: readonly Delivery[]) => (
    <div class="hw-choose">
      <TextField
        id={id("history-filter")}
        label="Filter"
        grow
        placeholder="event, URL, status, header or body text"
        value={search.filter()}
        onText={search.filter.set}
      />
      <Toggles
        label="Filter by outcome"
        buttons={OUTCOMES.map((each) => [
          each,
          `${records.filter((record) => outcomeOf(record) === each).length} ${each}`,
          search.outcome() === each,
        ])}
        onPress={(each) => search.outcome.set(search.outcome() === each ? "" : each)}
      />
    </div>
  );
  const list = (records: readonly Delivery[], matching: readonly Delivery[]) => (
    <>
      {search.active() && (
        <p class="hw-hint hw-history-bar" role="status">
          {matching.length} of {count(records.length, "entry", "entries")} match.
          {search.failure() && <> Headers and bodies were not searched: {search.failure()}</>}
        </p>
      )}
      <div class="hw-history-panes">
        <ol class="hw-history">{matching.map(entries.draw)}</ol>
        {!matching.some(entries.isOpen) && (
          <p class="hw-empty hw-history-none">Select an entry to see its exchange.</p>
        )}
      </div>
      <p class="hw-hint hw-history-bar">
        Exports contain requests, responses and signatures, never a secret.
      </p>
    </>
  );

  return () => {
    const records = state.deliveries();
    const matching = search.matching(records);
    const empty = records.length === 0;
    return (
      <>
        {importing()}
        {!empty && filters(records)}
        {!empty && selection.bar(records.length)}
        <Failure text={actions.failure()} />
        {selection.comparison()}
        {empty ? (
          <p class="hw-empty">No deliveries yet. The history is cleared when the kernel restarts.</p>
        ) : (
          list(records, matching)
        )}
      </>
    );
  };
}

type Actions = ReturnType<typeof createActions>;
type Selection = ReturnType<typeof createSelection>;

/** Two entries to compare, and what can be done with all. */
function createSelection(view: View, actions: Actions) {
  const selected = signal<number[]>([]);
  const clearing = signal(false);
  const compare = createComparison(view);
  const clear = () => {
    clearing.set(false);
    selected.set([]);
    compare.close();
    void actions.clear();
  };
  return {
    has: (n: number) => selected().includes(n),
    toggle(n: number) {
      const others = selected().filter((other) => other !== n);
      selected.set(others.length < selected().length ? others : [...others, n].slice(-2));
      compare.close();
    },
    comparison: compare.draw,
    bar: (entries: number) => (
      <div class="hw-row hw-history-bar">
        <Button
          disabled={selected().length !== 2}
          onClick={() => compare.show(Math.min(...selected()), Math.max(...selected()))}
        >
          Compare two
        </Button>
        <Button onClick={() => actions.save("har")}>Export HAR</Button>
        <Button onClick={() => actions.save("json")}>Export JSON</Button>
        {clearing() ? (
          <>
            {/* First, so that a double click on “Clear…” clears nothing. */}
            <Button onClick={() => clearing.set(false)}>Cancel</Button>
            <Button look="primary" onClick={clear}>
              Clear {count(entries, "entry", "entries")}
            </Button>
          </>
        ) : (
          <Button onClick={() => clearing.set(true)}>Clear…</Button>
        )}
      </div>
    ),
  };
}

/** The entries, of which one can be open. */
function createEntries(view: View, actions: Actions, selection: Selection) {
  const { sender } = view;
  const open = signal(0);
  const details = createDetails(view);
  const verify = createVerifyRequest(view, true);
  const isOpen = ({ n }: Delivery) => open() === n;
  const press = (record: Delivery) => {
    if (!isOpen(record)) details.load(record.n);
    open.set(isOpen(record) ? 0 : record.n);
  };
  const line = (record: Delivery) => {
    const { n, event, provider, url, at, elapsed_s, imported, fault } = record;
    return (
      <button type="button" class="hw-disclose" aria-expanded={isOpen(record)} onClick={() => press(record)}>
        <span class="hw-dim">#{n}</span>
        <StatusChip record={record} />
        {imported && <Chip>imported</Chip>}
        {fault && <Chip>{fault}</Chip>}
        <span class="hw-mono">{event || provider || "unknown"}</span>
        <span class="hw-mono hw-dim hw-where">{url}</span>
        <span class="hw-dim">
          {clockTime(at)}
          {elapsed_s > 0 && ` · ${duration(elapsed_s)}`}
        </span>
      </button>
    );
  };
  const stops = (n: number) => sender.stoppable() && sender.resending() === n;
  const draw = (record: Delivery) => {
    const { n, imported, fault } = record;
    return (
      <li key={n}>
        <div class="hw-entry">
          <input
            type="checkbox"
            class="hw-tick"
            aria-label={`Compare delivery ${n}`}
            checked={selection.has(n)}
            onChange={() => selection.toggle(n)}
          />
          {line(record)}
          {!imported && !fault && (
            <Button
              disabled={sender.since() !== null && !stops(n)}
              title={stops(n) ? "Do not wait for the response" : "Same payload and URL, with a new signature"}
              onClick={() => (stops(n) ? sender.stop() : sender.send(n))}
            >
              <span>
                {stops(n) ? "Stop" : "Resend"}
                <span class="hw-offscreen"> delivery {n}</span>
              </span>
            </Button>
          )}
        </div>
        {isOpen(record) && (
          <div class="hw-result">
            <div class="hw-row">{actions.buttons(n)}</div>
            {imported ? verify(record) : <Result record={record} verify={verify} brief />}
            {details.draw(n)}
          </div>
        )}
      </li>
    );
  };
  return { draw, isOpen };
}
