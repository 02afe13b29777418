/** All deliveries of this widget and all imported requests, newest first. */
import {
  Button,
  Chip,
  clockTime,
  count,
  duration,
  Fragment,
  h,
  latestOnly,
  signal,
  TextField,
} from "../../lazy-exports.js";
import { searchReply } from "../../replies.js";
import type { Delivery } from "../../wire.js";
import { createVerifyRequest, Result, StatusChip } from "../verify/Result.js";
import type { View } from "../view.js";
import { createActions } from "./actions.js";
import { createComparison } from "./Comparison.js";
import { createDetails } from "./Details.js";
import { createImport } from "./Import.js";

const OUTCOMES = ["accepted", "rejected", "other"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Outcome of a delivery; redirects and missing responses are neither accepted nor rejected. */
function outcomeOf({ status }: Delivery): Outcome {
  if (status === null || (status >= 300 && status < 400)) return "other";
  return status < 300 ? "accepted" : "rejected";
}

export function createHistory(view: View) {
  const { state, sender, id } = view;
  const open = signal(0);
  const filter = signal("");
  /** Outcome to filter by; "" for all. */
  const outcome = signal<Outcome | "">("");
  const selected = signal<number[]>([]);
  const clearing = signal(false);
  const verify = createVerifyRequest(view, true);
  const actions = createActions(view);
  const details = createDetails(view);
  const compare = createComparison(view);
  const importing = createImport(view, actions.failure);

  /** The text that the kernel last searched for, also in headers and bodies, and the matches. */
  const searched = signal<{ text: string; matches: readonly number[]; failure: string }>({
    text: "",
    matches: [],
    failure: "",
  });
  const search = latestOnly(async (text: string) => {
    try {
      const { value } = await state.rpc.request("search", { text }, searchReply);
      searched.set({ text, matches: value.matches, failure: "" });
    } catch (error) {
      searched.set({ text, matches: [], failure: (error as Error).message });
    }
  });
  let lastSearch = "";
  /** Repeats the search when the text or the list has changed. */
  const searchAgain = (records: readonly Delivery[]) => {
    const key = filter().trim() && `${filter()} ${records.length} ${records[0]?.n}`;
    if (key && key !== lastSearch) search(filter());
    lastSearch = key;
  };

  const shown = (record: Delivery) => {
    const { n, provider, event, method, url, status, reason, fault } = record;
    const text = `#${n} ${provider} ${event} ${method} ${url} ${status} ${reason} ${fault}`;
    const words = filter().toLowerCase().split(/\s+/);
    const matchesWords = words.every((word) => text.toLowerCase().includes(word));
    const matchesInside = searched().text === filter() && searched().matches.includes(n);
    return (matchesWords || matchesInside) && (!outcome() || outcomeOf(record) === outcome());
  };
  const toggle = (n: number) => {
    const others = selected().filter((other) => other !== n);
    selected.set(others.length < selected().length ? others : [...others, n].slice(-2));
    compare.close();
  };

  const bar = (records: readonly Delivery[]) => (
    <>
      <div class="hw-choose">
        <TextField
          id={id("history-filter")}
          label="Filter"
          grow
          placeholder="event, URL, status, header or body text"
          value={filter()}
          onText={filter.set}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: not a group of form fields */}
        <span class="hw-row" role="group" aria-label="Filter by outcome">
          {OUTCOMES.map((each) => (
            <button
              key={each}
              type="button"
              class="hw-btn"
              aria-pressed={outcome() === each}
              onClick={() => outcome.set(outcome() === each ? "" : each)}
            >
              {records.filter((record) => outcomeOf(record) === each).length} {each}
            </button>
          ))}
        </span>
      </div>
      <div class="hw-row hw-history-bar">
        <Button
          disabled={selected().length !== 2}
          onClick={() => compare.show(Math.min(...selected()), Math.max(...selected()))}
        >
          Compare two
        </Button>
        <Button onClick={() => actions.save("har")}>Export HAR</Button>
        <Button onClick={() => actions.save("json")}>Export JSON</Button>
        {!clearing() && <Button onClick={() => clearing.set(true)}>Clear…</Button>}
        {clearing() && (
          <>
            <Button
              look="primary"
              onClick={() => {
                clearing.set(false);
                selected.set([]);
                compare.close();
                void actions.clear();
              }}
            >
              Clear {records.length} entries
            </Button>
            <Button onClick={() => clearing.set(false)}>Cancel</Button>
          </>
        )}
      </div>
    </>
  );

  const entry = (record: Delivery) => {
    const { n, event, provider, url, at, elapsed_s } = record;
    const isOpen = open() === n;
    return (
      <li key={n}>
        <div class="hw-entry">
          <input
            type="checkbox"
            class="hw-tick"
            aria-label={`Compare delivery ${n}`}
            checked={selected().includes(n)}
            onChange={() => toggle(n)}
          />
          <button
            type="button"
            class="hw-disclose"
            aria-expanded={isOpen}
            onClick={() => {
              open.set(isOpen ? 0 : n);
              if (!isOpen) details.load(n);
            }}
          >
            <span class="hw-dim">#{n}</span>
            <StatusChip record={record} />
            {record.imported && <Chip>imported</Chip>}
            {record.fault && <Chip>{record.fault}</Chip>}
            <span class="hw-mono">{event || provider || "unknown"}</span>
            <span class="hw-mono hw-dim hw-where">{url}</span>
            <span class="hw-dim">
              {clockTime(at)}
              {elapsed_s > 0 && ` · ${duration(elapsed_s)}`}
            </span>
          </button>
          {!record.imported && !record.fault && (
            <Button
              disabled={sender.since() !== null}
              title="Same payload and URL, with a new signature"
              onClick={() => sender.send(n)}
            >
              <span>
                Resend<span class="hw-offscreen"> delivery {n}</span>
              </span>
            </Button>
          )}
        </div>
        {isOpen && (
          <div class="hw-result">
            <div class="hw-row">
              <Button onClick={() => actions.copyCurl(n)}>Copy as curl</Button>
              <Button onClick={() => actions.openInEditor(n)}>Open in editor</Button>
            </div>
            {record.imported ? verify(record) : <Result record={record} verify={verify} brief />}
            {details.draw(n)}
          </div>
        )}
      </li>
    );
  };

  return () => {
    const records = state.deliveries();
    searchAgain(records);
    const matching = records.filter(shown);
    return (
      <>
        {importing()}
        {records.length > 0 && bar(records)}
        {actions.failure() && <p class="hw-alert hw-bad">{actions.failure()}</p>}
        {compare.draw()}
        {records.length === 0 ? (
          <p class="hw-empty">No deliveries yet. The history is cleared when the kernel restarts.</p>
        ) : (
          <>
            {(filter().trim() || outcome()) && (
              <p class="hw-hint hw-history-bar" role="status">
                {matching.length} of {count(records.length, "entry", "entries")} match.
                {searched().text === filter() && searched().failure && (
                  <> Headers and bodies were not searched: {searched().failure}</>
                )}
              </p>
            )}
            <div class="hw-history-panes">
              <ol class="hw-history">{matching.map(entry)}</ol>
              {!matching.some(({ n }) => n === open()) && (
                <p class="hw-empty hw-history-none">Select an entry to see its request and response.</p>
              )}
            </div>
          </>
        )}
        {records.length > 0 && (
          <p class="hw-hint hw-history-bar">
            Exports contain requests, responses and signatures, never a secret.
          </p>
        )}
      </>
    );
  };
}
