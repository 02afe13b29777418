/** Receiver checks: their messages, and their state in one view. */

import type { Read } from "../core/decoders.js";
import type { RpcError } from "../core/rpc.js";
import { download } from "../ui/download.js";
import { createAttempts } from "./attempts.js";
import {
  effect,
  flag,
  list,
  nothing,
  number,
  or,
  orNull,
  pair,
  record,
  signal,
  some,
  text,
  words,
} from "./lazy-exports.js";
import type { View } from "./view/view.js";

const namedTexts = some(pair(text, text));

const row = record({
  id: text,
  title: text,
  severity: words,
  status: text,
  expected: words,
  observed: words,
  elapsed_s: or(number, 0),
  why: words,
  change: words,
  /** For each framework, the call that makes the change. */
  frameworks: namedTexts,
  sources: some(text),
  /** Time of the request if it can be copied and opened; "" if not. */
  sent: words,
  request: orNull(
    record({ label: words, method: text, url: text, headers: namedTexts, body: words, body_length: number }),
  ),
  response: orNull(
    record({ status: orNull(number), headers: namedTexts, body: words, error: words, elapsed_s: number }),
  ),
});
/**
 * `of`: provider, URL and suite; `keeps`: other rows stay; `command`: the shell command for the same run, without
 * what `lacks` lists.
 */
const begun = record({ of: list(text), keeps: flag, command: words, lacks: some(text) });
const ended = record({ stopped: words, elapsed_s: number, requests: number, error: words });
const catalogue = record({
  areas: list(pair(text, text)),
  /** For each status, its name in a report. */
  statuses: list(pair(text, text)),
  checks: list(record({ id: text, suite: text, oracle: flag })),
  oracle_set: flag,
  running: flag,
  begun: orNull(begun),
  ended: orNull(ended),
  rows: list(row),
});
const notes = {
  check_begin: record({ begun }),
  check_row: record({ done: number, total: number, row }),
  check_waits: record({ seconds: number }),
  check_end: record({ ended }),
};
const file = record({ name: text, type: text });

export type Row = Read<typeof row>;
export type Catalogue = Read<typeof catalogue>;
export type Form = "json" | "junit" | "markdown" | "pytest" | "html";
export type Checks = ReturnType<typeof createChecks>;

/** Counts passed and applicable checks; an undecided check is not passed. */
export const scoreOf = (rows: readonly Row[]) => ({
  passed: rows.filter(({ status }) => status === "passed").length,
  applicable: rows.filter(({ status }) => status !== "not_applicable").length,
});

/** Returns the suites and areas to choose from, each with its number of checks. */
export function suitesOf({ checks = [], areas = [] }: Partial<Catalogue>): [suite: string, title: string][] {
  const size = (area: string) => checks.filter(({ id }) => id[0] === area).length;
  const standard = checks.filter(({ suite }) => suite === "standard").length;
  return [
    ["standard", `Standard, ${standard} checks`],
    ["full", `Full, ${checks.length} checks`],
    ...areas
      .filter(([area]) => size(area))
      .map(([area, title]): [string, string] => [area, `${area}: ${title}, ${size(area)} checks`]),
  ];
}

/** Rows and progress of a run, as the kernel tells them. */
function createProgress() {
  const rows = signal<readonly Row[]>([]);
  const running = signal(false);
  const progress = signal({ done: 0, total: 0 });
  /** Seconds until the vault allows more signatures; 0 if it does now. */
  const waitSeconds = signal(0);
  const about = signal<Read<typeof begun> | null>(null);
  const end = signal<Read<typeof ended> | null>(null);
  /** Letter of the only area shown; "" for all. */
  const area = signal("");

  const putRow = (next: Row) => {
    const at = rows().findIndex(({ id }) => id === next.id);
    rows.set(at < 0 ? [...rows(), next] : rows().with(at, next));
  };
  const readers: Record<string, (content: unknown) => void> = {
    check_begin(content) {
      about.set(notes.check_begin(content).begun);
      if (!about()?.keeps) {
        rows.set([]);
        area.set("");
      }
      end.set(null);
      progress.set({ done: 0, total: 0 });
      running.set(true);
    },
    check_row(content) {
      const { row, ...counts } = notes.check_row(content);
      putRow(row);
      progress.set(counts);
      waitSeconds.set(0);
    },
    check_waits: (content) => waitSeconds.set(notes.check_waits(content).seconds),
    check_end(content) {
      end.set(notes.check_end(content).ended);
      running.set(false);
      waitSeconds.set(0);
    },
  };
  return { shown: { rows, running, progress, waitSeconds, about, end, area }, readers };
}

export function createChecks({ state, root, ends }: View) {
  const catalog = signal<Catalogue | null>(null);
  const { failure, attempt } = createAttempts(state.say);
  /** URL to confirm and its host, with the pending run. */
  const question = signal<{
    url: string;
    host: string;
    text: string;
    args: Record<string, unknown>;
  } | null>(null);
  // A confirmation belongs to one URL.
  ends.addEventListener(
    "abort",
    effect(() => {
      state.inputs.url();
      question.set(null);
    }),
  );
  const { shown, readers } = createProgress();
  const { rows, running, about, end } = shown;
  const onNotification = (op: string, content: unknown) => {
    if (Object.hasOwn(readers, op)) readers[op]?.(content);
    if (op === "check_end" && end()?.error) failure.set(end()?.error ?? "");
  };
  state.listeners.add(onNotification);
  ends.addEventListener("abort", () => state.listeners.delete(onNotification));

  let requested = false;
  /** Loads the checks when the panel is first opened. */
  const load = async () => {
    if (requested) return;
    requested = true;
    try {
      const { value } = await state.rpc.request("checks", {}, catalogue);
      catalog.set(value);
      if (rows().length === 0) rows.set(value.rows);
      about.set(value.begun);
      end.set(value.ended);
      running.set(value.running);
    } catch (error) {
      failure.set((error as Error).message);
    }
  };

  const run = async (args: Record<string, unknown>, confirmedUrl: string | null = null) => {
    if (running()) return;
    const url = state.inputs.url.peek();
    question.set(null);
    failure.set("");
    try {
      await state.upToDate();
      await state.rpc.request("check", { ...args, confirmed_url: confirmedUrl }, nothing, { slow: true });
      const { passed, applicable } = scoreOf(rows());
      state.say(`${passed} of ${applicable} checks passed.`);
    } catch (error) {
      const { code, message, host } = error as RpcError;
      if (code !== "confirm_host") failure.set(message);
      else if (url === state.inputs.url.peek()) question.set({ url, host, text: message, args });
      else return;
      state.say(message);
    }
  };
  const stop = () =>
    state.rpc.request("check_stop", {}, nothing).catch(({ message }) => failure.set(message));
  const save = (form: Form) =>
    attempt(async () => {
      const { value, buffers } = await state.rpc.request("check_export", { form }, file, { slow: true });
      download(root.ownerDocument, buffers[0] ?? new Uint8Array(), value.name, value.type);
      state.say(`Saved as ${value.name}`);
    });
  return { ...shown, catalog, failure, question, load, run, stop, save };
}
