/**
 * State of a widget with a picture, shared by all its views: the inputs as entered, and the frames for them.
 *
 * While a slider moves, only pictures are requested. The traits, which other tabs and the saved notebook see, are
 * set when it stops.
 */

import { createAnnouncer } from "../core/announcer.js";
import { type Connection, onReturn, openConnection } from "../core/connection.js";
import { lenient, type Reader, some, text } from "../core/decoders.js";
import { type Host, type HostModel, hostOf } from "../core/host.js";
import { countViews } from "../core/lifecycle.js";
import { type Signal, signal } from "../core/signals.js";
import { createSyncedInputs } from "../core/synced-inputs.js";
import { randomHex } from "../crypto/primitives.js";
import { createFrames, type Frames, type Size } from "./frames.js";
import { createRequests } from "./requests.js";
import type { Screen } from "./screen.js";
import type { Basics, exportedAs, Inputs } from "./wire.js";

/** Kind of edit: moving a slider, typing, or a choice that takes effect at once. */
export type Pace = "move" | "type" | "now";
/** Silence of a kernel after which the saved form of the widget is shown. */
const SILENCE_MS = 5000;
/** Pause after which an edit takes effect, in milliseconds. */
export const PAUSE_MS = { move: 200, type: 250, now: 0 };

export type State<I extends object = object, F extends Basics = Basics, C = unknown> = ReturnType<
  typeof createPlotState<I, F, C>
>;

/** Data and functions that one kind of widget provides. */
export interface Kind<I extends object, F extends Basics, C> {
  name: string;
  inputs: Inputs<I>;
  /** Returns the inputs without empty rows at the end. */
  trimmed(inputs: I): I;
  catalog: Reader<C>;
  frame: Reader<F>;
  exported: ReturnType<typeof exportedAs>;
  /** Returns further arguments of a request for a frame of this width. */
  extraArgs?(inputs: I, width: number): Record<string, unknown>;
  /** Returns the last full frame with the values of a quick one. */
  mergeQuick(before: F, quick: F): F;
  /** True if the kernel computes the frames in the background: none is requested while a slider moves. */
  slow?(): boolean;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Returns the locked inputs, in the author's order; an invalid value counts as none. */
function followLocked(host: Host): Signal<string[]> {
  const locked = signal<string[]>([]);
  const read = () => locked.set(lenient(some(text))(host.get("locked")));
  host.on("change:locked", read);
  read();
  return locked;
}

/** Size of the picture, and part of the axis that it shows; `ask` requests a frame after a change. */
function createPlacing(ask: () => void) {
  /** Part of the time axis to draw, in seconds; null for the whole axis. */
  const part = signal<[begin: number, end: number] | null>(null);
  let size: Size | null = null;
  return {
    part,
    size: () => size,
    zoom(to: [begin: number, end: number] | null) {
      if (same(to, part.peek())) return;
      part.set(to);
      ask();
    },
    /** Sets the size of the picture; with several views, the last call wins. */
    place(at: Size) {
      if (same(at, size)) return;
      size = at;
      ask();
    },
    openView: countViews(() => {
      size = null;
    }),
  };
}

interface Editing<I> {
  /** Reads an input from its trait. */
  hostInput(name: string): unknown;
  inputs: Signal<I>;
  isLocked(name: string): boolean;
  onChange(): void;
  /** Requests a frame. */
  ask(quick: boolean): void;
}

/** Edits of the inputs: saved in their traits, and taken from them when others set these. */
function createEdits<I extends object>(
  kind: Pick<Kind<I, Basics, unknown>, "name" | "inputs" | "trimmed" | "slow">,
  host: Host,
  connection: Connection,
  { hostInput, inputs, isLocked, onChange, ask }: Editing<I>,
) {
  const change = (to: I) => {
    inputs.set(to);
    onChange();
  };
  /** Sets inputs; locked ones keep their values. */
  const edit = (what: Partial<I>, pace: Pace = "now") => {
    const free = Object.entries(what).filter(([name]) => !isLocked(name));
    if (free.length === 0) return;
    synced.markEdited(free.map(([name]) => name));
    change({ ...inputs.peek(), ...Object.fromEntries(free) });
    if (pace === "move" && !kind.slow?.()) ask(true);
    synced.saveAfter(PAUSE_MS[pace]);
  };

  let accepting = false;
  const synced = createSyncedInputs<I>({
    host,
    connection,
    key: `${kind.name} ${JSON.stringify(inputs.peek())}`,
    names: kind.inputs.names,
    current: inputs,
    isCurrent: (name) => same(hostInput(name), kind.trimmed(inputs.peek())[name as keyof I]),
    accept(name) {
      change({ ...inputs.peek(), [name]: hostInput(name) });
      // The kernel updates traits together, but each fires its own event: request one frame for all.
      if (!accepting)
        queueMicrotask(() => {
          accepting = false;
          ask(false);
        });
      accepting = true;
    },
    write(names) {
      const current = kind.trimmed(inputs.peek());
      for (const name of names) host.set(name, current[name as keyof I]);
    },
    onSaved: () => ask(false),
  });
  return { edit, synced };
}

export function createPlotState<I extends object, F extends Basics, C>(
  kind: Kind<I, F, C>,
  model: HostModel,
  ends: AbortSignal,
  screen: Screen,
) {
  const { trimmed, slow = () => false } = kind;
  const host = hostOf(model, ends);
  const connection = openConnection(
    host,
    randomHex(4),
    () => frames.overdue(),
    () => {},
  );
  const { rpc, kernel } = connection;
  const locked = followLocked(host);
  const isLocked = (name: string) => locked().includes(name);
  const catalog = signal<C | null>(null);
  const { trouble, reportTrouble, request } = createRequests(rpc);
  const announcer = createAnnouncer();
  const { part, size, ...placing } = createPlacing(() => frames.ask(false));

  const hostInput = (name: string) => kind.inputs.read(name as keyof I, host.get(name));
  const inputs = signal(Object.fromEntries(kind.inputs.names.map((name) => [name, hostInput(name)])) as I);
  const newest = signal(0);

  const frames: Frames<F> = createFrames<F>({
    rpc,
    screen,
    newest,
    inputs: () => trimmed(inputs.peek()),
    size,
    trouble: reportTrouble("frame"),
    read: kind.frame,
    extraArgs: (width) => ({
      ...kind.extraArgs?.(inputs.peek(), width),
      ...(part.peek() && { part: part.peek() }),
    }),
    mergeQuick: kind.mergeQuick,
    slow,
  });
  const onChange = () => {
    newest.set(newest() + 1);
    reportTrouble("export")(""); // it was for other inputs
  };
  const edits = { hostInput, inputs, isLocked, onChange, ask: frames.ask };
  const { edit, synced } = createEdits(kind, host, connection, edits);

  const loadCatalog = () =>
    request("catalog", {}, kind.catalog).then((reply) => reply && catalog.set(reply.value));
  if (host.connected) void loadCatalog();

  const stopWatching = onReturn(kernel, () => {
    frames.ask(false);
    if (!catalog.peek()) void loadCatalog();
  });

  /** Downloads an export of the current inputs. */
  const download = async (args: Record<string, unknown>) => {
    synced.save();
    const options = { inputs: trimmed(inputs.peek()), theme: size()?.theme ?? "light", ...args };
    const reply = await request("export", options, kind.exported, { slow: true });
    if (!reply) return;
    const { filename, media_type } = reply.value;
    screen.download(reply.buffers[0] ?? new Uint8Array(), filename, media_type);
    announcer.say(`Saved ${filename}`);
  };

  // A notebook that is opened again has a kernel that does not know the widget: nothing ever comes.
  const silent = signal(false);
  const silence = setTimeout(() => silent.set(newest.peek() === 0), SILENCE_MS);

  ends.addEventListener("abort", () => {
    clearTimeout(silence);
    frames.close();
    synced.close();
    stopWatching();
    rpc.abandon("The widget was closed.");
  });

  return {
    inputs,
    catalog,
    frames,
    kernel,
    contacted: connection.contacted,
    trouble,
    still: () => connection.still(silent()),
    typedBefore: synced.typedBefore,
    ...announcer,
    locked: isLocked,
    /** All locked inputs, in the author's order. */
    lockedNames: locked,
    /** True if the input is locked or there is no kernel. */
    fixed: (name: string) => isLocked(name) || kernel() === "none",
    edit,
    /** Saves pending edits without waiting for a pause. */
    settle: synced.save,
    request,
    download,
    part,
    /** Requests a frame of the same inputs; until it is there, the current one is stale. */
    refresh() {
      onChange();
      frames.ask(false);
    },
    ...placing,
  };
}
