/**
 * The page's side of the vault: makes its frames, joins them, and asks the keeper.
 *
 * Where the page's policy does not let a frame run its script, the same keeper runs in a closure of the page, and the
 * widget says so.
 */
import type { Chunks } from "../core/chunks.js";
import { type Computed, signal } from "../core/signals.js";
import { channel, greet, open, type Port } from "./captured.js";
import type { Facts } from "./facts.js";
import type { Held } from "./holder.js";
import type { FromKeeper, Op, Operations, Request, ToKeeper } from "./protocol.js";

/** A frame whose script did not run says nothing at all. */
const READY_MS = 5000;
const CLOSED = "the vault was closed";
const LOST = "the page removed the frame that kept the secret; press Retry, then enter the secret again";
/** A cell that is moved gets a new view at once. */
const LINGER_MS = 2000;

export type Mode = "frame" | "page";

/** A keeper that answers. */
export interface Connection {
  mode: Mode;
  post(message: ToKeeper): void;
  /** Give a port of a new field to the keeper; the port returned is the field's. */
  attach(slot: string, facts: Facts): MessagePort;
  /** The document of a field's frame, in mode `frame`. */
  document: string;
  /** True if the page has removed the keeper's frame or loaded it again: its secrets are gone. */
  lost(): boolean;
  remove(): void;
}

/** Connects to a new keeper; `hear` takes what it says. */
export type Connect = (hear: (message: FromKeeper) => void) => Promise<Connection>;

export class VaultError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface Slot {
  held: Held;
  /** Questions of the last minute, when the keeper last told. */
  spent: number;
  paused: boolean;
  /** The field asks whether a token may be released. */
  asking: boolean;
}
const EMPTY: Slot = { held: { state: "none" }, spent: 0, paused: false, asking: false };

export interface Vault {
  /** Null while there is no keeper yet. */
  readonly mode: Computed<Mode | null>;
  /** The reason why there is no keeper. */
  readonly failure: Computed<string>;
  slot(name: string): Slot;
  /** @throws {VaultError} when the keeper rejects the request or is gone. */
  request<O extends Op>(op: O, args: Operations[O]["args"]): Promise<Operations[O]["value"]>;
  /** The keeper; made when it is first asked for. */
  connect(): Promise<Connection>;
  /** Give the port of a field to the keeper; its other end is the field's. */
  attach(slot: string, facts: Facts): Promise<MessagePort>;
  /** Forget everything, at once or if no view comes back soon. */
  close(when: "now" | "soon"): void;
  /** A view came back. */
  stay(): void;
}

/**
 * `changed` is called with the slot after a secret was typed, made or forgotten, and without one when all are gone;
 * `progress` while questions are worked at.
 */
export function createVault(
  connect: Connect,
  changed: (slot?: string) => void,
  progress: (done: number) => void,
): Vault {
  const slots = signal<Readonly<Record<string, Slot>>>({});
  const mode = signal<Mode | null>(null);
  const failure = signal("");
  const pending = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let connection: Promise<Connection> | null = null;
  let lastId = 0;
  let leaving: ReturnType<typeof setTimeout> | undefined;

  const hear = (message: FromKeeper) => {
    if ("id" in message) {
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (!waiting) return;
      if ("error" in message) waiting.reject(new VaultError(message.error.code, message.error.text));
      else waiting.resolve(message.value as never);
    } else if (message.op === "state") {
      const { slot, held, spent, paused, asking, fresh } = message;
      slots.set({ ...slots.peek(), [slot]: { held, spent, paused, asking } });
      if (fresh) changed(slot);
    } else if (message.op === "progress") progress(message.done);
  };

  const close = () => {
    clearTimeout(leaving);
    const closing = connection;
    connection = null;
    mode.set(null);
    const held = Object.values(slots.peek()).some(({ held: { state } }) => state !== "none");
    slots.set({});
    for (const { reject } of pending.values()) reject(new VaultError("gone", CLOSED));
    pending.clear();
    closing?.then(({ remove }) => remove()).catch(() => {}); // it never came to be
    if (held) changed();
  };

  /** Runs `work` with the keeper in the turn in which it is known to be there. */
  const withKeeper = async <T>(work: (keeper: Connection) => T | Promise<T>): Promise<T> => {
    const connecting = vault.connect();
    const keeper = await connecting;
    if (connection !== connecting) throw new VaultError("gone", CLOSED);
    if (!keeper.lost()) return work(keeper);
    close();
    failure.set(LOST);
    throw new VaultError("gone", LOST);
  };

  const vault: Vault = {
    mode,
    failure,
    slot: (name) => slots()[name] ?? EMPTY,
    connect() {
      if (connection) return connection;
      failure.set("");
      const connecting = connect((message) => connection === connecting && hear(message));
      connection = connecting;
      connecting.then(
        ({ mode: reached }) => connection === connecting && mode.set(reached),
        (error: Error) => {
          if (connection !== connecting) return;
          connection = null;
          failure.set(error.message);
        },
      );
      return connecting;
    },
    request(op, args) {
      lastId += 1;
      const id = lastId;
      return withKeeper(({ post }) => {
        const answer = new Promise<Operations[typeof op]["value"]>((resolve, reject) => {
          pending.set(id, { resolve, reject });
        });
        post({ id, op, args } as Request);
        return answer;
      });
    },
    attach: (slot, facts) => withKeeper((keeper) => keeper.attach(slot, facts)),
    close(when) {
      clearTimeout(leaving);
      if (when === "now") close();
      else leaving = setTimeout(close, LINGER_MS);
    },
    stay: () => clearTimeout(leaving),
  };
  return vault;
}

/** Frames of this page do not run: found out once. */
let forbidden = false;

/** Connects to a keeper in a frame of its own, or in this page where its policy forbids that. */
export function connectHere(chunks: Chunks): Connect {
  return async (hear) => {
    const document = await chunks.text("vault.html");
    let ctl: Port | null = null;
    const take = (data: unknown) => {
      const message = data as FromKeeper;
      if ("op" in message && message.op === "curves") {
        chunks.text("curves.js").then(
          (text) => ctl?.post({ op: "curves", source: text }),
          () => ctl?.post({ op: "curves", source: "" }),
        );
      } else hear(message);
    };
    const connection = (mode: Mode, port: Port, ends: Pick<Connection, "lost" | "remove">): Connection => {
      ctl = port;
      return {
        mode,
        document,
        ...ends,
        post: (message) => port.post(message),
        attach(slot, facts) {
          const { near, far } = channel();
          port.post({ op: "attach", slot, facts } satisfies ToKeeper, near);
          return far;
        },
      };
    };
    const framed = forbidden ? null : await inFrame(document, take);
    if (framed) return connection("frame", framed.port, framed);
    forbidden = true;
    const { default: program } = await chunks.load("vault");
    const { near, far } = channel();
    const port = open(near, take);
    program.createKeeper(far, async () => (await chunks.load("curves")).default);
    return connection("page", port, { lost: () => false, remove: () => port.close() });
  };
}

interface Framed {
  port: Port;
  lost(): boolean;
  remove(): void;
}

/** A keeper in a hidden frame, in a shadow root that later scripts cannot look into; null where it does not run. */
function inFrame(document: string, hear: (data: unknown) => void): Promise<Framed | null> {
  const host = globalThis.document.createElement("div");
  host.hidden = true;
  host.dataset.hookWidgets = "keeper";
  host.setAttribute("aria-hidden", "true");
  const frame = createFrame(document, "Secret vault");
  frame.tabIndex = -1;
  host.attachShadow({ mode: "closed" }).append(frame);
  return new Promise((resolve) => {
    const giveUp = () => {
      host.remove();
      resolve(null);
    };
    let ready = false;
    let reloaded = false;
    frame.addEventListener("load", () => {
      if (ready) {
        reloaded = true; // a second keeper would know no secret
        return;
      }
      const { near, far } = channel();
      const silence = setTimeout(giveUp, READY_MS);
      const port = open(near, (data) => {
        if ((data as FromKeeper as { op?: string }).op !== "ready") return hear(data);
        clearTimeout(silence);
        const remove = () => {
          port.close();
          host.remove();
        };
        ready = true;
        resolve({ port, lost: () => reloaded || !frame.isConnected, remove });
      });
      greet(frame, { vault: 1, role: "keeper" }, far);
    });
    globalThis.document.body.append(host);
  });
}

export function createFrame(document: string, title: string): HTMLIFrameElement {
  const frame = globalThis.document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("allow", "clipboard-write");
  frame.title = title;
  frame.srcdoc = document;
  return frame;
}
