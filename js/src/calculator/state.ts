/**
 * The state of one calculator, shared by all its views: the inputs as they were written, and what they come to.
 *
 * While a slider moves, only pictures are asked for; the traits, which every tab and the saved notebook see, follow
 * when it rests.
 */
import { type HostModel, hostOf } from "../host.js";
import { kept } from "../kept.js";
import { type Line, openLine } from "../line.js";
import { randomHex } from "../primitives.js";
import type { Options, RpcError } from "../rpc.js";
import { list, or, type Reader, text } from "../shapes.js";
import { type Computed, effect, type Signal, signal } from "../signals.js";
import { createSpeech, type Speech } from "../speech.js";
import { createFrames, type Frames, type Size } from "./frames.js";
import { browser, type Screen } from "./screen.js";
import * as wire from "./wire.js";

/** What is being done: moving a slider, typing, or choosing something that counts at once. */
export type Pace = "move" | "type" | "now";
/** How long it may pause before it counts. */
export const PAUSE_MS = { move: 200, type: 250, now: 0 };

type Change = Partial<wire.Inputs>;

export interface State extends Speech, Pick<Line, "kernel" | "heard"> {
  readonly inputs: Computed<wire.Inputs>;
  readonly catalog: Computed<wire.Catalog | null>;
  readonly frames: Frames;
  readonly trouble: Computed<string>;
  /** What was typed before the kernel was restarted, until it is put back or dropped. */
  readonly typedBefore: Signal<Change | null>;
  locked(name: string): boolean;
  /** Locked, or there is nobody to tell. */
  fixed(name: string): boolean;
  /** Sets inputs, but for locked ones. */
  edit(change: Change, pace?: Pace): void;
  /** Tells the kernel what was edited, without waiting for a pause. */
  settle(): void;
  /** Sets what a preset stands for. */
  choose(preset: string): Promise<void>;
  save(format: "png" | "svg"): Promise<void>;
  /** Where a picture is wanted; the view that said so last is drawn for. */
  place(size: Size): void;
  openView(): () => void;
}

/** Without the rows at the end that nothing was written into yet. */
function told(inputs: wire.Inputs): wire.Inputs {
  const last = inputs.limits.findLastIndex(([name, rate]) => name || rate);
  return { ...inputs, limits: inputs.limits.slice(0, Math.max(1, last + 1)) };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function createState(model: HostModel, ends: AbortSignal, screen: Screen = browser): State {
  const host = hostOf(model, ends);
  const line = openLine(
    host,
    randomHex(4),
    () => frames.overdue(),
    () => {},
  );
  const { rpc, kernel } = line;
  const theirs = () =>
    Object.fromEntries(wire.NAMES.map((name) => [name, wire.readInput(name, host.get(name))])) as wire.Inputs;
  const inputs = signal(theirs());
  const newest = signal(0);
  const locked = signal<string[]>([]);
  const catalog = signal<wire.Catalog | null>(null);
  const troubles = signal<Record<string, string>>({});
  /** What went wrong with a kind of request, until one of them succeeds. */
  const complain = (op: string) => (text: string) => {
    if (text !== (troubles.peek()[op] ?? "")) troubles.set({ ...troubles.peek(), [op]: text });
  };
  const speech = createSpeech();
  let size: Size | null = null;

  const frames = createFrames({
    rpc,
    screen,
    newest,
    inputs: () => told(inputs.peek()),
    size: () => size,
    trouble: complain("frame"),
  });

  // -- inputs ---------------------------------------------------------------------------------------------------
  const unsaved = new Set<keyof wire.Inputs>();
  let edited = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = () => {
    clearTimeout(timer);
    if (unsaved.size === 0) return false;
    const now = told(inputs.peek());
    for (const name of unsaved) host.set(name, now[name]);
    unsaved.clear(); // only now: the host tells of each one while the others still have their old values
    if (!host.save() && host.connected) line.lost();
    return true;
  };
  const settle = () => {
    if (save()) frames.ask(false);
  };
  const change = (to: wire.Inputs) => {
    inputs.set(to);
    newest.set(newest() + 1);
    complain("export")(""); // it was of others
  };
  const isLocked = (name: string) => locked().includes(name);
  const edit: State["edit"] = (what, pace = "now") => {
    const free = Object.entries(what).filter(([name]) => !isLocked(name));
    if (free.length === 0) return;
    for (const [name] of free) unsaved.add(name as keyof wire.Inputs);
    edited = true;
    change({ ...inputs.peek(), ...Object.fromEntries(free) });
    if (pace === "move") frames.ask(true);
    clearTimeout(timer);
    if (pace === "now") settle();
    else timer = setTimeout(settle, PAUSE_MS[pace]);
  };

  // One update of the kernel comes as one event for each of its traits.
  let telling = false;
  const follow = () => {
    const [now, known] = [inputs.peek(), told(inputs.peek())];
    const kernels = Object.entries(theirs()).filter(
      ([name, value]) =>
        !unsaved.has(name as keyof wire.Inputs) && !same(value, known[name as keyof wire.Inputs]),
    );
    if (kernels.length === 0) return;
    change({ ...now, ...Object.fromEntries(kernels) });
    if (telling) return;
    telling = true;
    queueMicrotask(() => {
      telling = false;
      frames.ask(false);
    });
  };
  for (const name of wire.NAMES) host.on(`change:${name}`, follow);
  const lock = () => {
    try {
      locked.set(or(list(text), [])(host.get("locked")));
    } catch {
      locked.set([]);
    }
  };
  host.on("change:locked", lock);
  lock();

  // -- over a restart -------------------------------------------------------------------------------------------
  const madeWith = `calculator ${JSON.stringify(inputs.peek())}`;
  const typedBefore = signal<Change | null>(kept.get(madeWith) ?? null);
  if (host.connected) kept.delete(madeWith);
  const stopKeeping = effect(() => {
    const now = inputs();
    if (kernel() === "gone" && edited) kept.set(madeWith, now);
  });

  const request = async <T>(
    op: string,
    args: Record<string, unknown>,
    reader: Reader<T>,
    options?: Options,
  ) => {
    try {
      const reply = await rpc.request(op, args, reader, options);
      complain(op)("");
      return reply;
    } catch (error) {
      const { code, message } = error as RpcError;
      if (code !== "gone") complain(op)(message); // that is said of the kernel as a whole
      return null;
    }
  };
  const learn = () => request("catalog", {}, wire.catalog).then((reply) => reply && catalog.set(reply.value));
  if (host.connected) void learn();

  // A kernel that seemed gone speaks again: what was given up is asked for once more.
  let away = false;
  const stopWatching = effect(() => {
    const back = away && kernel() !== "gone";
    away = kernel() === "gone";
    if (!back) return;
    kept.delete(madeWith);
    queueMicrotask(() => {
      frames.ask(false);
      if (!catalog.peek()) void learn();
    });
  });

  ends.addEventListener("abort", () => {
    save();
    stopKeeping();
    stopWatching();
    frames.close();
    rpc.abandon("The widget was closed.");
  });

  let views = 0;
  return {
    inputs,
    catalog,
    frames,
    kernel,
    heard: line.heard,
    trouble: () => Object.values(troubles()).filter(Boolean).join(" "),
    typedBefore,
    ...speech,
    locked: isLocked,
    fixed: (name) => isLocked(name) || kernel() === "none",
    edit,
    settle,
    async choose(preset) {
      if (!preset) return edit({ preset });
      const before = inputs.peek();
      edit({ preset }, "type"); // stale from now on; told with all that it stands for
      const reply = await request("preset", { name: preset }, wire.presetReply);
      const now = inputs.peek();
      if (now.preset !== preset || ends.aborted) return; // another one was chosen meanwhile
      if (!reply) return edit({ preset: before.preset });
      // What was typed meanwhile stays.
      const free = Object.entries(reply.value.inputs).filter(
        ([name]) => now[name as keyof wire.Inputs] === before[name as keyof wire.Inputs],
      );
      edit({ ...Object.fromEntries(free), preset });
    },
    async save(format) {
      settle();
      const args = { inputs: told(inputs.peek()), format, theme: size?.theme ?? "light" };
      const reply = await request("export", args, wire.exported, { slow: true });
      if (!reply) return;
      const { filename, media_type } = reply.value;
      screen.download(reply.buffers[0] ?? new Uint8Array(), filename, media_type);
      speech.say(`Saved ${filename}`);
    },
    place(at) {
      if (same(at, size)) return;
      size = at;
      frames.ask(false);
    },
    openView() {
      views += 1;
      return () => {
        views -= 1;
        if (views === 0) size = null;
      };
    },
  };
}
